/* Lists whose loads may run anywhere: on lanes where there are processors for them, or on the loop. */

#include <sched.h>
#include <sys/wait.h>

#include "host.h"

#define ROWS 1000

struct value {
    uint64_t key;
};

struct table {
    struct host host;
    lull_list *list;
    lull_row_state states[ROWS];
    int live, drops, elsewhere, is_inside, waits; /* also of lanes */
    int stays; /* whether loads stay inside until their list is closed */
    int closes; /* whether the list is closed by what it shows */
    int has_lost; /* whether loads were lost in a fork */
};

static int is(const int *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void add(int *count, int value) {
    __atomic_add_fetch(count, value, __ATOMIC_ACQ_REL);
}

static void put_value(struct table *table, lull_load *load) {
    struct value *value = (struct value *)malloc(sizeof *value);
    value->key = load->key;
    load->value = value;
    load->bytes = 100;
    add(&table->live, 1);
}

struct resumption {
    lull_list *list;
    uint64_t key;
};

static void resume(lull_loop *loop, void *context) {
    struct resumption *resumption = (struct resumption *)context;
    (void)loop;
    lull_list_resume(resumption->list, resumption->key);
    free(resumption);
}

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    struct table *table = (struct table *)context;
    struct resumption *resumption;
    lull_status status = lull_list_close(load->list);
    CHECK(status == LULL_WRONG_THREAD || status == LULL_STALE);
    CHECK(lull_slot_is_over(slot) >= 0);
    if (!pthread_equal(pthread_self(), the_thread)) add(&table->elsewhere, 1);
    if (!load->value) {
        put_value(table, load);
        load->share = 0.3;
        if (load->key % 5 == 4) {
            add(&table->waits, 1);
            resumption = (struct resumption *)malloc(sizeof *resumption);
            resumption->list = load->list;
            resumption->key = load->key;
            status = lull_post(table->host.loop, resume, resumption);
            CHECK(status == LULL_OK || status == LULL_STALE); /* while it's being closed */
            if (status != LULL_OK) free(resumption);
            return LULL_WAITING;
        }
        return load->key % 3 == 1 ? LULL_REFINED : LULL_AGAIN;
    }
    CHECK(((struct value *)load->value)->key == load->key && load->bytes == 100);
    if (table->stays && !pthread_equal(pthread_self(), the_thread)) {
        add(&table->is_inside, 1);
        while (lull_slot_is_over(slot) == 0) sched_yield();
        add(&table->is_inside, -1);
    }
    if (load->share == 0.3) {
        if (load->key % 2) put_value(table, load); /* in place of the first */
        load->share = 0.6;
        return load->key % 3 == 1 ? LULL_REFINED : LULL_AGAIN;
    }
    load->error = 5;
    return load->key % 7 == 6 ? LULL_FAILED : LULL_DONE;
}

static void show(const lull_row *row, void *context) {
    struct table *table = (struct table *)context;
    int has_value = row->state == LULL_ROW_REFINED || row->state == LULL_ROW_LOADED;
    CHECK_THREAD();
    CHECK((row->value != NULL) == has_value);
    if (row->value) CHECK(((struct value *)row->value)->key == (uint64_t)row->row);
    if (!table->has_lost) CHECK(row->error == (row->state == LULL_ROW_FAILED ? 5 : 0));
    table->states[row->row] = row->state;
    if (!table->closes || row->state < LULL_ROW_REFINED) return;
    table->closes = 0;
    CHECK(lull_list_close(table->list) == LULL_OK);
    table->list = NULL;
}

static void drop(uint64_t key, void *value, void *context) {
    struct table *table = (struct table *)context;
    CHECK_THREAD();
    CHECK(((struct value *)value)->key == key);
    memset(value, 0xFF, sizeof(struct value));
    free(value);
    table->drops++;
    add(&table->live, -1);
}

static void open_table(struct table *table, int64_t slice) {
    lull_list_options options;
    lull_queue_options queue;
    memset(table, 0, sizeof *table);
    open_host(&table->host);
    lull_queue_options_init(&queue, sizeof queue);
    queue.slice = slice;
    lull_list_options_init(&options, sizeof options);
    CHECK(options.load_anywhere == 0 && options.reserved == 0);
    options.rows = ROWS;
    options.row_height = 10;
    options.height = 200;
    options.limit = 50;
    options.byte_limit = 10000;
    options.queue = &queue;
    options.load = load;
    options.show = show;
    options.drop = drop;
    options.context = table;
    options.load_anywhere = 2;
    REFUSED(lull_list_new(table->host.loop, &options, &table->list), "options->load_anywhere");
    options.load_anywhere = 1;
    options.reserved = 1;
    REFUSED(lull_list_new(table->host.loop, &options, &table->list), "options->reserved");
    options.reserved = 0;
    CHECK(lull_list_new(table->host.loop, &options, &table->list) == LULL_OK);
}

static void close_table(struct table *table) {
    close_host(&table->host);
    CHECK(table->live == 0 && table->is_inside == 0);
}

static void settle(struct table *table) {
    int64_t first, count = lull_list_visible(table->list, &first);
    for (int64_t row = first; row < first + count; row++) {
        while (table->states[row] < LULL_ROW_LOADED) {
            CHECK(event_base_loop(table->host.base, EVLOOP_ONCE) >= 0);
        }
        CHECK(table->states[row] == (row % 7 == 6 ? LULL_ROW_FAILED : LULL_ROW_LOADED));
    }
}

static void test_scrolling(void) {
    struct table table;
    open_table(&table, MS);
    never_end(&table.host);
    settle(&table);
    CHECK(table.waits > 0);
    for (int pass = 1; pass < 40; pass++) {
        CHECK(lull_list_input(table.list, LULL_INPUT_KEY, 0, LULL_NONE) == LULL_OK);
        CHECK(lull_list_scroll(table.list, pass * 230.0, LULL_NONE) == LULL_OK);
        if (pass % 2) event_base_loop(table.host.base, EVLOOP_NONBLOCK);
        if (pass % 5 == 0) CHECK(lull_list_invalidate(table.list, 23 * pass + 1) == LULL_OK);
    }
    settle(&table);
    CHECK(lull_list_close(table.list) == LULL_OK);
    close_table(&table);
    CHECK(table.drops > 40);
}

/* The list, or its loop, is closed while lanes are inside loads. */
static void test_closing(void) {
    struct table table;
    for (int round = 0; round < 60; round++) {
        open_table(&table, round % 3 ? MS : LULL_NONE);
        table.stays = round % 3 == 0;
        table.closes = round % 3 == 1;
        for (int pass = 0; pass < round % 7; pass++) {
            event_base_loop(table.host.base, EVLOOP_NONBLOCK);
        }
        for (int i = 0; table.stays && i < 1000 && !is(&table.is_inside); i++) sched_yield();
        if (round % 2 && table.list) CHECK(lull_list_close(table.list) == LULL_OK);
        if (round % 4 == 1) event_base_loop(table.host.base, EVLOOP_NONBLOCK);
        close_table(&table);
    }
}

static void test_fork(void) {
    struct table table;
    int status = 0;
    pid_t child;
    open_table(&table, LULL_NONE);
    table.stays = 1;
    never_end(&table.host);
    for (int pass = 0; pass < 3; pass++) event_base_loop(table.host.base, EVLOOP_NONBLOCK);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        table.is_inside = 0;
        table.has_lost = 1;
        CHECK(event_reinit(table.host.base) == 0);
        CHECK(lull_reinit_after_fork(table.host.loop) == LULL_OK);
        table.stays = 0;
        for (int pass = 0; pass < 20; pass++) event_base_loop(table.host.base, EVLOOP_NONBLOCK);
        close_host(&table.host); /* what a lane had is lost */
        if (!failures) execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    close_table(&table);
}

void test_rows_anywhere(void) {
    test_scrolling();
    test_closing();
    wait_for_lanes();
    test_fork();
    wait_for_lanes();
}
