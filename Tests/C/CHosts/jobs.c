/* Jobs and their queues. */

#include "host.h"

static void test_plain_jobs(void) {
    struct host host;
    lull_job job;
    open_host(&host);
    CHECK(submit(&host, 1) == LULL_OK);
    CHECK(submit(&host, 2) == LULL_OK);
    CHECK(submit(&host, 1) == LULL_JOINED);
    job = job_of(&host, 3);
    job.priority = LULL_PRIORITY_HIGHEST;
    job.rank = INT64_MIN;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(lull_count(host.queue) == 3);
    CHECK(lull_contains(host.queue, 2) == LULL_OK);
    CHECK(lull_contains(host.queue, 9) == LULL_ABSENT);
    CHECK(lull_reprioritize(host.queue, 2, LULL_PRIORITY_HIGHER, INT64_MAX) == LULL_OK);
    CHECK(lull_reprioritize(host.queue, 9, LULL_PRIORITY_HIGHER, 0) == LULL_ABSENT);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 3 && host.ends == 4 && host.last_end == LULL_END_DONE);
    CHECK(host.keys[0] == 3 && host.keys[1] == 2 && host.keys[2] == 1);
    CHECK(counts_of(host.queue).done == 3 && counts_of(host.queue).joined == 1);
    close_host(&host);
}

static lull_progress run_in_slices(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    int64_t end = lull_slot_slice_end(slot);
    CHECK(lull_slot_did_time_out(slot) == 0);
    CHECK(lull_slot_remaining(slot) <= 50 * MS);
    CHECK(lull_slot_deadline(slot) > 0 && end > 0 && end <= now() + 2 * MS);
    while (!lull_slot_is_over(slot)) {
    }
    CHECK(now() >= end);
    host->slot = slot;
    (void)key;
    return ++host->runs == 3 ? LULL_DONE : LULL_AGAIN;
}

static lull_progress say(const lull_slot *slot, uint64_t key, void *context) {
    (void)slot;
    (void)context;
    return (lull_progress)key;
}

static void test_progress(void) {
    struct host host;
    lull_job job;
    lull_queue_statistics counts;
    open_host(&host);
    job = job_of(&host, 1);
    job.run = run_in_slices;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 3 && host.ends == 1);
    CHECK(counts_of(host.queue).slices == 3);
    CHECK(lull_slot_is_over(host.slot) == LULL_STALE);

    job.run = say;
    job.key = LULL_SKIPPED;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.last_end == LULL_END_SKIPPED);
    job.key = LULL_FAILED;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.last_end == LULL_END_FAILED);
    job.key = 3; /* nothing else is a progress of C++'s */
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.last_end == LULL_END_FAILED);
    job.key = LULL_DONE;
    job.end = NULL;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.ends == 4);
    counts = counts_of(host.queue);
    CHECK(counts.done == 2 && counts.skipped == 1 && counts.failed == 2);
    close_host(&host);
}

static void test_cancelling(void) {
    struct host host;
    open_host(&host);
    submit(&host, 1);
    submit(&host, 2);
    submit(&host, 3);
    CHECK(lull_cancel(host.queue, 2) == LULL_OK);
    CHECK(host.ends == 1 && host.last_end == LULL_END_CANCELLED);
    CHECK(lull_cancel(host.queue, 2) == LULL_ABSENT);
    CHECK(lull_cancel_all(host.queue) == LULL_OK);
    CHECK(host.ends == 3 && lull_count(host.queue) == 0);
    submit(&host, 4);
    CHECK(lull_queue_close(host.queue) == LULL_OK);
    CHECK(host.ends == 4 && host.last_end == LULL_END_CANCELLED);
    CHECK(lull_queue_new(host.loop, NULL, &host.queue) == LULL_OK);
    submit(&host, 5);
    close_host(&host);
    CHECK(host.ends == 5 && host.last_end == LULL_END_CANCELLED && host.runs == 0);
}

static void test_full_queue(void) {
    struct host host;
    lull_queue_options options;
    open_host(&host);
    lull_queue_options_init(&options, sizeof options);
    options.limit = 2;
    options.name = "small";
    CHECK(lull_queue_close(host.queue) == LULL_OK);
    CHECK(lull_queue_new(host.loop, &options, &host.queue) == LULL_OK);
    host.ends = 0;
    submit(&host, 1);
    CHECK(lull_has_room(host.queue, LULL_PRIORITY_NORMAL) == LULL_OK);
    submit(&host, 2);
    CHECK(lull_has_room(host.queue, LULL_PRIORITY_NORMAL) == LULL_DROPPED);
    CHECK(lull_has_room(host.queue, LULL_PRIORITY_HIGH) == LULL_OK);
    CHECK(lull_has_room(host.queue, (lull_priority)9) == LULL_INVALID);
    CHECK(submit(&host, 3) == LULL_OK);
    CHECK(host.ends == 1 && host.last_end == LULL_END_DROPPED);
    CHECK(lull_contains(host.queue, 1) == LULL_ABSENT);
    close_host(&host);
}

static lull_progress note_timeout(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    (void)key;
    host->calls += lull_slot_did_time_out(slot);
    CHECK(lull_slot_remaining(slot) == 0);
    return LULL_DONE;
}

static void test_whole_jobs_and_timeouts(void) {
    struct host host;
    lull_job job;
    open_host(&host);
    job = job_of(&host, 1);
    job.kind = "page";
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    job.key = 2;
    job.kind = NULL;
    job.cost = 3 * MS;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    job.key = 3;
    job.cost = INT64_MAX;
    job.timeout = INT64_MAX;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.runs == 3);
    /* It rests in this mode, and runs because of its timeout. */
    lull_queue_options options;
    lull_queue *resting;
    lull_queue_options_init(&options, sizeof options);
    options.modes = LULL_MODE_TRACKING;
    CHECK(lull_queue_new(host.loop, &options, &resting) == LULL_OK);
    job = job_of(&host, 4);
    job.timeout = MS;
    job.run = note_timeout;
    CHECK(lull_submit(resting, &job) == LULL_OK);
    while (host.calls == 0) CHECK(event_base_loop(host.base, EVLOOP_ONCE) >= 0);
    CHECK(counts_of(resting).timed_out == 1);
    job = job_of(&host, 5);
    CHECK(lull_submit(resting, &job) == LULL_OK);
    event_base_loop(host.base, EVLOOP_NONBLOCK);
    CHECK(lull_count(resting) == 1);
    CHECK(lull_set_mode(host.loop, LULL_MODE_TRACKING) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && lull_count(resting) == 0);
    close_host(&host);
}

void test_jobs(void) {
    test_plain_jobs();
    test_progress();
    test_cancelling();
    test_full_queue();
    test_whole_jobs_and_timeouts();
}
