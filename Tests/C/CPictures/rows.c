/* Rows of a list that load pictures, on lanes and on the loop. */

#include "pictures.h"

#include <sys/wait.h>

#define ROWS 10000
#define FILES 9

static char paths[FILES][4096];

enum closing { NOTHING, LIST, PICTURES, LOOP_LATER };

struct viewer {
    struct screen screen;
    lull_list *list;
    lull_row_state states[ROWS];
    int32_t errors[ROWS];
    int live, shown, previews, refuses; /* whether no picture is named */
    enum closing closing;              /* what the first row that is shown closes */
};

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    struct viewer *viewer = (struct viewer *)context;
    lull_picture_request request;
    CHECK(load->list != NULL);
    lull_picture_request_init(&request, sizeof request);
    request.path = viewer->refuses ? NULL : paths[load->key % FILES];
    request.width = request.height = 48;
    return lull_picture_load_row(
        viewer->screen.pictures, slot, load, load->value ? NULL : &request);
}

static void show(const lull_row *row, void *context) {
    struct viewer *viewer = (struct viewer *)context;
    lull_picture_info info;
    CHECK_THREAD();
    viewer->states[row->row] = row->state;
    viewer->errors[row->row] = row->error;
    if (row->value) {
        CHECK(
            lull_picture_get((lull_picture *)row->value, &info, sizeof info) == LULL_OK &&
            info.width <= 48 && info.height <= 48 && info.pixels[0] + 1);
        CHECK(info.is_preview == (row->state == LULL_ROW_REFINED));
        viewer->shown++;
        if (info.is_preview) viewer->previews++;
    }
    if (row->state < LULL_ROW_LOADED || viewer->closing == NOTHING) return;
    if (viewer->closing == LIST) CHECK(lull_list_close(viewer->list) == LULL_OK);
    if (viewer->closing == PICTURES) CHECK(lull_pictures_close(viewer->screen.pictures) == LULL_OK);
    viewer->closing = NOTHING;
    event_base_loopbreak(viewer->screen.host.base);
}

static void drop(uint64_t key, void *value, void *context) {
    struct viewer *viewer = (struct viewer *)context;
    CHECK_THREAD();
    (void)key;
    viewer->live--;
    CHECK(lull_picture_free((lull_picture *)value) == LULL_OK);
    CHECK(lull_picture_free((lull_picture *)value) == LULL_STALE);
}

static void open_viewer(
    struct viewer *viewer, int anywhere, const lull_pictures_options *options) {
    lull_list_options list;
    memset(viewer, 0, sizeof *viewer);
    open_screen(&viewer->screen, options);
    lull_list_options_init(&list, sizeof list);
    CHECK(list.load_anywhere == 0);
    list.rows = ROWS;
    list.row_height = 50;
    list.height = 1000;
    list.byte_limit = 4 << 20;
    list.load = load;
    list.show = show;
    list.drop = drop;
    list.context = viewer;
    list.load_anywhere = anywhere;
    CHECK(lull_list_new(viewer->screen.host.loop, &list, &viewer->list) == LULL_OK);
    list.load_anywhere = 2;
    lull_list *other;
    REFUSED(lull_list_new(viewer->screen.host.loop, &list, &other), "options->load_anywhere");
}

static void settle(struct viewer *viewer) {
    int64_t first, count = lull_list_visible(viewer->list, &first);
    for (int64_t row = first; row < first + count; row++) {
        while (viewer->states[row] < LULL_ROW_LOADED) {
            CHECK(event_base_loop(viewer->screen.host.base, EVLOOP_ONCE) >= 0);
        }
        int is_wrong = row % FILES == 5;
        CHECK(viewer->states[row] == (is_wrong ? LULL_ROW_FAILED : LULL_ROW_LOADED));
        CHECK(viewer->errors[row] == (is_wrong ? LULL_PICTURE_CANNOT_OPEN : 0));
    }
}

static void check_scrolling(int anywhere) {
    struct viewer viewer;
    open_viewer(&viewer, anywhere, NULL);
    settle(&viewer);
    for (int pass = 1; pass < 12; pass++) {
        /* What is on its way isn't wanted any more. */
        CHECK(lull_list_input(viewer.list, LULL_INPUT_KEY, 0, LULL_NONE) == LULL_OK);
        CHECK(lull_list_scroll(viewer.list, pass * 3000.0, LULL_NONE) == LULL_OK);
        for (int i = 0; i < pass % 4; i++) {
            event_base_loop(viewer.screen.host.base, EVLOOP_NONBLOCK);
        }
    }
    settle(&viewer);
    CHECK(counts(&viewer.screen).decoded >= 18 && counts(&viewer.screen).failed >= 2);
    CHECK(lull_list_close(viewer.list) == LULL_OK);
    close_screen(&viewer.screen);
}

static void check_closing(int anywhere) {
    struct viewer viewer;
    for (int way = LIST; way <= LOOP_LATER; way++) {
        for (int passes = 0; passes < 6; passes++) {
            open_viewer(&viewer, anywhere, NULL);
            viewer.closing = (enum closing)way;
            for (int i = 0; i < passes; i++) {
                event_base_loop(viewer.screen.host.base, EVLOOP_NONBLOCK);
            }
            if (viewer.closing != NOTHING) event_base_loop(viewer.screen.host.base, EVLOOP_ONCE);
            /* Rows that are still loading fail, and the loop goes on. */
            if (way == PICTURES && viewer.closing == NOTHING) {
                for (int i = 0; i < 20; i++) {
                    event_base_loop(viewer.screen.host.base, EVLOOP_NONBLOCK);
                }
                CHECK(lull_pictures_close(viewer.screen.pictures) == LULL_STALE);
            }
            close_host(&viewer.screen.host);
            lull_pictures_close(viewer.screen.pictures);
        }
    }
    /* Values, as far as there are any, were dropped, as nothing is left that leaks. */
    wait_for_lanes();
}

static void check_refused(int anywhere) {
    struct viewer viewer;
    int64_t first;
    for (int round = 0; round < 2; round++) {
        open_viewer(&viewer, anywhere, NULL);
        viewer.refuses = round;
        if (round == 0) CHECK(lull_pictures_close(viewer.screen.pictures) == LULL_OK);
        while (viewer.states[0] != LULL_ROW_FAILED) {
            event_base_loop(viewer.screen.host.base, EVLOOP_ONCE);
        }
        CHECK(viewer.errors[0] == LULL_PICTURE_REFUSED && viewer.live == 0);
        CHECK(lull_list_visible(viewer.list, &first) == 20);
        if (round == 1) CHECK(lull_pictures_close(viewer.screen.pictures) == LULL_OK);
        close_host(&viewer.screen.host);
    }
}

/* Rows that wait for helpers, or for others to be done, when their pictures are closed. */
static void check_helpers(const char *helper) {
    struct viewer viewer;
    lull_pictures_options options = default_options();
    options.helper = helper;
    options.helpers = 1;
    for (int anywhere = 0; anywhere < 2; anywhere++) {
        open_viewer(&viewer, anywhere, &options);
        settle(&viewer);
        CHECK(counts(&viewer.screen).decoded_by_helpers >= 18);
        CHECK(lull_list_scroll(viewer.list, 5000, LULL_NONE) == LULL_OK);
        for (int i = 0; i < 10; i++) event_base_loop(viewer.screen.host.base, EVLOOP_NONBLOCK);
        CHECK(lull_pictures_close(viewer.screen.pictures) == LULL_OK);
        for (int row = 100; row < 120; row++) {
            while (viewer.states[row] < LULL_ROW_LOADED) {
                CHECK(event_base_loop(viewer.screen.host.base, EVLOOP_ONCE) >= 0);
            }
        }
        close_host(&viewer.screen.host);
    }
    wait_for_lanes();
}

/* A child goes on with a loop of its own, and with other pictures. */
static void check_fork(void) {
    struct viewer viewer;
    int status = 0;
    pid_t child;
    open_viewer(&viewer, 1, NULL);
    for (int i = 0; i < 5; i++) event_base_loop(viewer.screen.host.base, EVLOOP_NONBLOCK);
    child = fork();
    if (child == 0) {
        CHECK(event_reinit(viewer.screen.host.base) == 0);
        CHECK(lull_reinit_after_fork(viewer.screen.host.loop) == LULL_OK);
        CHECK(lull_list_close(viewer.list) == LULL_OK);
        CHECK(lull_pictures_close(viewer.screen.pictures) == LULL_OK);
        CHECK(lull_pictures_new(viewer.screen.host.loop, NULL, &viewer.screen.pictures) == LULL_OK);
        lull_picture_request request = request_of(&viewer.screen, 1);
        request.path = paths[0];
        load_now(&viewer.screen, &request);
        CHECK(viewer.screen.end == LULL_END_DONE);
        close_screen(&viewer.screen);
        if (!failures) execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    settle(&viewer);
    close_screen(&viewer.screen);
}

void test_rows(const char *helper) {
    static const char *const names[FILES] = {
        "01-dunes-1600x1200.jpg",      "02-lagoon-1200x800.jpg",
        "03-forest-path-900x1350.jpg", "05-pebbles-1280x960.jpg",
        "08-soap-bubbles-800x800.png", "missing.jpg",
        "12-sweets-1080x1080.jpg",     "13-moonrise-960x1280.png",
        "22-feather-720x960.png"};
    for (int i = 0; i < FILES; i++) strcpy(paths[i], photo(names[i]));
    for (int anywhere = 0; anywhere < 2; anywhere++) {
        check_scrolling(anywhere);
        check_closing(anywhere);
        check_refused(anywhere);
    }
    wait_for_lanes();
    check_fork();
    if (helper) check_helpers(helper);
    wait_for_lanes();
}
