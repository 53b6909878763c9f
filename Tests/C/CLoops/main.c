/* Guests on the loops of GLib, sd-event and libuv: two share a loop, and they are closed from
   inside callbacks of the host, or after it has closed everything. */

#include <glib.h>
#include <lull.h>
#include <systemd/sd-event.h>
#include <uv.h>

#include "../check.h"

#define GUESTS 2
#define JOBS 50

int failures;

static lull_loop *guests[GUESTS];
/* What their jobs did: each runs twice, until it is done. */
static int done, cancelled;

static lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    int *slices = (int *)context + key;
    (void)slot;
    return ++*slices < 2 ? LULL_AGAIN : LULL_DONE;
}

static void ended(uint64_t key, lull_end end, void *context) {
    (void)key;
    (void)context;
    if (end == LULL_END_DONE) done++;
    if (end == LULL_END_CANCELLED) cancelled++;
}

static void fire(lull_loop *loop, void *context) {
    (void)loop;
    (void)context;
}

/* Gives each guest jobs, half of which may run anywhere, a post and a timer. */
static void begin(int has_timers) {
    static int slices[GUESTS][JOBS];
    done = cancelled = 0;
    for (int i = 0; i < GUESTS; i++) {
        lull_queue *queue;
        lull_job job;
        CHECK(lull_queue_new(guests[i], NULL, &queue) == LULL_OK);
        for (int key = 0; key < JOBS; key++) {
            slices[i][key] = 0;
            lull_job_init(&job, sizeof job);
            job.key = (uint64_t)key;
            job.run = run;
            job.end = ended;
            job.context = slices[i];
            CHECK((key % 2 ? lull_submit_anywhere : lull_submit)(queue, &job) == LULL_OK);
        }
        CHECK(lull_post(guests[i], fire, NULL) == LULL_OK);
        if (!has_timers) continue;
        CHECK(
            lull_timer_new(guests[i], 0, 1000000, LULL_NONE, fire, NULL, NULL) == LULL_OK);
    }
}

static void close_all(void) {
    for (int i = 0; i < GUESTS; i++) CHECK(lull_close(guests[i]) == LULL_OK);
    CHECK(done + cancelled == GUESTS * JOBS);
}

static int are_done(void) {
    return done == GUESTS * JOBS;
}

/* MARK: - GLib */

static gboolean close_in_glib(gpointer context) {
    close_all();
    g_main_loop_quit((GMainLoop *)context);
    return G_SOURCE_REMOVE;
}

static void test_glib(int has_timeout) {
    GMainContext *context = g_main_context_new();
    GMainLoop *loop = g_main_loop_new(context, FALSE);
    GSource *source = has_timeout ? g_timeout_source_new(1) : g_idle_source_new();
    for (int i = 0; i < GUESTS; i++) {
        CHECK(lull_adopt_glib(context, G_PRIORITY_LOW, &guests[i]) == LULL_OK);
    }
    begin(0);
    while (!are_done()) g_main_context_iteration(context, TRUE);
    close_all();

    for (int i = 0; i < GUESTS; i++) {
        CHECK(lull_adopt_glib(context, G_PRIORITY_DEFAULT_IDLE, &guests[i]) == LULL_OK);
    }
    begin(1);
    g_source_set_callback(source, close_in_glib, loop, NULL);
    g_source_attach(source, context);
    g_source_unref(source);
    g_main_loop_run(loop);
    g_main_loop_unref(loop);

    /* A guest outlives what else refers to the context. */
    for (int i = 0; i < GUESTS; i++) {
        CHECK(lull_adopt_glib(context, G_PRIORITY_LOW, &guests[i]) == LULL_OK);
    }
    begin(1);
    g_main_context_unref(context);
    close_all();
}

/* MARK: - sd-event */

static int close_in_sd_event(sd_event_source *source, void *context) {
    (void)context;
    close_all();
    return sd_event_exit(sd_event_source_get_event(source), 0);
}

static int close_at_exit(sd_event_source *source, void *context) {
    (void)source;
    (void)context;
    close_all();
    return 0;
}

static int exit_soon(sd_event_source *source, uint64_t time, void *context) {
    (void)time;
    (void)context;
    return sd_event_exit(sd_event_source_get_event(source), 0);
}

static void open_sd_event(sd_event **event, int64_t priority, int has_timers) {
    CHECK(sd_event_new(event) >= 0);
    for (int i = 0; i < GUESTS; i++) {
        CHECK(lull_adopt_sd_event(*event, priority, &guests[i]) == LULL_OK);
    }
    begin(has_timers);
}

static void test_sd_event(void) {
    sd_event *event;
    open_sd_event(&event, SD_EVENT_PRIORITY_IDLE + 1, 0);
    while (!are_done()) sd_event_run(event, UINT64_MAX);
    close_all();
    sd_event_unref(event);

    open_sd_event(&event, SD_EVENT_PRIORITY_NORMAL, 1);
    CHECK(sd_event_add_defer(event, NULL, close_in_sd_event, NULL) >= 0);
    CHECK(sd_event_loop(event) == 0);
    sd_event_unref(event);

    open_sd_event(&event, SD_EVENT_PRIORITY_IDLE + 1, 1);
    CHECK(sd_event_add_exit(event, NULL, close_at_exit, NULL) >= 0);
    CHECK(
        sd_event_add_time_relative(event, NULL, CLOCK_MONOTONIC, 3000, 0, exit_soon, NULL) >= 0);
    CHECK(sd_event_loop(event) == 0);
    sd_event_unref(event);

    open_sd_event(&event, SD_EVENT_PRIORITY_IDLE + 1, 1);
    sd_event_unref(event);
    close_all();
}

/* MARK: - libuv */

static void open_uv(uv_loop_t *loop, int has_timers) {
    CHECK(uv_loop_init(loop) == 0);
    for (int i = 0; i < GUESTS; i++) CHECK(lull_adopt_uv(loop, &guests[i]) == LULL_OK);
    begin(has_timers);
}

static void close_uv(uv_loop_t *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(loop) == 0);
}

static void close_in_timer(uv_timer_t *timer) {
    close_all();
    uv_close((uv_handle_t *)timer, NULL);
}

static void close_in_check(uv_check_t *check) {
    close_all();
    uv_close((uv_handle_t *)check, NULL);
}

static void close_in_idle(uv_idle_t *idle) {
    close_all();
    uv_close((uv_handle_t *)idle, NULL);
}

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static void test_uv(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_check_t check;
    uv_idle_t idle;
    open_uv(&loop, 0);
    CHECK(uv_run(&loop, UV_RUN_DEFAULT) == 0); /* it ends when all are done */
    CHECK(are_done());
    close_all();
    close_uv(&loop);

    open_uv(&loop, 1);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, close_in_timer, 1, 0);
    close_uv(&loop);
    open_uv(&loop, 1);
    uv_check_init(&loop, &check);
    uv_check_start(&check, close_in_check);
    close_uv(&loop);
    open_uv(&loop, 1);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, close_in_idle);
    close_uv(&loop);

    /* The host closes the guests' handles before them: once without, once with a pass between. */
    for (int passes = 0; passes < 2; passes++) {
        open_uv(&loop, 1);
        uv_run(&loop, UV_RUN_NOWAIT);
        uv_walk(&loop, close_handle, NULL);
        if (passes > 0) uv_run(&loop, UV_RUN_DEFAULT);
        close_all();
        close_uv(&loop);
    }
}

int main(void) {
    test_glib(0);
    test_glib(1);
    test_sd_event();
    test_uv();
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
