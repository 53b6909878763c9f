#include "host.h"

#include <sched.h>
#include <time.h>

int error_names(const char *call, const char *problem) {
    const char *error = lull_last_error();
    size_t name = strcspn(call, "(");
    int names = !strncmp(error, call, name) && !strncmp(error + name, ": ", 2) &&
                !strncmp(error + name + 2, problem, strlen(problem));
    if (!names) fprintf(stderr, "%s: %s\n", call, error);
    return names;
}

int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 * MS + time.tv_nsec;
}

void open_host(struct host *host) {
    memset(host, 0, sizeof *host);
    host->base = event_base_new();
    CHECK(host->base != NULL);
    CHECK(lull_adopt(host->base, &host->loop) == LULL_OK);
    CHECK(lull_queue_new(host->loop, NULL, &host->queue) == LULL_OK);
}

void close_host(struct host *host) {
    CHECK(lull_close(host->loop) == LULL_OK);
    CHECK(event_base_get_num_events(host->base, EVENT_BASE_COUNT_ADDED) == 0);
    event_base_free(host->base);
}

lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    host->slot = slot;
    if (host->runs < 64) host->keys[host->runs] = key;
    host->runs++;
    return LULL_DONE;
}

void ended(uint64_t key, lull_end end, void *context) {
    struct host *host = (struct host *)context;
    (void)key;
    CHECK_THREAD();
    host->ends++;
    host->last_end = end;
}

lull_job job_of(struct host *host, uint64_t key) {
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.key = key;
    job.run = run;
    job.end = ended;
    job.context = host;
    return job;
}

lull_status submit(struct host *host, uint64_t key) {
    lull_job job = job_of(host, key);
    return lull_submit(host->queue, &job);
}

lull_queue_statistics counts_of(lull_queue *queue) {
    lull_queue_statistics counts;
    CHECK(lull_queue_get_statistics(queue, &counts, sizeof counts) == LULL_OK);
    CHECK(
        counts.accepted == counts.done + counts.skipped + counts.failed + counts.cancelled +
                               counts.dropped + counts.waiting + counts.running);
    return counts;
}

lull_idle idle(const lull_slot *slot, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    /* Where all is slow, as under valgrind, the slice may be over before it has begun. */
    CHECK(lull_slot_is_over(slot) == 0 || now() >= lull_slot_slice_end(slot));
    host->slot = slot;
    return ++host->calls < 5 ? LULL_WORKED : LULL_NOTHING;
}

void fire(lull_loop *loop, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    CHECK(loop == host->loop);
    host->calls++;
}

void never_end(struct host *host) {
    CHECK(
        lull_timer_new(
            host->loop, 3600 * 1000 * MS, LULL_NONE, LULL_NONE, fire, host, NULL) == LULL_OK);
}

void wait_for_lanes(void) {
    while (thread_count() > 1) sched_yield();
}
