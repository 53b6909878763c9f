/* Pictures that helper processes decode, and formats of another library. */

#include "pictures.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>

static void check_same(const char *helper) {
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    lull_picture *here;
    lull_picture_info info;
    open_screen(&screen, NULL);
    request = request_of(&screen, 1);
    request.path = photo("05-pebbles-1280x960.jpg");
    load_now(&screen, &request);
    here = screen.picture;
    info = screen.info;
    screen.picture = NULL;
    close_screen(&screen);
    options.helper = helper;
    open_screen(&screen, &options);
    for (request.key = 0; request.key < 5; request.key++) {
        request.context = &screen;
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
    }
    while (screen.ends < 5) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(screen.end == LULL_END_DONE && screen.info.width == info.width);
    CHECK(!memcmp(screen.info.pixels, info.pixels, info.stride * (size_t)info.height));
    request.path = "/nowhere";
    load_now(&screen, &request);
    CHECK(screen.error == LULL_PICTURE_CANNOT_OPEN && screen.system_error == ENOENT);
    CHECK(counts(&screen).decoded_by_helpers == 5 && counts(&screen).decoded == 0);
    CHECK(counts(&screen).helpers_started > 0 && counts(&screen).helpers_failed == 0);
    /* Some are being decoded, and wait for a place, when all is closed. */
    request.path = photo("04-ridges-at-dawn-4000x3000.jpg");
    for (request.key = 0; request.key < 20; request.key++) {
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
    }
    for (int i = 0; i < 50; i++) event_base_loop(screen.host.base, EVLOOP_NONBLOCK);
    close_screen(&screen);
    CHECK(screen.ends == 26);
    CHECK(lull_picture_free(here) == LULL_OK);
}

/* The number of open descriptors. */
static int descriptor_count(void) {
    int count = 0;
    DIR *files = opendir("/proc/self/fd");
    while (readdir(files)) count++;
    closedir(files);
    return count;
}

/* Nothing is left open. */
static void check_descriptors(const char *helper) {
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    int before;
    wait_for_lanes();
    before = descriptor_count();
    options.helper = helper;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.path = photo("05-pebbles-1280x960.jpg");
    load_now(&screen, &request);
    close_screen(&screen);
    wait_for_lanes();
    CHECK(descriptor_count() == before);
}

/* A program that is no helper, and one that doesn't exist. */
static void check_none(const char *program) {
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    options.helper = program;
    options.helpers = 1;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.path = photo("05-pebbles-1280x960.jpg");
    load_now(&screen, &request);
    CHECK(screen.error == LULL_PICTURE_NO_HELPER && screen.is_transient);
    CHECK(counts(&screen).helpers_failed > 0);
    close_screen(&screen);
}

/* The processes below this one's helper thread; valgrind has none. */
static pid_t child_of_any_thread(void) {
    char name[300];
    int child = 0;
    DIR *threads = opendir("/proc/self/task");
    struct dirent *thread;
    while (!child && (thread = readdir(threads))) {
        FILE *file;
        if (*thread->d_name == '.') continue;
        snprintf(name, sizeof name, "/proc/self/task/%s/children", thread->d_name);
        file = fopen(name, "r");
        if (!file) continue;
        if (fscanf(file, "%d", &child) != 1) child = 0;
        fclose(file);
    }
    closedir(threads);
    return child;
}

/* A helper that doesn't answer, and is killed after five seconds. */
static void check_hanging(const char *helper) {
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    pid_t child;
    options.helper = helper;
    options.helpers = 1;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.path = photo("05-pebbles-1280x960.jpg");
    load_now(&screen, &request);
    CHECK(screen.end == LULL_END_DONE);
    child = child_of_any_thread();
    CHECK(child > 0);
    if (child > 0) {
        CHECK(kill(child, SIGSTOP) == 0);
        load_now(&screen, &request);
        CHECK(screen.error == LULL_PICTURE_HELPER_FAILED && strstr(screen.text, "helper"));
        CHECK(counts(&screen).helpers_failed == 1);
        load_now(&screen, &request); /* another has taken its place */
        CHECK(screen.end == LULL_END_DONE);
    }
    close_screen(&screen);
}

void test_helpers(const char *helper) {
    check_same(helper);
    check_descriptors(helper);
    check_none("/bin/true");
    check_none("/nowhere/helper");
    check_hanging(helper);
    wait_for_lanes();
}

void test_heif(const char *folder) {
    static const char *const names[] = {"alpha.heic", "alpha.avif", "grid.avif", "odd.heic"};
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_queue_options queue;
    lull_picture_request request;
    char path[4096];
    for (int lanes = 0; lanes < 2; lanes++) {
        lull_queue_options_init(&queue, sizeof queue);
        queue.lanes = lanes ? 0 : LULL_NONE;
        options.queue = &queue;
        open_screen(&screen, &options);
        for (int i = 0; i < 4; i++) {
            request = request_of(&screen, (uint64_t)i);
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
            request.path = path;
            CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        }
        while (screen.ends < 4) {
            event_base_loop(screen.host.base, EVLOOP_ONCE);
            CHECK(screen.end == LULL_END_DONE && (!screen.ends || screen.info.width > 0));
            if (screen.end != LULL_END_DONE) fprintf(stderr, "%s\n", screen.text);
        }
        close_screen(&screen);
    }
    wait_for_lanes();
}
