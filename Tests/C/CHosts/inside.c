/* Calls from inside callbacks. */

#include "host.h"

static lull_progress close_own_queue(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    (void)slot;
    (void)key;
    CHECK(lull_queue_close(host->queue) == LULL_OK);
    CHECK(lull_queue_close(host->queue) == LULL_STALE);
    CHECK(submit(host, 9) == LULL_STALE);
    CHECK(host->ends == 1 && host->last_end == LULL_END_CANCELLED); /* the other one */
    host->runs++;
    return LULL_AGAIN;
}

static void submit_again(uint64_t key, lull_end end, void *context) {
    struct host *host = (struct host *)context;
    (void)end;
    host->seen = submit(host, key);
    if (++host->ends == 1) CHECK(lull_close(host->loop) == LULL_BUSY);
}

static lull_progress cancel_itself(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    (void)slot;
    CHECK(lull_cancel(host->queue, key) == LULL_OK);
    CHECK(lull_cancel(host->queue, key) == LULL_ABSENT);
    CHECK(lull_contains(host->queue, key) == LULL_OK);
    host->runs++;
    return LULL_AGAIN;
}

static void cancel_own_timer(lull_loop *loop, void *context) {
    lull_timer **timer = (lull_timer **)context;
    (void)loop;
    CHECK(lull_timer_cancel(*timer) == LULL_OK);
    *timer = NULL;
}

static lull_idle cancel_own_observer(const lull_slot *slot, void *context) {
    lull_observer **observer = (lull_observer **)context;
    (void)slot;
    CHECK(lull_observer_cancel(*observer) == LULL_OK);
    *observer = NULL;
    return LULL_WORKED;
}

static lull_progress ask_for_itself(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    (void)slot;
    host->runs++;
    if (host->runs == 1) CHECK(submit(host, key) == LULL_FOLLOWS);
    if (host->runs == 1) CHECK(submit(host, key) == LULL_JOINED);
    return LULL_DONE;
}

static void close_queue(uint64_t key, lull_end end, void *context) {
    struct host *host = (struct host *)context;
    (void)key;
    CHECK(end == LULL_END_DONE);
    host->calls++;
    CHECK(lull_queue_close(host->queue) == LULL_OK);
}

/* A job that asks for its own key, and whose end then closes the queue. */
static void test_followers(void) {
    struct host host;
    lull_job job;
    lull_queue_statistics counts;
    open_host(&host);
    job = job_of(&host, 1);
    job.run = ask_for_itself;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 2 && host.ends == 3 && host.last_end == LULL_END_DONE);
    counts = counts_of(host.queue);
    CHECK(counts.accepted == 2 && counts.joined == 1 && counts.done == 2);

    host.runs = host.ends = host.calls = 0;
    job.end = close_queue;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 1 && host.calls == 1);
    CHECK(host.ends == 2 && host.last_end == LULL_END_CANCELLED);
    CHECK(lull_count(host.queue) == LULL_STALE);
    close_host(&host);
}

void test_calls_from_inside(void) {
    struct host host;
    lull_job job;
    lull_timer *timer;
    lull_observer *observer;
    open_host(&host);
    job = job_of(&host, 1);
    job.run = cancel_itself;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 1 && host.ends == 1 && host.last_end == LULL_END_CANCELLED);

    host.ends = 0;
    job.end = submit_again;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(lull_cancel(host.queue, 1) == LULL_OK);
    CHECK(host.seen == LULL_OK && host.ends == 1 && lull_count(host.queue) == 1);
    CHECK(event_base_dispatch(host.base) == 1 && host.ends == 2);

    host.ends = host.runs = 0;
    job.run = close_own_queue;
    job.end = ended;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(submit(&host, 2) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 1 && host.ends == 2 && host.last_end == LULL_END_CANCELLED);

    CHECK(
        lull_timer_new(host.loop, 0, MS, LULL_NONE, cancel_own_timer, &timer, &timer) ==
        LULL_OK);
    CHECK(
        lull_before_idle(
            host.loop, 0, LULL_MODE_ALL, cancel_own_observer, &observer, &observer) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && !timer && !observer);

    /* Closing ends jobs, whose ends find everything stale. */
    CHECK(lull_queue_new(host.loop, NULL, &host.queue) == LULL_OK);
    job.end = submit_again;
    host.ends = 1;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    close_host(&host);
    CHECK(host.seen == LULL_STALE && host.ends == 2);

    test_followers();
}
