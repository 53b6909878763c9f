/* Loads of pictures: where the bytes are, what is made of them, and every way in which they end. */

#include "pictures.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Red that is half seen through, and green. */
static const unsigned char two[] = {200, 0, 100, 128, 0, 255, 0, 255};

static void check_format(lull_pixel_format format, const unsigned char *expected) {
    struct screen screen;
    lull_pictures_options options = default_options();
    struct bytes png = make_png(two, 2, 1);
    lull_picture_request request;
    options.format = format;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.bytes = png.start;
    request.byte_count = png.count;
    load_now(&screen, &request);
    CHECK(screen.end == LULL_END_DONE && screen.info.width == 2 && screen.info.height == 1);
    CHECK(screen.info.format == format && !screen.info.is_damaged && !screen.info.is_preview);
    CHECK(screen.picture && !memcmp(screen.info.pixels, expected, 8));
    CHECK(*screen.text == 0 && counts(&screen).decoded == 1);
    free(png.start);
    close_screen(&screen);
}

static void check_places(void) {
    struct screen screen;
    const char *path = photo("05-pebbles-1280x960.jpg");
    struct bytes bytes = read_bytes(path);
    lull_picture *pictures[3];
    lull_picture_info infos[3];
    lull_picture_request request;
    open_screen(&screen, NULL);
    for (int i = 0; i < 3; i++) {
        int descriptor = open(path, O_RDONLY);
        request = request_of(&screen, 7);
        if (i == 0) request.path = path;
        if (i == 1) request.bytes = bytes.start;
        if (i == 1) request.byte_count = bytes.count;
        if (i == 2) request.descriptor = descriptor;
        if (i == 2) CHECK(lseek(descriptor, 1000, SEEK_SET) == 1000);
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        if (i == 1) memset(bytes.start, 0, bytes.count); /* it was copied */
        if (i == 2) CHECK(lseek(descriptor, 0, SEEK_CUR) == 1000);
        CHECK(close(descriptor) == 0);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.end == LULL_END_DONE && screen.keys[i] == 7);
        pictures[i] = screen.picture;
        infos[i] = screen.info;
        screen.picture = NULL;
    }
    CHECK(infos[0].width == 64 && infos[0].height == 48);
    CHECK(!memcmp(infos[0].pixels, infos[1].pixels, 64 * 48 * 4));
    CHECK(!memcmp(infos[0].pixels, infos[2].pixels, 64 * 48 * 4));
    /* Pictures outlive the ones that made them, and their loop. */
    close_screen(&screen);
    for (int i = 0; i < 3; i++) {
        CHECK(lull_picture_get(pictures[i], &screen.info, sizeof screen.info) == LULL_OK);
        CHECK(screen.info.pixels == infos[i].pixels);
        CHECK(lull_picture_free(pictures[i]) == LULL_OK);
    }
    free(bytes.start);
}

void test_formats(void) {
    static const unsigned char
        premultiplied[] = {100, 0, 50, 128, 0, 255, 0, 255},
        straight[] = {199, 0, 100, 128, 0, 255, 0, 255},
        bgra[] = {50, 0, 100, 128, 0, 255, 0, 255};
    check_format(LULL_PIXELS_RGBA_PREMULTIPLIED, premultiplied);
    check_format(LULL_PIXELS_RGBA, straight);
    check_format(LULL_PIXELS_BGRA_PREMULTIPLIED, bgra);
    check_places();
    wait_for_lanes();
}

/* Loads what gives no picture, and checks why. */
static void fails(
    struct screen *screen, const lull_picture_request *request, int error, int system_error,
    int is_transient, const char *text) {
    load_now(screen, request);
    CHECK(screen->end == LULL_END_FAILED && screen->error == error);
    CHECK(screen->system_error == system_error && screen->is_transient == is_transient);
    CHECK(strstr(screen->text, text) != NULL);
    CHECK(strcmp(lull_picture_error_text(error), "no picture error") != 0);
    if (screen->error != error || !strstr(screen->text, text)) {
        fprintf(stderr, "%d, not %d: %s\n", screen->error, error, screen->text);
    }
}

static void check_files(struct screen *screen) {
    lull_picture_request request = request_of(screen, 1);
    struct bytes jpeg = read_bytes(photo("05-pebbles-1280x960.jpg"));
    char *path;
    request.path = "/nowhere/a.jpg";
    fails(screen, &request, LULL_PICTURE_CANNOT_OPEN, ENOENT, 0, "/nowhere/a.jpg: cannot open");
    request.path = photos;
    fails(screen, &request, LULL_PICTURE_NOT_A_FILE, 0, 0, "not a regular file");
    request.path = path = write_bytes("pipe", "", 0);
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0);
    fails(screen, &request, LULL_PICTURE_NOT_A_FILE, 0, 0, "not a regular file");
    request.path = write_bytes("empty", "", 0);
    fails(screen, &request, LULL_PICTURE_EMPTY, 0, 0, "empty");
    request.path = write_bytes("bmp", "BM and so on, for a while", 25);
    fails(screen, &request, LULL_PICTURE_UNSUPPORTED, 0, 0, "unsupported: BMP");
    request.path = write_bytes("short.jpg", jpeg.start, 400);
    fails(screen, &request, LULL_PICTURE_TRUNCATED, 0, 0, "truncated");
    memset(jpeg.start + 2, 0xFF, jpeg.count - 2);
    request.path = write_bytes("wrong.jpg", jpeg.start, jpeg.count);
    fails(screen, &request, LULL_PICTURE_CORRUPT, 0, 0, "corrupt");
    /* Names of files need not be text. */
    request.path = "/nowhere/\xFF.jpg";
    fails(screen, &request, LULL_PICTURE_CANNOT_OPEN, ENOENT, 0, "cannot open");
    free(jpeg.start);
}

static void check_bytes(struct screen *screen) {
    lull_picture_request request = request_of(screen, 1);
    struct bytes png = make_png(NULL, 65535, 65535);
    int descriptor;
    request.bytes = "";
    fails(screen, &request, LULL_PICTURE_EMPTY, 0, 0, "empty");
    request.bytes = png.start;
    request.byte_count = png.count;
    fails(screen, &request, LULL_PICTURE_TOO_LARGE, 0, 0, "4294836225 pixels");
    request.byte_count = (size_t)1 << 40; /* which aren't there, and aren't read */
    fails(screen, &request, LULL_PICTURE_TOO_LARGE, 0, 0, "bytes");
    request.bytes = NULL;
    request.byte_count = 0;
    request.descriptor = descriptor = open(write_bytes("written", png.start, png.count), O_WRONLY);
    fails(screen, &request, LULL_PICTURE_CANNOT_READ, EBADF, 0, "cannot read");
    close(descriptor);
    free(png.start);
}

static void check_limits(void) {
    struct screen screen;
    lull_picture_request request;
    lull_pictures_options options = default_options();
    char path[4096];
    strcpy(path, photo("05-pebbles-1280x960.jpg"));
    options.file_bytes = 1000;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.path = path;
    fails(&screen, &request, LULL_PICTURE_TOO_LARGE, 0, 0, "bytes, the limit is 1000");
    close_screen(&screen);
    options = default_options();
    options.pixels = 1000000;
    open_screen(&screen, &options);
    request.context = &screen;
    fails(&screen, &request, LULL_PICTURE_TOO_LARGE, 0, 0, "1228800 pixels");
    close_screen(&screen);
    options = default_options();
    options.time = 1;
    open_screen(&screen, &options);
    fails(&screen, &request, LULL_PICTURE_TOO_SLOW, 0, 0, "processor time");
    CHECK(counts(&screen).failed == 1);
    close_screen(&screen);
}

/* A job that takes turns with those of the pictures, and ends the dispatch when one has had slices. */
static lull_progress break_off(const lull_slot *slot, uint64_t key, void *context) {
    struct screen *screen = (struct screen *)context;
    lull_queue *queue;
    (void)slot;
    (void)key;
    CHECK(lull_pictures_get_queue(screen->pictures, &queue) == LULL_OK);
    if (counts_of(queue).slices < 5) return LULL_AGAIN;
    event_base_loopbreak(screen->host.base);
    return LULL_DONE;
}

/* A file that is written to between two slices. */
static void check_changes(void) {
    struct screen screen;
    lull_picture_request request;
    lull_pictures_options options = default_options();
    lull_queue_options queue;
    struct bytes jpeg = read_bytes(photo("04-ridges-at-dawn-4000x3000.jpg"));
    lull_job job;
    char *path = write_bytes("changing.jpg", jpeg.start, jpeg.count);
    FILE *file;
    lull_queue_options_init(&queue, sizeof queue);
    queue.lanes = LULL_NONE;
    queue.slice = 100000;
    options.queue = &queue;
    open_screen(&screen, &options);
    request = request_of(&screen, 1);
    request.path = path;
    request.width = request.height = 2000;
    CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
    job = job_of(&screen.host, 1);
    job.run = break_off;
    job.end = NULL;
    job.context = &screen;
    CHECK(lull_submit(screen.host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(screen.host.base) == 0 && screen.ends == 0);
    file = fopen(path, "ab");
    CHECK(fputc(0, file) == 0 && fclose(file) == 0);
    CHECK(event_base_dispatch(screen.host.base) == 1);
    CHECK(screen.error == LULL_PICTURE_CHANGED && screen.is_transient);
    free(jpeg.start);
    close_screen(&screen);
}

/* A picture of which the end is missing. */
static void check_damage(void) {
    struct screen screen;
    lull_picture_request request;
    struct bytes jpeg = read_bytes(photo("05-pebbles-1280x960.jpg"));
    open_screen(&screen, NULL);
    request = request_of(&screen, 1);
    request.bytes = jpeg.start;
    request.byte_count = jpeg.count / 2;
    load_now(&screen, &request);
    CHECK(screen.end == LULL_END_DONE && screen.info.is_damaged == 1);
    CHECK(strstr(screen.text, "truncated") && counts(&screen).damaged == 1);
    free(jpeg.start);
    close_screen(&screen);
}

static void check_descriptors(void) {
    struct screen screen;
    lull_picture_request request;
    lull_pictures *others;
    lull_pictures_options options = default_options();
    struct rlimit before, none;
    char path[4096];
    int file;
    strcpy(path, photo("05-pebbles-1280x960.jpg"));
    open_screen(&screen, NULL);
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    file = open(path, O_RDONLY);
    none = before;
    none.rlim_cur = 3;
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    request = request_of(&screen, 1);
    request.path = path;
    fails(&screen, &request, LULL_PICTURE_CANNOT_OPEN, EMFILE, 1, "cannot open");
    request.path = NULL;
    request.descriptor = file;
    errno = 0;
    CHECK(lull_picture_load(screen.pictures, &request) == LULL_SYSTEM);
    CHECK(errno == EMFILE || errno == EINVAL);
    options.helper = "/bin/true";
    errno = 0;
    CHECK(lull_pictures_new(screen.host.loop, &options, &others) == LULL_SYSTEM);
    CHECK(others == NULL && errno == EMFILE);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    request.descriptor = 9999;
    CHECK(lull_picture_load(screen.pictures, &request) == LULL_SYSTEM && errno == EBADF);
    CHECK(error_names("lull_picture_load(", "fcntl"));
    request.descriptor = file;
    load_now(&screen, &request);
    CHECK(screen.end == LULL_END_DONE && screen.ends == 2);
    close(file);
    close_screen(&screen);
}

void test_errors(void) {
    struct screen screen;
    open_screen(&screen, NULL);
    check_files(&screen);
    check_bytes(&screen);
    close_screen(&screen);
    check_limits();
    check_changes();
    check_damage();
    check_descriptors();
    wait_for_lanes();
}

/* Loads that are cancelled, dropped or joined, and pictures that are closed around them. */
void test_ends(void) {
    struct screen screen;
    lull_queue *queue;
    lull_queue_options limits;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    lull_job job;
    char path[4096];
    strcpy(path, photo("04-ridges-at-dawn-4000x3000.jpg"));
    for (int lanes = 0; lanes < 2; lanes++) {
        lull_queue_options_init(&limits, sizeof limits);
        limits.lanes = lanes ? 0 : LULL_NONE;
        limits.limit = 2;
        options.queue = &limits;
        open_screen(&screen, &options);
        CHECK(lull_pictures_get_queue(screen.pictures, &queue) == LULL_OK);
        request = request_of(&screen, 1);
        request.path = path;
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        CHECK(lull_contains(queue, 1) == LULL_OK);
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_JOINED);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == 2 && screen.end == LULL_END_DONE && screen.info.width == 64);
        /* The second is cancelled by the queue, the first while it's being decoded. */
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        request.key = 2;
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        CHECK(lull_cancel(queue, 2) == LULL_OK);
        CHECK(screen.ends == 3 && screen.keys[2] == 2 && screen.end == LULL_END_CANCELLED);
        CHECK(lull_reprioritize(queue, 1, LULL_PRIORITY_HIGH, 0) == LULL_OK);
        event_base_loop(screen.host.base, EVLOOP_NONBLOCK);
        if (lull_contains(queue, 1) == LULL_OK) CHECK(lull_cancel(queue, 1) == LULL_OK);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == 4 && screen.keys[3] == 1);
        /* A full queue drops the least urgent. */
        request.priority = LULL_PRIORITY_HIGH;
        for (request.key = 1; request.key < 3; request.key++) {
            CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        }
        request.priority = LULL_PRIORITY_LOW;
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_DROPPED);
        CHECK(screen.ends == 5 && screen.end == LULL_END_DROPPED && screen.keys[4] == 3);
        CHECK(lull_cancel_all(queue) == LULL_OK);
        CHECK(event_base_dispatch(screen.host.base) == 1 && screen.ends == 7);
        /* Another job of the program's has the key. */
        job = job_of(&screen.host, 5);
        CHECK(lull_submit(queue, &job) == LULL_OK);
        request.key = 5;
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_JOINED);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == 8 && screen.error == LULL_PICTURE_REFUSED && screen.host.runs == 1);
        /* The queue is closed, and nothing can be loaded any more. */
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        CHECK(lull_queue_close(queue) == LULL_OK);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == 9 && screen.end == LULL_END_CANCELLED);
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_STALE);
        CHECK(error_names("lull_picture_load(", "the queue of pictures "));
        close_screen(&screen);
        /* A load's end closes the pictures. */
        open_screen(&screen, &options);
        screen.closes = 1;
        for (request.key = 0; request.key < 2; request.key++) {
            CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        }
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == 2 && lull_pictures_close(screen.pictures) == LULL_STALE);
        free_picture(&screen);
        close_host(&screen.host);
        /* The loop is closed first, while one is being decoded. */
        open_screen(&screen, &options);
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        event_base_loop(screen.host.base, EVLOOP_NONBLOCK);
        close_host(&screen.host);
        CHECK(screen.ends == 1);
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_STALE);
        CHECK(lull_pictures_get_queue(screen.pictures, &queue) == LULL_OK);
        CHECK(lull_pictures_close(screen.pictures) == LULL_OK);
        CHECK(lull_pictures_close(screen.pictures) == LULL_STALE);
        free_picture(&screen);
    }
    wait_for_lanes();
}

/* What one has stored, the other finds. */
void test_cache(void) {
    struct screen screen;
    lull_pictures_options options = default_options();
    lull_picture_request request;
    struct stat status;
    char folder[4096], entry[4200];
    uint64_t sum[2] = {0, 0};
    snprintf(folder, sizeof folder, "%s/thumbnails", getenv("TMPDIR"));
    snprintf(entry, sizeof entry, "%s/normal", folder);
    options.cache = folder;
    options.cache_files = 100;
    options.cache_bytes = 1 << 20;
    for (int round = 0; round < 2; round++) {
        open_screen(&screen, &options);
        request = request_of(&screen, 1);
        request.path = photo("05-pebbles-1280x960.jpg");
        if (round == 0) request.done = NULL; /* it is only stored */
        CHECK(lull_picture_load(screen.pictures, &request) == LULL_OK);
        CHECK(event_base_dispatch(screen.host.base) == 1);
        CHECK(screen.ends == round);
        CHECK(counts(&screen).stored == (round == 0) && counts(&screen).found == (uint64_t)round);
        CHECK(counts(&screen).decoded == (round == 0));
        sum[round] = (uint64_t)screen.info.width;
        close_screen(&screen);
        CHECK(stat(entry, &status) == 0);
    }
    CHECK(sum[1] == 64);
    wait_for_lanes();
}
