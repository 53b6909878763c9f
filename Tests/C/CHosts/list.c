/* Lists: what they load, show and drop. */

#include <math.h>
#include <sys/wait.h>

#include "host.h"

#define ROWS 1000

struct picture {
    uint64_t key;
};

/* The callbacks of a list. */
enum callback { NONE, LOAD, SHOW, DROP, KEY, COST, KIND, HEIGHT };

/* A host with a list, and what it was told. */
struct screen {
    struct host host;
    lull_list_options options;
    lull_list *list;
    int loads[ROWS]; /* by key, those that came to an end */
    lull_row_state states[ROWS]; /* by row, as shown last */
    int shows, refined, drops, live;
    uint64_t ids[16]; /* of rows, where they have any */
    int refines, fails;
    int waits; /* whether loads wait to be resumed, and how often one was asked in vain */
    int holds; /* whether no load comes to its end, and each ends its dispatch */
    pid_t *child; /* where one that a load forks is noted */
    int64_t retry_after;
    enum callback closing; /* in which the list closes itself */
    enum callback updating; /* in which it tries to update itself */
};

static void called(struct screen *screen, enum callback callback) {
    lull_update update;
    CHECK_THREAD();
    if (screen->updating == callback && screen->list) {
        memset(&update, 0, sizeof update);
        CHECK(
            lull_list_update(screen->list, &update, 1, 1) ==
            (callback == LOAD ? LULL_INVALID : LULL_BUSY));
    }
    if (screen->closing == callback && screen->list) {
        lull_list *list = screen->list;
        screen->list = NULL; /* as values are dropped meanwhile */
        CHECK(lull_close(screen->host.loop) == LULL_BUSY);
        CHECK(lull_list_close(list) == LULL_OK);
        CHECK(lull_list_close(list) == LULL_STALE);
    }
}

/* Inside a callback a child gets no loop of its own; it goes on as another program. */
static void fork_inside(struct screen *screen) {
    pid_t *child = screen->child;
    screen->child = NULL;
    *child = fork();
    if (*child != 0) return;
    CHECK(event_reinit(screen->host.base) == 0);
    CHECK(lull_reinit_after_fork(screen->host.loop) == LULL_BUSY);
    if (failures == 0) execl("/bin/true", "true", (char *)NULL);
    _exit(1);
}

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    struct screen *screen = (struct screen *)context;
    struct picture *picture = (struct picture *)load->value;
    lull_row row;
    CHECK(lull_slot_is_over(slot) >= 0);
    if (screen->child) fork_inside(screen);
    if (screen->holds) event_base_loopbreak(screen->host.base);
    CHECK(load->size == sizeof *load);
    if (screen->list) CHECK(lull_list_get_row(screen->list, 0, &row, sizeof row) == LULL_OK);
    if (!picture) {
        CHECK(load->bytes == 0 && load->share < 0 && load->error == 0);
        picture = (struct picture *)malloc(sizeof *picture);
        picture->key = load->key;
        screen->live++;
        load->value = picture;
        load->bytes = 100;
        load->share = 0.5;
        called(screen, LOAD);
        return screen->refines ? LULL_REFINED : LULL_AGAIN;
    }
    CHECK(picture->key == load->key && load->bytes == 100);
    if (screen->holds) return LULL_AGAIN;
    if (screen->waits) {
        screen->waits++;
        return LULL_WAITING;
    }
    if (screen->fails) {
        screen->fails--;
        load->error = 5;
        load->retry_after = screen->retry_after;
        return LULL_FAILED;
    }
    if (load->key < ROWS) screen->loads[load->key]++;
    return LULL_DONE;
}

static void show(const lull_row *row, void *context) {
    struct screen *screen = (struct screen *)context;
    int has_value = row->state == LULL_ROW_REFINED || row->state == LULL_ROW_LOADED;
    CHECK(row->size == sizeof *row);
    CHECK((row->value != NULL) == has_value);
    CHECK(row->error == (row->state == LULL_ROW_FAILED ? 5 : 0));
    screen->shows++;
    if (row->state == LULL_ROW_REFINED) screen->refined++;
    if (row->row < ROWS) screen->states[row->row] = row->state;
    called(screen, SHOW);
}

static void drop(uint64_t key, void *value, void *context) {
    struct screen *screen = (struct screen *)context;
    CHECK(((struct picture *)value)->key == key);
    free(value);
    screen->live--;
    screen->drops++;
    called(screen, DROP);
}

static uint64_t key_of(int64_t row, void *context) {
    struct screen *screen = (struct screen *)context;
    CHECK(row >= 0 && row < 16);
    called(screen, KEY);
    return screen->ids[row];
}

static int64_t cost_of(uint64_t key, void *context) {
    (void)key;
    called((struct screen *)context, COST);
    return MS;
}

static int64_t kind_of(uint64_t key, int64_t *size, void *context) {
    CHECK(*size == LULL_NONE);
    *size = (int64_t)key;
    called((struct screen *)context, KIND);
    return 1;
}

static double height_of(int64_t row, void *context) {
    (void)row;
    called((struct screen *)context, HEIGHT);
    return 100;
}

/* A window of 400 px on rows of 100 px, not made yet. */
static void open_screen(struct screen *screen, int64_t rows) {
    memset(screen, 0, sizeof *screen);
    open_host(&screen->host);
    screen->retry_after = LULL_NONE;
    lull_list_options_init(&screen->options, sizeof screen->options);
    screen->options.rows = rows;
    screen->options.row_height = 100;
    screen->options.height = 400;
    screen->options.load = load;
    screen->options.show = show;
    screen->options.drop = drop;
    screen->options.context = screen;
}

static void make(struct screen *screen) {
    lull_list *list;
    CHECK(lull_list_new(screen->host.loop, &screen->options, &list) == LULL_OK);
    screen->list = list;
}

/* All values are dropped, whatever was closed. */
static void close_screen(struct screen *screen) {
    screen->closing = screen->updating = NONE;
    close_host(&screen->host);
    CHECK(screen->live == 0);
}

static lull_row row_of(struct screen *screen, int64_t row) {
    lull_row shown;
    CHECK(lull_list_get_row(screen->list, row, &shown, sizeof shown) == LULL_OK);
    return shown;
}

static lull_list_statistics statistics_of(struct screen *screen) {
    lull_list_statistics counts;
    CHECK(lull_list_get_statistics(screen->list, &counts, sizeof counts) == LULL_OK);
    return counts;
}

static int is_settled(struct screen *screen) {
    int64_t first = 0, count = lull_list_visible(screen->list, &first);
    for (int64_t row = first; row < first + count; row++) {
        lull_row_state state = row_of(screen, row).state;
        if (state != LULL_ROW_LOADED && state != LULL_ROW_FAILED) return 0;
    }
    return 1;
}

/* Dispatches until the rows in view have come to an end. */
static void settle(struct screen *screen) {
    while (!is_settled(screen)) event_base_loop(screen->host.base, EVLOOP_ONCE);
}

/* Dispatches what there is to do now. */
static void dispatch(struct screen *screen) {
    for (int i = 0; i < 20; i++) event_base_loop(screen->host.base, EVLOOP_NONBLOCK);
}

/* A fling, in times that lie ahead, so that the machine's speed doesn't matter. */
static void test_fling(void) {
    struct screen screen;
    int64_t time, first;
    double offset, y = 350;
    char text[80];
    open_screen(&screen, ROWS);
    screen.options.rule = LULL_RULE_WITHIN;
    screen.options.margin = 2;
    make(&screen);
    CHECK(screen.shows == 4 && screen.states[3] == LULL_ROW_QUEUED);
    CHECK(lull_list_count(screen.list) == ROWS);
    CHECK(lull_list_visible(screen.list, &first) == 4 && first == 0);
    CHECK(row_of(&screen, 0).state == LULL_ROW_QUEUED);
    settle(&screen);
    CHECK(screen.states[0] == LULL_ROW_LOADED && screen.live == 4);

    CHECK(lull_list_landing(screen.list, &offset) == LULL_ABSENT);
    time = now() + 8000 * MS;
    CHECK(lull_list_input(screen.list, LULL_INPUT_DOWN, y, time) == LULL_OK);
    for (int i = 0; i < 8; i++) {
        time += 8 * MS;
        y -= 30;
        CHECK(lull_list_input(screen.list, LULL_INPUT_MOVED, y, time) == LULL_OK);
        CHECK(lull_list_scroll(screen.list, 350 - y, time) == LULL_OK);
    }
    CHECK(lull_list_fling(screen.list, y, 30000, time) == LULL_OK);
    CHECK(lull_list_landing(screen.list, &offset) == LULL_OK && offset == 30000);
    CHECK(lull_list_explain(screen.list, 100, text, sizeof text) > 0);
    CHECK(strcmp(text, "the list will rest more than 2 rows from it") == 0);
    CHECK(row_of(&screen, 298).state == LULL_ROW_QUEUED);
    CHECK(row_of(&screen, 297).state == LULL_ROW_PLACEHOLDER);
    for (int i = 1; i <= 60; i++) {
        double left = 1 - i / 60.0;
        time += 16 * MS;
        CHECK(lull_list_scroll(screen.list, 30000 - 29760 * left * left * left, time) == LULL_OK);
        if (i == 30) dispatch(&screen);
    }
    for (int i = 0; i < 3; i++) {
        time += 100 * MS;
        CHECK(lull_list_scroll(screen.list, 30000, time) == LULL_OK);
    }
    settle(&screen);
    CHECK(lull_list_offset(screen.list) == 30000);
    for (int row = 0; row < ROWS; row++) {
        /* Rows that the finger passed slowly may have begun. */
        int is_wanted = row < 8 || (row >= 298 && row < 306);
        CHECK(screen.loads[row] <= is_wanted);
    }
    CHECK(statistics_of(&screen).ready >= 4); /* which were there when they came into view */
    CHECK(lull_list_close(screen.list) == LULL_OK);
    CHECK(screen.live == 0);
    close_screen(&screen);
}

/* What is kept is bounded, and each value is dropped once. */
static void test_room(void) {
    struct screen screen;
    lull_list_statistics counts;
    lull_queue_options queue;
    open_screen(&screen, ROWS);
    lull_queue_options_init(&queue, sizeof queue);
    queue.limit = 2; /* of four rows in view, the others are offered again */
    screen.options.queue = &queue;
    screen.options.rule = LULL_RULE_VISIBLE;
    screen.options.limit = 8;
    screen.options.byte_limit = 600;
    screen.options.least_price = screen.options.greatest_price = 2.5;
    make(&screen);
    CHECK(lull_list_price(screen.list) == 2.5);
    for (int page = 0; page < 20; page++) {
        CHECK(lull_list_scroll(screen.list, page * 400, LULL_NONE) == LULL_OK);
        settle(&screen);
        counts = statistics_of(&screen);
        CHECK(counts.kept <= 8 && counts.bytes <= 600);
    }
    CHECK(screen.drops >= 72 && screen.live >= 4 && screen.live <= 8);
    CHECK(counts.entered == 80 && counts.loaded == 80);
    CHECK(lull_list_resize(screen.list, 100) == LULL_OK);
    CHECK(lull_list_visible(screen.list, NULL) == 1);
    close_screen(&screen); /* the list is closed with its loop */
    CHECK(screen.drops == 80);
}

static void test_states(void) {
    struct screen screen;
    lull_row row;
    lull_list_statistics counts;
    double top, height;
    char text[4] = "abc";
    open_screen(&screen, 2);
    screen.options.rule = LULL_RULE_VISIBLE;
    screen.refines = 1;
    screen.fails = 1;
    make(&screen);
    settle(&screen);
    CHECK(screen.refined == 2);
    row = row_of(&screen, 0);
    CHECK(row.state == LULL_ROW_FAILED && row.error == 5 && !row.value && row.row == 0);
    row = row_of(&screen, 1);
    CHECK(row.state == LULL_ROW_LOADED && ((struct picture *)row.value)->key == 1);
    CHECK(screen.live == 1); /* what had failed is dropped */
    counts = statistics_of(&screen);
    CHECK(counts.loaded == 1 && counts.failed == 1);

    CHECK(lull_list_retry(screen.list, 0) == LULL_OK);
    CHECK(lull_list_retry(screen.list, 1) == LULL_OK); /* has not failed */
    settle(&screen);
    CHECK(screen.states[0] == LULL_ROW_LOADED && screen.loads[1] == 1);
    CHECK(lull_list_invalidate(screen.list, 1) == LULL_OK);
    CHECK(screen.states[1] == LULL_ROW_QUEUED && screen.drops == 2);
    settle(&screen);
    CHECK(screen.loads[1] == 2 && screen.states[1] == LULL_ROW_LOADED);

    /* One that says when is tried again by itself. */
    screen.fails = 1;
    screen.retry_after = 1;
    CHECK(lull_list_invalidate(screen.list, 0) == LULL_OK);
    while (screen.loads[0] < 2) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(screen.states[0] == LULL_ROW_LOADED && screen.fails == 0);

    CHECK(lull_list_extent(screen.list, 1, &top, &height) == LULL_OK);
    CHECK(top == 100 && height == 100);
    CHECK(lull_list_extent(screen.list, 1, NULL, NULL) == LULL_OK);
    CHECK(lull_list_explain(screen.list, 1, NULL, 0) == 9);
    CHECK(lull_list_explain(screen.list, 1, text, 0) == 9 && strcmp(text, "abc") == 0);
    CHECK(lull_list_explain(screen.list, 1, text, sizeof text) == 9);
    CHECK(strcmp(text, "on ") == 0);
    close_screen(&screen);
}

static lull_update update_of(lull_update_kind kind, int64_t row, int64_t to) {
    lull_update update;
    memset(&update, 0, sizeof update);
    update.kind = kind;
    update.row = row;
    update.to = to;
    return update;
}

/* A fling without a finger, as of a remote control, with an edit on its way. */
static void test_edited_fling(void) {
    struct screen screen;
    lull_update update = update_of(LULL_UPDATE_INSERT, 0, 0);
    double before, target = 0;
    open_screen(&screen, 15);
    for (uint64_t id = 0; id < 16; id++) screen.ids[id] = 10 + id;
    screen.options.rule = LULL_RULE_WITHIN;
    screen.options.key = key_of;
    make(&screen);
    CHECK(lull_list_fling(screen.list, 0, 1000, LULL_NONE) == LULL_OK);
    for (int frame = 1; frame < 4; frame++) {
        CHECK(lull_list_landing(screen.list, &target) == LULL_OK && target == 1000);
        CHECK(lull_list_scroll(screen.list, 150 * frame, LULL_NONE) == LULL_OK);
    }
    before = lull_list_offset(screen.list);
    for (uint64_t id = 0; id < 16; id++) screen.ids[id] = 9 + id;
    CHECK(lull_list_update(screen.list, &update, 1, 16) == LULL_OK);
    CHECK(lull_list_offset(screen.list) == before + 100);
    CHECK(lull_list_landing(screen.list, &target) == LULL_OK && target == 1100);
    CHECK(lull_list_scroll(screen.list, before + 100 + 150, LULL_NONE) == LULL_OK);
    CHECK(lull_list_landing(screen.list, &target) == LULL_OK && target == 1100);
    close_screen(&screen);
}

static void test_updates(void) {
    struct screen screen;
    lull_update updates[4];
    open_screen(&screen, 4);
    for (uint64_t id = 0; id < 16; id++) screen.ids[id] = 10 + id;
    screen.options.rule = LULL_RULE_VISIBLE;
    screen.options.key = key_of;
    screen.options.row_height_of = height_of;
    make(&screen);
    settle(&screen);
    CHECK(screen.loads[10] == 1 && screen.loads[13] == 1);

    /* One comes before all, the last goes, 0 and 2 change places. */
    updates[0] = update_of(LULL_UPDATE_INSERT, 0, 0);
    updates[1] = update_of(LULL_UPDATE_REMOVE, 3, 0);
    updates[2] = update_of(LULL_UPDATE_MOVE, 2, 1);
    updates[3] = update_of(LULL_UPDATE_MOVE, 0, 3);
    CHECK(lull_list_update(screen.list, updates, 4, 5) == LULL_INVALID);
    screen.ids[0] = 20;
    screen.ids[1] = 12;
    screen.ids[2] = 11;
    screen.ids[3] = 10;
    CHECK(lull_list_update(screen.list, updates, 4, 4) == LULL_OK);
    CHECK(lull_list_scroll(screen.list, 0, LULL_NONE) == LULL_OK);
    updates[0] = update_of(LULL_UPDATE_RELOAD, 2, 0);
    CHECK(lull_list_update(screen.list, updates, 1, 4) == LULL_OK);
    CHECK(screen.drops == 1); /* of the reloaded row; that of the one that went is kept */
    settle(&screen);
    CHECK(screen.loads[20] == 1 && screen.loads[11] == 2);
    CHECK(screen.loads[10] == 1 && screen.loads[12] == 1);
    CHECK(((struct picture *)row_of(&screen, 1).value)->key == 12);

    /* What can't be is refused as a whole. */
#define BAD_UPDATE(kind, row, to, rows)                                                \
    updates[0] = update_of(kind, row, to);                                             \
    updates[1] = update_of(LULL_UPDATE_RELOAD, 0, 0);                                  \
    CHECK(lull_list_update(screen.list, updates, 2, rows) == LULL_INVALID)
    BAD_UPDATE(LULL_UPDATE_REMOVE, 4, 0, 3);
    BAD_UPDATE(LULL_UPDATE_REMOVE, -1, 0, 3);
    BAD_UPDATE(LULL_UPDATE_REMOVE, INT64_MAX, 0, 3);
    BAD_UPDATE(LULL_UPDATE_REMOVE, 1, 0, 4);
    BAD_UPDATE(LULL_UPDATE_REMOVE, 1, 0, INT64_MIN);
    BAD_UPDATE(LULL_UPDATE_INSERT, 6, 0, 5);
    BAD_UPDATE(LULL_UPDATE_INSERT, INT64_MIN, 0, 5);
    BAD_UPDATE(LULL_UPDATE_MOVE, 0, 4, 4);
    BAD_UPDATE(LULL_UPDATE_MOVE, 0, INT64_MAX, 4);
    BAD_UPDATE(LULL_UPDATE_RELOAD, 0, 0, 4);
    BAD_UPDATE((lull_update_kind)4, 0, 0, 4);
    CHECK(lull_list_update(screen.list, NULL, 1, 4) == LULL_INVALID);
    CHECK(screen.drops == 1 && lull_list_count(screen.list) == 4);
    close_screen(&screen);

    /* Without keys rows come and go at the end. */
    open_screen(&screen, 4);
    screen.options.rule = LULL_RULE_VISIBLE;
    make(&screen);
    settle(&screen);
    BAD_UPDATE(LULL_UPDATE_INSERT, 0, 0, 5);
    BAD_UPDATE(LULL_UPDATE_REMOVE, 2, 0, 3);
    BAD_UPDATE(LULL_UPDATE_MOVE, 1, 2, 4);
    updates[0] = update_of(LULL_UPDATE_REMOVE, 3, 0);
    updates[1] = update_of(LULL_UPDATE_INSERT, 3, 0);
    updates[2] = update_of(LULL_UPDATE_INSERT, 4, 0);
    CHECK(lull_list_update(screen.list, updates, 3, 5) == LULL_OK);
    CHECK(lull_list_count(screen.list) == 5);
    settle(&screen);
    CHECK(screen.loads[2] == 1 && screen.loads[3] == 2);
    close_screen(&screen);
}

/* A list that is closed in each of its callbacks, and is refused updates in most. */
static void test_inside(void) {
    struct screen screen;
    lull_update update = update_of(LULL_UPDATE_RELOAD, 1, 0);
    for (int callback = LOAD; callback <= HEIGHT; callback++) {
        for (int closes = 0; closes < 2; closes++) {
            int shows;
            open_screen(&screen, 16);
            for (uint64_t id = 0; id < 16; id++) screen.ids[id] = id;
            screen.options.key = key_of;
            screen.options.cost = cost_of;
            screen.options.kind = kind_of;
            screen.options.row_height_of = height_of;
            make(&screen);
            if (callback != LOAD) settle(&screen);
            screen.closing = closes ? (enum callback)callback : NONE;
            screen.updating = closes ? NONE : (enum callback)callback;
            lull_list_scroll(screen.list, 600, LULL_NONE);
            lull_list_update(screen.list, &update, 1, 16);
            lull_list_invalidate(screen.list, 6);
            dispatch(&screen);
            CHECK((screen.list == NULL) == closes);
            if (closes) {
                CHECK(screen.live == 0);
                shows = screen.shows;
                dispatch(&screen);
                CHECK(screen.shows == shows);
            }
            close_screen(&screen);
        }
    }
}

/* What a list does after its host has forked, in both processes. */
static void load_after_fork(struct screen *screen) {
    screen->holds = 0;
    while (screen->loads[0] < 2 || screen->loads[1] < 2) {
        event_base_loop(screen->host.base, EVLOOP_ONCE);
    }
    CHECK(lull_list_scroll(screen->list, 400, LULL_NONE) == LULL_OK);
    settle(screen);
    for (int row = 0; row < 8; row++) {
        CHECK(screen->loads[row] == (row < 2 ? 2 : 1));
        CHECK(screen->states[row] == LULL_ROW_LOADED);
    }
    CHECK(lull_list_close(screen->list) == LULL_OK);
    CHECK(lull_list_close(screen->list) == LULL_STALE);
    CHECK(screen->drops == 11 && screen->live == 0);
    close_screen(screen);
}

/* A list that is there twice after a fork: a row's load has begun, another waits for its next try. */
static void test_forks(void) {
    struct screen screen;
    pid_t child = 0, inside = 0;
    int status = 0;
    open_screen(&screen, ROWS);
    screen.options.rule = LULL_RULE_VISIBLE;
    make(&screen);
    settle(&screen);
    screen.fails = 1;
    screen.retry_after = 200 * MS;
    CHECK(lull_list_invalidate(screen.list, 1) == LULL_OK);
    settle(&screen);
    CHECK(row_of(&screen, 1).state == LULL_ROW_FAILED);
    screen.holds = 1;
    screen.child = &inside;
    CHECK(lull_list_invalidate(screen.list, 0) == LULL_OK);
    while (inside == 0) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(waitpid(inside, &status, 0) == inside && status == 0);
    CHECK(screen.live > 2 && screen.drops == 3 && !is_settled(&screen));
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(event_reinit(screen.host.base) == 0);
        CHECK(lull_reinit_after_fork(screen.host.loop) == LULL_OK);
        load_after_fork(&screen);
        _exit(failures ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(screen.drops == 3);
    load_after_fork(&screen);
}

static lull_flow flow_of(lull_flow_rule rule, int32_t columns, double measure, double width) {
    lull_flow flow;
    memset(&flow, 0, sizeof flow);
    flow.rule = rule;
    flow.columns = columns;
    flow.measure = measure;
    flow.width = width;
    return flow;
}

/* Rows in lines of several: what is in view is loaded, and stays in view in other lines. */
static void test_lines(void) {
    struct screen screen;
    lull_flow flow = flow_of(LULL_FLOW_COLUMNS, 3, 0, 320);
    lull_frame frame;
    int64_t first;
    flow.spacing = 10;
    open_screen(&screen, ROWS);
    make(&screen);
    CHECK(lull_list_get_frame(screen.list, 0, &frame) == LULL_ABSENT);
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_OK);
    CHECK(lull_list_close(screen.list) == LULL_OK);
    screen.options.flow = &flow;
    screen.options.rule = LULL_RULE_VISIBLE;
    make(&screen);
    memset(&flow, 0, sizeof flow); /* it was copied */
    settle(&screen);
    CHECK(lull_list_visible(screen.list, &first) == 12 && first == 0);
    for (int64_t row = 0; row < 12; row++) CHECK(row_of(&screen, row).state == LULL_ROW_LOADED);
    CHECK(row_of(&screen, 12).state == LULL_ROW_PLACEHOLDER);
    CHECK(lull_list_get_frame(screen.list, 4, &frame) == LULL_OK);
    CHECK(frame.x == 110 && frame.y == 110 && frame.width == 100 && frame.height == 100);
    CHECK(lull_list_get_frame(screen.list, ROWS, &frame) == LULL_INVALID);
    CHECK(lull_list_get_frame(screen.list, 0, NULL) == LULL_INVALID);

    CHECK(lull_list_scroll(screen.list, 330, LULL_NONE) == LULL_OK);
    CHECK(lull_list_visible(screen.list, &first) == 12 && first == 9);
    flow = flow_of(LULL_FLOW_FIXED, 5, 50, 320);
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_OK);
    CHECK(lull_list_visible(screen.list, &first) == 40 && first == 5);
    settle(&screen);
    CHECK(row_of(&screen, 44).state == LULL_ROW_LOADED);
    flow = flow_of(LULL_FLOW_ADAPTIVE, 0, 90, 400);
    flow.spacing = 10;
    flow.is_horizontal = 1;
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_OK);
    CHECK(lull_list_get_frame(screen.list, 5, &frame) == LULL_OK); /* the second of a column */
    CHECK(frame.x == 110 && frame.y == 102.5 && frame.width == 100 && frame.height == 92.5);

#define BAD_FLOW(member, value)                                                        \
    flow = flow_of(LULL_FLOW_FIXED, 5, 50, 320);                                       \
    flow.member = value;                                                               \
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_INVALID)
    BAD_FLOW(rule, (lull_flow_rule)4);
    BAD_FLOW(rule, LULL_FLOW_JUSTIFIED); /* its rows would have other measures */
    BAD_FLOW(columns, 0);
    BAD_FLOW(columns, 1025);
    BAD_FLOW(measure, 0.5);
    BAD_FLOW(measure, NAN);
    BAD_FLOW(width, 0);
    BAD_FLOW(width, INFINITY);
    BAD_FLOW(spacing, -1);
    BAD_FLOW(spacing, NAN);
    BAD_FLOW(is_horizontal, 2);
    BAD_FLOW(reserved, 1);
    CHECK(lull_list_arrange(screen.list, NULL) == LULL_INVALID);
    CHECK(lull_list_get_frame(screen.list, 5, &frame) == LULL_OK && frame.y == 102.5);
    close_screen(&screen);
}

/* Pictures in shapes of their own, in lines from edge to edge. */
static void test_justified(void) {
    struct screen screen;
    lull_flow flow = flow_of(LULL_FLOW_JUSTIFIED, 0, 100, 460);
    lull_list *list;
    lull_frame frame;
    flow.spacing = 5;
    open_screen(&screen, ROWS);
    screen.options.flow = &flow;
    screen.options.row_height = 0; /* no aspect ratio */
    CHECK(lull_list_new(screen.host.loop, &screen.options, &list) == LULL_INVALID && !list);
    screen.options.row_height = 0.75;
    make(&screen);
    CHECK(lull_list_get_frame(screen.list, 5, &frame) == LULL_OK);
    CHECK(frame.y == 0 && fabs(frame.x + frame.width - 460) < 0.01);
    CHECK(fabs(frame.width / frame.height - 0.75) < 0.01);
    flow.width = 160;
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_OK);
    CHECK(lull_list_get_frame(screen.list, 5, &frame) == LULL_OK);
    CHECK(frame.y > 100 && fabs(frame.x + frame.width - 160) < 0.01);
    flow.rule = LULL_FLOW_ADAPTIVE;
    CHECK(lull_list_arrange(screen.list, &flow) == LULL_INVALID);
    close_screen(&screen);
}

static void test_bad_options(void) {
    struct screen screen;
    lull_list_options options;
    lull_queue_options queue;
    lull_flow flow = flow_of(LULL_FLOW_COLUMNS, 0, 0, 320);
    lull_list *list;
    open_screen(&screen, ROWS);
    REFUSED(lull_list_new(screen.host.loop, NULL, &list), "options");
    REFUSED(lull_list_new(screen.host.loop, &screen.options, NULL), "list");
    lull_list_options_init(NULL, 8);
#define BAD_LIST(member, value)                                                        \
    options = screen.options;                                                          \
    options.member = value;                                                            \
    REFUSED(lull_list_new(screen.host.loop, &options, &list), "options->" #member OF);   \
    CHECK(!list)
#define OF
    BAD_LIST(size, sizeof options - 1);
    BAD_LIST(rows, -1);
    BAD_LIST(rows, INT64_MAX);
    BAD_LIST(rows, (int64_t)1 << 40);
    BAD_LIST(rows, ((int64_t)1 << 40) - 1); /* of 100 px, too high */
    BAD_LIST(row_height, 0.5);
    BAD_LIST(row_height, -1);
    BAD_LIST(row_height, NAN);
    BAD_LIST(row_height, INFINITY);
    BAD_LIST(height, -1);
    BAD_LIST(height, NAN);
    BAD_LIST(height, 1e6);
    BAD_LIST(rule, (lull_rule)5);
    BAD_LIST(margin, -1);
    BAD_LIST(margin, INT32_MAX);
    BAD_LIST(limit, 0);
    BAD_LIST(limit, INT64_MAX);
    BAD_LIST(byte_limit, 0);
    BAD_LIST(byte_limit, INT64_MIN);
    BAD_LIST(least_price, -1);
    BAD_LIST(least_price, NAN);
    BAD_LIST(least_price, 200); /* above the greatest */
    BAD_LIST(greatest_price, INFINITY);
    BAD_LIST(greatest_price, NAN);
    BAD_LIST(load, NULL);
    lull_queue_options_init(&queue, sizeof queue);
    queue.weight = 0;
#undef OF
#define OF "->weight"
    BAD_LIST(queue, &queue);
#undef OF
#define OF "->columns"
    BAD_LIST(flow, &flow);
    CHECK(screen.shows == 0);
    CHECK(event_base_get_num_events(screen.host.base, EVENT_BASE_COUNT_ADDED) == 0);
    close_screen(&screen);
}

static void test_hostile_numbers(void) {
    struct screen screen;
    lull_row row;
    const double numbers[] = {NAN,  INFINITY, -INFINITY, -1,  0,   1e300, -1e300,
                              1e10, 4e12,     1e-300,    1e9, -1e9};
    const int64_t times[] = {LULL_NONE, 0, 1, -2, INT64_MIN, INT64_MAX};
    for (int rule = LULL_RULE_VALUE; rule <= LULL_RULE_EVERYTHING; rule++) {
        open_screen(&screen, (int64_t)1 << 36);
        screen.options.rule = (lull_rule)rule;
        screen.options.height = 5000;
        make(&screen);
        for (size_t i = 0; i < 12 * 6 * 9; i++) {
            double number = numbers[i % 12];
            int64_t time = times[i / 12 % 6];
            int input = (int)(i / 72) - 1;
            lull_list_input(screen.list, (lull_input)input, number, time);
            lull_list_scroll(screen.list, number, time);
            lull_list_fling(screen.list, number, numbers[i % 11], time);
            lull_list_jump(screen.list, numbers[i % 7], time);
            lull_list_resize(screen.list, number);
        }
        CHECK(lull_list_resize(screen.list, 400) == LULL_OK);
        dispatch(&screen);
        CHECK(lull_list_offset(screen.list) >= 0);
        CHECK(lull_list_visible(screen.list, NULL) > 0);
        REFUSED(lull_list_scroll(screen.list, NAN, LULL_NONE), "offset");
        REFUSED(lull_list_scroll(screen.list, 0, now() + 20000 * MS), "time");
        REFUSED(lull_list_input(screen.list, LULL_INPUT_DOWN, 2e9, LULL_NONE), "y");
        REFUSED(lull_list_jump(screen.list, NAN, LULL_NONE), "target");
        REFUSED(lull_list_resize(screen.list, NAN), "height");
        REFUSED(lull_list_get_row(screen.list, -1, &row, sizeof row), "row");
        REFUSED(lull_list_get_row(screen.list, INT64_MAX, &row, sizeof row), "row");
        REFUSED(lull_list_get_row(screen.list, 0, NULL, sizeof row), "shown");
        REFUSED(lull_list_retry(screen.list, (int64_t)1 << 36), "row");
        REFUSED(lull_list_invalidate(screen.list, -1), "row");
        REFUSED(lull_list_extent(screen.list, -1, NULL, NULL), "row");
        REFUSED(lull_list_explain(screen.list, -1, NULL, 0), "row");
        REFUSED(lull_list_landing(screen.list, NULL), "offset");
        REFUSED(lull_list_get_statistics(screen.list, NULL, 8), "statistics");
        close_screen(&screen);
    }
}

static lull_progress wait_once(const lull_slot *slot, uint64_t key, void *context) {
    int *runs = (int *)context;
    CHECK(lull_slot_is_over(slot) >= 0 && key == 3);
    return ++*runs < 3 ? LULL_WAITING : LULL_DONE;
}

static void test_waiting(void) {
    struct screen screen;
    lull_job job;
    int i, runs = 0;
    open_screen(&screen, 2);
    screen.options.rule = LULL_RULE_VISIBLE;
    screen.waits = 1;
    make(&screen);
    /* Each is asked once; then the base has nothing to do. */
    while (screen.waits < 3) event_base_loop(screen.host.base, EVLOOP_ONCE);
    for (i = 0; i < 100; i++) event_base_loop(screen.host.base, EVLOOP_NONBLOCK);
    CHECK(screen.waits == 3 && row_of(&screen, 0).state == LULL_ROW_LOADING);
    for (i = 0; i < 3; i++) CHECK(lull_list_resume(screen.list, 0) == LULL_OK);
    for (i = 0; i < 100; i++) event_base_loop(screen.host.base, EVLOOP_NONBLOCK);
    CHECK(screen.waits == 4);
    screen.waits = 0;
    CHECK(lull_list_resume(screen.list, 0) == LULL_OK);
    while (screen.loads[0] < 1) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(screen.states[0] == LULL_ROW_LOADED && screen.loads[1] == 0);
    CHECK(lull_list_resume(screen.list, 0) == LULL_ABSENT);
    CHECK(lull_list_resume(screen.list, 7) == LULL_ABSENT);

    job = job_of(&screen.host, 3);
    job.run = wait_once;
    job.context = &runs;
    job.end = NULL;
    CHECK(lull_submit(screen.host.queue, &job) == LULL_OK);
    while (runs < 1) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(lull_count(screen.host.queue) == 1);
    CHECK(lull_resume(screen.host.queue, 3) == LULL_OK);
    while (runs < 2) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(lull_resume(screen.host.queue, 3) == LULL_OK);
    while (runs < 3) event_base_loop(screen.host.base, EVLOOP_ONCE);
    CHECK(lull_resume(screen.host.queue, 3) == LULL_ABSENT);
    close_screen(&screen); /* with a load that waits, which is dropped */
    CHECK(screen.live == 0);
}

/* A price stays within its limits, whether the list is loading or at rest. */
static void test_price(void) {
    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        double price = is_fixed ? 2.5 : 0;
        struct screen screen;
        open_screen(&screen, 16);
        if (is_fixed) screen.options.least_price = screen.options.greatest_price = price;
        make(&screen);
        CHECK(!(lull_list_price(screen.list) < price || lull_list_price(screen.list) > price));
        settle(&screen);
        CHECK(!(lull_list_price(screen.list) < price || lull_list_price(screen.list) > price));
        close_screen(&screen);
    }
}

void test_lists(void) {
    test_waiting();
    test_fling();
    test_room();
    test_states();
    test_updates();
    test_edited_fling();
    test_inside();
    test_forks();
    test_lines();
    test_justified();
    test_bad_options();
    test_hostile_numbers();
    test_price();
}
