/* The orderly end of a queue, and of all queues of a loop. */

#include "host.h"

/* A host that is shut down, and what it was told of that. */
struct leaver {
    struct host host;
    int reports, overs;
    size_t finished, failed, returned;
    uint64_t first_returned;
    char name[16];
    lull_queue *queue;
    lull_status seen, closed;
};

static void hear(const lull_shutdown_report *report, void *context) {
    struct leaver *leaver = (struct leaver *)context;
    CHECK_THREAD();
    CHECK(report->size == sizeof *report);
    leaver->reports++;
    leaver->finished += report->finished_count;
    leaver->failed += report->failed_count;
    leaver->returned += report->returned_count;
    if (report->returned_count) leaver->first_returned = report->returned[0];
    snprintf(leaver->name, sizeof leaver->name, "%s", report->name);
    leaver->queue = report->queue;
    leaver->seen = submit(&leaver->host, 99);
    leaver->closed = lull_close(leaver->host.loop);
}

static void over(lull_loop *loop, void *context) {
    struct leaver *leaver = (struct leaver *)context;
    CHECK_THREAD();
    CHECK(loop == leaver->host.loop);
    leaver->overs++;
}

static void open_leaver(struct leaver *leaver) {
    memset(leaver, 0, sizeof *leaver);
    open_host(&leaver->host);
}

/* A queue whose jobs wait for a list to move. */
static lull_queue *resting_queue(struct leaver *leaver) {
    lull_queue *queue;
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    options.modes = LULL_MODE_TRACKING;
    options.name = "resting";
    CHECK(lull_queue_new(leaver->host.loop, &options, &queue) == LULL_OK);
    return queue;
}

static lull_progress fail(const lull_slot *slot, uint64_t key, void *context) {
    (void)slot;
    (void)key;
    (void)context;
    return LULL_FAILED;
}

static void test_finishing(void) {
    struct leaver leaver;
    lull_job job;
    open_leaver(&leaver);
    job = job_of(&leaver.host, 3);
    job.run = fail;
    submit(&leaver.host, 1);
    submit(&leaver.host, 2);
    CHECK(lull_submit(leaver.host.queue, &job) == LULL_OK);
    CHECK(lull_queue_shutdown(leaver.host.queue, -2, hear, &leaver) == LULL_INVALID);
    CHECK(lull_queue_shutdown(leaver.host.queue, LULL_NONE, hear, &leaver) == LULL_INVALID);
    CHECK(lull_queue_shutdown(leaver.host.queue, INT64_MAX, hear, &leaver) == LULL_OK);
    CHECK(lull_queue_shutdown(leaver.host.queue, INT64_MAX, NULL, NULL) == LULL_OK);
    CHECK(submit(&leaver.host, 4) == LULL_DROPPED);
    CHECK(leaver.reports == 0 && leaver.host.ends == 1);
    CHECK(event_base_dispatch(leaver.host.base) == 1); /* no timer keeps it */
    CHECK(leaver.reports == 1 && leaver.finished == 2 && leaver.failed == 1);
    CHECK(leaver.returned == 0 && leaver.host.ends == 4);
    CHECK(!strcmp(leaver.name, "idle queue") && leaver.queue == leaver.host.queue);
    CHECK(leaver.seen == LULL_STALE && leaver.closed == LULL_BUSY);
    CHECK(lull_queue_shutdown(leaver.host.queue, 0, hear, &leaver) == LULL_STALE);
    CHECK(leaver.reports == 1);
    close_host(&leaver.host);
}

static void test_taking_back(void) {
    struct leaver leaver;
    open_leaver(&leaver);
    submit(&leaver.host, 7);
    submit(&leaver.host, 8);
    CHECK(lull_queue_shutdown(leaver.host.queue, 0, hear, &leaver) == LULL_OK);
    CHECK(leaver.reports == 1 && leaver.returned == 2 && leaver.first_returned == 7);
    CHECK(leaver.host.ends == 2 && leaver.host.last_end == LULL_END_CANCELLED);
    CHECK(leaver.host.runs == 0 && leaver.seen == LULL_STALE);
    CHECK(event_base_dispatch(leaver.host.base) == 1);

    /* Closed meanwhile, it gives back at once. */
    leaver.host.queue = resting_queue(&leaver);
    submit(&leaver.host, 9);
    CHECK(lull_queue_shutdown(leaver.host.queue, INT64_MAX, hear, &leaver) == LULL_OK);
    CHECK(leaver.reports == 1);
    CHECK(lull_queue_close(leaver.host.queue) == LULL_OK);
    CHECK(leaver.reports == 2 && leaver.first_returned == 9);

    leaver.host.queue = resting_queue(&leaver);
    submit(&leaver.host, 10);
    CHECK(lull_loop_shutdown(leaver.host.loop, INT64_MAX, hear, over, &leaver) == LULL_OK);
    CHECK(leaver.reports == 2 && leaver.overs == 0);
    close_host(&leaver.host);
    CHECK(leaver.reports == 3 && leaver.overs == 1 && leaver.first_returned == 10);
    CHECK(leaver.closed == LULL_STALE);
}

static void test_loops(void) {
    struct leaver leaver;
    lull_job job;
    lull_queue *resting;
    open_leaver(&leaver);
    CHECK(lull_loop_shutdown(leaver.host.loop, 0, hear, NULL, NULL) == LULL_INVALID);
    CHECK(lull_loop_shutdown(leaver.host.loop, -1, hear, over, &leaver) == LULL_INVALID);
    resting = resting_queue(&leaver);
    job = job_of(&leaver.host, 5);
    CHECK(lull_submit(resting, &job) == LULL_OK);
    submit(&leaver.host, 6);
    CHECK(lull_loop_shutdown(leaver.host.loop, 5 * MS, hear, over, &leaver) == LULL_OK);
    CHECK(leaver.reports == 0);
    CHECK(event_base_dispatch(leaver.host.base) == 1);
    CHECK(leaver.reports == 2 && leaver.overs == 1);
    CHECK(leaver.finished == 1 && leaver.returned == 1 && leaver.first_returned == 5);
    CHECK(!strcmp(leaver.name, "resting") && leaver.queue == resting);
    CHECK(lull_count(resting) == LULL_STALE);

    /* Nothing is left to shut down. */
    CHECK(lull_loop_shutdown(leaver.host.loop, 5 * MS, NULL, over, &leaver) == LULL_OK);
    CHECK(leaver.reports == 2 && leaver.overs == 2);
    close_host(&leaver.host);
}

static lull_progress shut_itself_down(const lull_slot *slot, uint64_t key, void *context) {
    struct leaver *leaver = (struct leaver *)context;
    (void)slot;
    (void)key;
    CHECK(lull_queue_shutdown(leaver->host.queue, 0, hear, leaver) == LULL_OK);
    CHECK(leaver->reports == 0 && leaver->host.ends == 1);
    return LULL_DONE;
}

static void test_shutting_down_from_inside(void) {
    struct leaver leaver;
    lull_job job;
    open_leaver(&leaver);
    job = job_of(&leaver.host, 1);
    job.run = shut_itself_down;
    job.context = &leaver;
    job.end = NULL;
    CHECK(lull_submit(leaver.host.queue, &job) == LULL_OK);
    submit(&leaver.host, 2);
    CHECK(event_base_dispatch(leaver.host.base) == 1);
    CHECK(leaver.reports == 1 && leaver.finished + leaver.returned == 2);
    CHECK(leaver.returned >= 1 && leaver.first_returned == 2);
    close_host(&leaver.host);
}

void test_shutdown(void) {
    test_finishing();
    test_taking_back();
    test_loops();
    test_shutting_down_from_inside();
}
