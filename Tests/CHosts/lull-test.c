/* Every function of lull.h, used well and badly, by a host in C99 or C++. */

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>
#include <lull.h>

static int failures;
static pthread_t the_thread; /* of all callbacks */

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            failures++;                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
        }                                                                              \
    } while (0)

#define CHECK_THREAD() CHECK(pthread_equal(pthread_self(), the_thread))

#define MS ((int64_t)1000000)

/* A host with a queue, and what its jobs did. */
struct host {
    struct event_base *base;
    lull_loop *loop;
    lull_queue *queue;
    int runs, ends, calls;
    uint64_t keys[64];
    lull_end last_end;
    lull_status seen;
    const lull_slot *slot;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void open_host(struct host *host) {
    memset(host, 0, sizeof *host);
    host->base = event_base_new();
    CHECK(host->base != NULL);
    CHECK(lull_adopt(host->base, &host->loop) == LULL_OK);
    CHECK(lull_queue_new(host->loop, NULL, &host->queue) == LULL_OK);
}

static void close_host(struct host *host) {
    CHECK(lull_close(host->loop) == LULL_OK);
    CHECK(event_base_get_num_events(host->base, EVENT_BASE_COUNT_ADDED) == 0);
    event_base_free(host->base);
}

static lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    host->slot = slot;
    if (host->runs < 64) host->keys[host->runs] = key;
    host->runs++;
    return LULL_DONE;
}

static void ended(uint64_t key, lull_end end, void *context) {
    struct host *host = (struct host *)context;
    (void)key;
    CHECK_THREAD();
    host->ends++;
    host->last_end = end;
}

static lull_job job_of(struct host *host, uint64_t key) {
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.key = key;
    job.run = run;
    job.end = ended;
    job.context = host;
    return job;
}

static lull_status submit(struct host *host, uint64_t key) {
    lull_job job = job_of(host, key);
    return lull_submit(host->queue, &job);
}

static lull_queue_statistics counts_of(lull_queue *queue) {
    lull_queue_statistics counts;
    CHECK(lull_queue_get_statistics(queue, &counts, sizeof counts) == LULL_OK);
    CHECK(
        counts.accepted == counts.done + counts.skipped + counts.failed + counts.cancelled +
                               counts.dropped + counts.waiting + counts.running);
    return counts;
}

/* Jobs. */

static void test_jobs(void) {
    struct host host;
    lull_job job;
    open_host(&host);
    CHECK(submit(&host, 1) == LULL_OK);
    CHECK(submit(&host, 2) == LULL_OK);
    CHECK(submit(&host, 1) == LULL_JOINED);
    job = job_of(&host, 3);
    job.urgency = LULL_VISIBLE;
    job.rank = INT64_MIN;
    CHECK(lull_submit(host.queue, &job) == LULL_OK);
    CHECK(lull_count(host.queue) == 3);
    CHECK(lull_contains(host.queue, 2) == LULL_OK);
    CHECK(lull_contains(host.queue, 9) == LULL_ABSENT);
    CHECK(lull_reprioritize(host.queue, 2, LULL_LANDING, INT64_MAX) == LULL_OK);
    CHECK(lull_reprioritize(host.queue, 9, LULL_LANDING, 0) == LULL_ABSENT);
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
    CHECK(lull_slot_remaining(slot) > 0 && lull_slot_remaining(slot) <= 50 * MS);
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

static void test_full_queues(void) {
    static const lull_overflow overflows[] = {
        LULL_DROP_LEAST_URGENT, LULL_DROP_OLDEST, LULL_DROP_NEWEST, LULL_REJECT};
    static const lull_status expected[] = {LULL_OK, LULL_OK, LULL_DROPPED, LULL_REJECTED};
    struct host host;
    lull_queue_options options;
    int i;
    open_host(&host);
    for (i = 0; i < 4; i++) {
        lull_queue_options_init(&options, sizeof options);
        options.limit = 2;
        options.overflow = overflows[i];
        options.name = "small";
        CHECK(lull_queue_close(host.queue) == LULL_OK);
        CHECK(lull_queue_new(host.loop, &options, &host.queue) == LULL_OK);
        host.ends = 0;
        submit(&host, 1);
        submit(&host, 2);
        CHECK(submit(&host, 3) == expected[i]);
        CHECK(host.ends == (overflows[i] == LULL_REJECT ? 0 : 1));
        CHECK(overflows[i] == LULL_REJECT || host.last_end == LULL_END_DROPPED);
        CHECK(lull_contains(host.queue, 1) == (i < 2 ? LULL_ABSENT : LULL_OK));
    }
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

/* What isn't a job. */

static lull_idle idle(const lull_slot *slot, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    CHECK(lull_slot_is_over(slot) == 0);
    host->slot = slot;
    return ++host->calls < 5 ? LULL_WORKED : LULL_NOTHING;
}

static void fire(lull_loop *loop, void *context) {
    struct host *host = (struct host *)context;
    CHECK_THREAD();
    CHECK(loop == host->loop);
    host->calls++;
}

static void test_idle_and_timers(void) {
    struct host host;
    lull_observer *observer;
    lull_timer *once, *often;
    open_host(&host);
    CHECK(lull_before_idle(host.loop, 0, LULL_MODE_ALL, idle, &host, &observer) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 5);
    CHECK(lull_poke(host.loop) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 6);
    CHECK(lull_observer_cancel(observer) == LULL_OK);
    CHECK(lull_observer_cancel(observer) == LULL_STALE);
    CHECK(lull_before_idle(host.loop, 0, LULL_MODE_ALL, idle, &host, NULL) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1 && host.calls == 7);

    CHECK(lull_timer_new(host.loop, MS, LULL_NONE, LULL_NONE, fire, &host, &once) == LULL_OK);
    CHECK(lull_timer_new(host.loop, 0, LULL_NONE, 0, fire, &host, NULL) == LULL_OK);
    host.calls = 100;
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.calls >= 102);
    CHECK(lull_timer_cancel(once) == LULL_STALE);
    host.calls = 100;
    CHECK(lull_timer_new(host.loop, 0, MS, LULL_NONE, fire, &host, &often) == LULL_OK);
    while (host.calls < 103) event_base_loop(host.base, EVLOOP_ONCE);
    CHECK(lull_timer_cancel(often) == LULL_OK);
    CHECK(lull_timer_cancel(often) == LULL_STALE);
    CHECK(
        lull_timer_new(host.loop, INT64_MAX, INT64_MAX, INT64_MAX, fire, &host, &often) ==
        LULL_OK);
    close_host(&host);
    CHECK(lull_timer_cancel(often) == LULL_STALE);
}

/* Every function, with handles that are wrong in the same way. */

struct handles {
    lull_loop *loop;
    lull_queue *queue;
    lull_observer *observer;
    lull_timer *timer;
    const lull_slot *slot;
};

static lull_job a_job; /* one that may be handed in */

static void expect_of_slot(const lull_slot *slot, lull_status expected) {
    CHECK(lull_slot_is_over(slot) == expected);
    CHECK(lull_slot_remaining(slot) == expected);
    CHECK(lull_slot_deadline(slot) == expected);
    CHECK(lull_slot_slice_end(slot) == expected);
    CHECK(lull_slot_did_time_out(slot) == expected);
}

static void expect(const struct handles *of, lull_status expected) {
    lull_queue *queue = (lull_queue *)of;
    lull_observer *observer = (lull_observer *)of;
    lull_timer *timer = (lull_timer *)of;
    lull_queue_statistics counts;
    CHECK(lull_poke(of->loop) == expected);
    CHECK(lull_set_mode(of->loop, LULL_MODE_DEFAULT) == expected);
    CHECK(lull_queue_new(of->loop, NULL, &queue) == expected && !queue);
    CHECK(lull_before_idle(of->loop, 0, LULL_MODE_ALL, idle, NULL, &observer) == expected);
    CHECK(!observer);
    CHECK(
        lull_timer_new(of->loop, 0, LULL_NONE, LULL_NONE, fire, NULL, &timer) == expected &&
        !timer);
    CHECK(lull_reinit_after_fork(of->loop) == expected);
    CHECK(lull_close(of->loop) == expected);
    CHECK(lull_submit(of->queue, &a_job) == expected);
    CHECK(lull_reprioritize(of->queue, 1, LULL_VISIBLE, 0) == expected);
    CHECK(lull_cancel(of->queue, 1) == expected);
    CHECK(lull_cancel_all(of->queue) == expected);
    CHECK(lull_contains(of->queue, 1) == expected);
    CHECK(lull_count(of->queue) == expected);
    CHECK(lull_queue_get_statistics(of->queue, &counts, sizeof counts) == expected);
    CHECK(lull_queue_close(of->queue) == expected);
    CHECK(lull_observer_cancel(of->observer) == expected);
    CHECK(lull_timer_cancel(of->timer) == expected);
    expect_of_slot(of->slot, expected);
    if (expected != LULL_WRONG_THREAD) CHECK(lull_post(of->loop, fire, NULL) == expected);
}

static struct handles same(void *handle) {
    struct handles handles;
    handles.loop = (lull_loop *)handle;
    handles.queue = (lull_queue *)handle;
    handles.observer = (lull_observer *)handle;
    handles.timer = (lull_timer *)handle;
    handles.slot = (const lull_slot *)handle;
    return handles;
}

static void *use_elsewhere(void *context) {
    expect((struct handles *)context, LULL_WRONG_THREAD);
    return NULL;
}

static void in_another_thread(void *(*function)(void *), void *context) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, context) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

struct caller {
    struct host host;
    struct handles handles;
};

static lull_progress use_elsewhere_now(const lull_slot *slot, uint64_t key, void *context) {
    struct caller *caller = (struct caller *)context;
    (void)key;
    caller->handles.slot = slot;
    in_another_thread(use_elsewhere, &caller->handles);
    CHECK(lull_close(caller->host.loop) == LULL_BUSY);
    CHECK(lull_reinit_after_fork(caller->host.loop) == LULL_BUSY);
    CHECK(lull_slot_is_over(slot) >= 0);
    return LULL_DONE;
}

static void test_bad_handles(void) {
    struct caller caller;
    struct handles handles;
    lull_job job;
    int local = 0;
    a_job = job_of(NULL, 1);
    handles = same(NULL);
    expect(&handles, LULL_INVALID);
    handles = same(&local);
    expect(&handles, LULL_INVALID);
    handles = same((void *)1);
    expect(&handles, LULL_INVALID);
    handles = same((void *)UINTPTR_MAX);
    expect(&handles, LULL_INVALID);

    open_host(&caller.host);
    handles.loop = caller.host.loop;
    handles.queue = caller.host.queue;
    CHECK(
        lull_before_idle(
            handles.loop, 0, LULL_MODE_TRACKING, idle, NULL, &handles.observer) == LULL_OK);
    CHECK(
        lull_timer_new(
            handles.loop, 3600 * 1000 * MS, LULL_NONE, LULL_NONE, fire, NULL, &handles.timer) ==
        LULL_OK);
    caller.handles = handles;
    job = job_of(&caller.host, 1);
    job.run = use_elsewhere_now;
    job.context = &caller;
    job.end = NULL;
    CHECK(lull_submit(handles.queue, &job) == LULL_OK);
    while (lull_count(handles.queue) > 0) event_base_loop(caller.host.base, EVLOOP_ONCE);
    handles.slot = caller.handles.slot;

    /* Each in the place of another. */
    struct handles mixed;
    mixed.loop = (lull_loop *)handles.queue;
    mixed.queue = (lull_queue *)handles.observer;
    mixed.observer = (lull_observer *)handles.timer;
    mixed.timer = (lull_timer *)handles.slot;
    mixed.slot = (const lull_slot *)handles.loop;
    expect(&mixed, LULL_INVALID);

    close_host(&caller.host);
    expect(&handles, LULL_STALE);
    /* Their places are others' now. */
    open_host(&caller.host);
    expect(&handles, LULL_STALE);
    close_host(&caller.host);
}

static void test_bad_arguments(void) {
    struct host host;
    lull_loop *loop = (lull_loop *)&host;
    lull_queue *queue;
    lull_queue_options options;
    lull_job job;
    lull_timer *timer;
    CHECK(lull_adopt(NULL, &loop) == LULL_INVALID && !loop);
    open_host(&host);
    CHECK(lull_adopt(host.base, NULL) == LULL_INVALID);
    CHECK(lull_set_mode(host.loop, (lull_mode)0) == LULL_INVALID);
    CHECK(lull_set_mode(host.loop, LULL_MODE_ALL) == LULL_INVALID);
    CHECK(lull_post(host.loop, NULL, NULL) == LULL_INVALID);
    CHECK(lull_queue_new(host.loop, NULL, NULL) == LULL_INVALID);
    CHECK(lull_queue_get_statistics(host.queue, NULL, 8) == LULL_INVALID);
    CHECK(
        lull_before_idle(host.loop, 0, LULL_MODE_ALL, NULL, NULL, NULL) == LULL_INVALID);
    CHECK(
        lull_before_idle(host.loop, 0, (lull_mode)0, idle, NULL, NULL) == LULL_INVALID);
    lull_queue_options_init(NULL, 8);
    lull_job_init(NULL, 8);

#define BAD_OPTION(member, value)                                                      \
    lull_queue_options_init(&options, sizeof options);                                 \
    options.member = value;                                                            \
    CHECK(lull_queue_new(host.loop, &options, &queue) == LULL_INVALID && !queue)
    BAD_OPTION(size, sizeof options - 1);
    BAD_OPTION(size, 0);
    BAD_OPTION(limit, 0);
    BAD_OPTION(limit, -1);
    BAD_OPTION(limit, INT64_MAX);
    BAD_OPTION(limit, INT64_MIN);
    BAD_OPTION(cost_limit, 0);
    BAD_OPTION(cost_limit, -2);
    BAD_OPTION(slice, 0);
    BAD_OPTION(slice, INT64_MIN);
    BAD_OPTION(batch, -1);
    BAD_OPTION(max_deferral, 0);
    BAD_OPTION(max_deferral, -7);
    BAD_OPTION(overflow, (lull_overflow)7);
    BAD_OPTION(modes, (lull_mode)0);
    BAD_OPTION(weight, 0);
    BAD_OPTION(weight, INT32_MIN);

#define BAD_JOB(member, value)                                                         \
    job = job_of(&host, 1);                                                            \
    job.member = value;                                                                \
    CHECK(lull_submit(host.queue, &job) == LULL_INVALID)
    BAD_JOB(size, sizeof job - 1);
    BAD_JOB(run, NULL);
    BAD_JOB(cost, -2);
    BAD_JOB(cost, INT64_MIN);
    BAD_JOB(timeout, -2);
    BAD_JOB(urgency, (lull_urgency)6);
    CHECK(lull_submit(host.queue, NULL) == LULL_INVALID);
    CHECK(lull_count(host.queue) == 0 && host.ends == 0);
    CHECK(lull_reprioritize(host.queue, 1, (lull_urgency)7, 0) == LULL_INVALID);

#define BAD_TIMER(delay, period, tolerance, fire)                                      \
    CHECK(                                                                             \
        lull_timer_new(host.loop, delay, period, tolerance, fire, NULL, &timer) ==      \
            LULL_INVALID &&                                                            \
        !timer)
    BAD_TIMER(-1, LULL_NONE, LULL_NONE, fire);
    BAD_TIMER(0, 0, LULL_NONE, fire);
    BAD_TIMER(0, -2, LULL_NONE, fire);
    BAD_TIMER(0, LULL_NONE, INT64_MIN, fire);
    BAD_TIMER(0, LULL_NONE, LULL_NONE, NULL);
    CHECK(event_base_get_num_events(host.base, EVENT_BASE_COUNT_ADDED) == 0);
    close_host(&host);
}

static void test_other_sizes(void) {
    struct {
        lull_job job;
        int64_t more;
    } later;
    struct {
        lull_queue_statistics counts;
        int64_t more;
    } counts;
    struct host host;
    uint64_t first[2] = {0, 7};
    open_host(&host);
    lull_job_init(&later.job, sizeof later);
    CHECK(later.more == 0 && later.job.size == sizeof later);
    later.job.key = 1;
    later.job.run = run;
    later.job.context = &host;
    CHECK(lull_submit(host.queue, &later.job) == LULL_OK);
    later.more = 1;
    later.job.key = 2;
    CHECK(lull_submit(host.queue, &later.job) == LULL_UNSUPPORTED);
    CHECK(lull_queue_get_statistics(host.queue, &counts.counts, sizeof counts) == LULL_OK);
    CHECK(counts.counts.waiting == 1 && counts.more == 0);
    CHECK(
        lull_queue_get_statistics(
            host.queue, (lull_queue_statistics *)(void *)first, sizeof first[0]) == LULL_OK);
    CHECK(first[0] == 1 && first[1] == 7);
    close_host(&host);
}

/* Calls from inside callbacks. */

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

static void test_calls_from_inside(void) {
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
}

/* Other threads. */

struct poster {
    lull_loop *loop;
    int count;
    int taken;
    int called; /* on the loop's thread */
};

static void count_call(lull_loop *loop, void *context) {
    struct poster *poster = (struct poster *)context;
    CHECK(loop == poster->loop);
    CHECK_THREAD();
    poster->called++;
}

static void *post_many(void *context) {
    struct poster *poster = (struct poster *)context;
    int i;
    for (i = 0; i < poster->count; i++) {
        lull_status status = lull_post(poster->loop, count_call, poster);
        if (status == LULL_OK) {
            poster->taken++;
        } else {
            CHECK(status == LULL_FULL || status == LULL_STALE);
        }
    }
    return NULL;
}

/* Posts alone don't keep libevent from ending. */
static void never_end(struct host *host) {
    CHECK(
        lull_timer_new(
            host->loop, 3600 * 1000 * MS, LULL_NONE, LULL_NONE, fire, host, NULL) == LULL_OK);
}

static void test_posts(void) {
    enum { THREADS = 4, ROUNDS = 20 };
    struct host host;
    struct poster posters[THREADS];
    pthread_t threads[THREADS];
    int i, round;
    for (round = 0; round < ROUNDS; round++) {
        open_host(&host);
        never_end(&host);
        for (i = 0; i < THREADS; i++) {
            memset(&posters[i], 0, sizeof posters[i]);
            posters[i].loop = host.loop;
            posters[i].count = 1000;
            CHECK(pthread_create(&threads[i], NULL, post_many, &posters[i]) == 0);
        }
        /* Closed while they post: what was taken is called all the same. */
        for (i = 0; i < round; i++) event_base_loop(host.base, EVLOOP_NONBLOCK);
        close_host(&host);
        for (i = 0; i < THREADS; i++) {
            CHECK(pthread_join(threads[i], NULL) == 0);
            CHECK(posters[i].taken == posters[i].called);
        }
    }
    open_host(&host);
    posters[0].loop = host.loop;
    posters[0].taken = posters[0].called = 0;
    posters[0].count = 70000;
    in_another_thread(post_many, &posters[0]);
    CHECK(posters[0].taken == 65536);
    CHECK(lull_post(host.loop, count_call, &posters[0]) == LULL_FULL);
    never_end(&host);
    event_base_loop(host.base, EVLOOP_ONCE);
    CHECK(posters[0].called == 65536);
    CHECK(lull_post(host.loop, count_call, &posters[0]) == LULL_OK);
    close_host(&host);
}

static void test_no_descriptors(void) {
    struct host host;
    struct rlimit limit, few;
    lull_loop *loop = NULL;
    open_host(&host);
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    few = limit;
    few.rlim_cur = 0;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    errno = 0;
    CHECK(lull_adopt(host.base, &loop) == LULL_SYSTEM && errno == EMFILE && !loop);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(lull_adopt(host.base, &loop) == LULL_OK);
    CHECK(lull_close(loop) == LULL_OK);
    close_host(&host);
}

/* What a host does after it has forked, in both processes. */
static void run_after_fork(struct host *host) {
    CHECK(submit(host, 2) == LULL_OK);
    CHECK(event_base_dispatch(host->base) == 1);
    CHECK(host->runs == 2 && host->ends == 2 && host->last_end == LULL_END_DONE);
    never_end(host);
    CHECK(lull_post(host->loop, fire, host) == LULL_OK);
    host->calls = 0;
    while (host->calls == 0) event_base_loop(host->base, EVLOOP_ONCE);
    CHECK(host->calls == 1);
    close_host(host);
}

static void test_forks(void) {
    struct host host;
    pid_t child;
    int status = 0;
    open_host(&host);
    CHECK(submit(&host, 1) == LULL_OK);
    CHECK(lull_post(host.loop, fire, &host) == LULL_OK);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(event_reinit(host.base) == 0);
        CHECK(lull_reinit_after_fork(host.loop) == LULL_OK);
        host.calls = 0;
        run_after_fork(&host);
        _exit(failures ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(lull_cancel_all(host.queue) == LULL_OK && host.ends == 1);
    host.runs = 1;
    while (host.calls == 0) {
        CHECK(lull_poke(host.loop) == LULL_OK);
        event_base_loop(host.base, EVLOOP_NONBLOCK);
    }
    CHECK(host.calls == 1);
    run_after_fork(&host);
}

static void test_many_handles(void) {
    enum { MANY = 5000 };
    static lull_timer *timers[MANY];
    struct host host;
    int i;
    open_host(&host);
    for (i = 0; i < MANY; i++) {
        CHECK(
            lull_timer_new(
                host.loop, 1000 * MS, LULL_NONE, LULL_NONE, fire, NULL, &timers[i]) == LULL_OK);
    }
    for (i = 0; i < MANY; i += 2) CHECK(lull_timer_cancel(timers[i]) == LULL_OK);
    for (i = 0; i < MANY; i++) {
        CHECK(lull_timer_cancel(timers[i]) == (i % 2 ? LULL_OK : LULL_STALE));
    }
    close_host(&host);
}

static void test_words(void) {
    int status;
    for (status = LULL_UNSUPPORTED; status <= LULL_ABSENT; status++) {
        const char *text = lull_status_text((lull_status)status);
        CHECK(text && *text && strcmp(text, "no status"));
    }
    CHECK(!strcmp(lull_status_text((lull_status)-9), "no status"));
    CHECK(!strcmp(lull_end_text(LULL_END_DONE), "done"));
    CHECK(!strcmp(lull_end_text((lull_end)7), "no end"));
    CHECK(lull_version() == LULL_VERSION);
}

int main(void) {
    the_thread = pthread_self();
    test_jobs();
    test_progress();
    test_cancelling();
    test_full_queues();
    test_whole_jobs_and_timeouts();
    test_idle_and_timers();
    test_bad_handles();
    test_bad_arguments();
    test_other_sizes();
    test_calls_from_inside();
    test_posts();
    test_no_descriptors();
    test_forks();
    test_many_handles();
    test_words();
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
