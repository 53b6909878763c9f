/* Jobs that may run anywhere: on lanes where there are processors for them, or else on the loop. */

#include <sched.h>
#include <sys/wait.h>

#include "host.h"

static void open_with_lanes(struct host *host, int64_t lanes, int64_t slice) {
    lull_queue_options options;
    open_host(host);
    lull_queue_options_init(&options, sizeof options);
    CHECK(options.lanes == 0);
    options.lanes = lanes;
    options.slice = slice;
    CHECK(lull_queue_close(host->queue) == LULL_OK);
    CHECK(lull_queue_new(host->loop, &options, &host->queue) == LULL_OK);
}

/* A job's own memory, which its run changes and its end frees. */
struct work {
    struct host *host;
    int slices, is_elsewhere;
    uint64_t sum;
};

static lull_progress add_up(const lull_slot *slot, uint64_t key, void *context) {
    struct work *work = (struct work *)context;
    CHECK(lull_slot_is_over(slot) >= 0 && lull_slot_slice_end(slot) > 0);
    CHECK(lull_slot_remaining(slot) >= 0 && lull_slot_did_time_out(slot) == 0);
    if (!pthread_equal(pthread_self(), the_thread)) work->is_elsewhere = 1;
    work->sum += key;
    return ++work->slices < 3 ? LULL_AGAIN : LULL_DONE;
}

static void free_work(uint64_t key, lull_end end, void *context) {
    struct work *work = (struct work *)context;
    CHECK_THREAD();
    CHECK(end == LULL_END_CANCELLED || work->sum == 3 * key);
    work->host->calls += work->is_elsewhere;
    work->host->ends++;
    work->host->last_end = end;
    free(work);
}

static void submit_work(struct host *host, uint64_t key) {
    lull_job job = job_of(host, key);
    struct work *work = (struct work *)calloc(1, sizeof *work);
    work->host = host;
    job.run = add_up;
    job.end = free_work;
    job.context = work;
    CHECK(lull_submit_anywhere(host->queue, &job) == LULL_OK);
}

static void test_all_run(int64_t lanes) {
    struct host host;
    lull_job job;
    open_with_lanes(&host, lanes, MS);
    for (uint64_t key = 0; key < 200; key++) submit_work(&host, key);
    job = job_of(&host, 7);
    CHECK(lull_submit_anywhere(host.queue, &job) == LULL_JOINED);
    CHECK(lull_reprioritize(host.queue, 100, LULL_PRIORITY_HIGHEST, 0) == LULL_OK);
    CHECK(event_base_dispatch(host.base) == 1);
    CHECK(host.ends == 201 && host.runs == 0);
    CHECK(lanes != LULL_NONE || host.calls == 0);
    CHECK(counts_of(host.queue).done == 200 && counts_of(host.queue).slices == 600);
    /* What is on the way when the loop is closed. */
    for (uint64_t key = 0; key < 200; key++) submit_work(&host, key);
    for (int pass = 0; pass < 3; pass++) event_base_loop(host.base, EVLOOP_NONBLOCK);
    close_host(&host);
    CHECK(host.ends == 401);
}

static lull_progress say(const lull_slot *slot, uint64_t key, void *context) {
    (void)slot;
    (void)context;
    return (lull_progress)key;
}

static void test_ends(void) {
    struct host host;
    lull_job job;
    lull_queue_statistics counts;
    open_with_lanes(&host, 1, MS);
    for (uint64_t key = 0; key < 6; key++) {
        if (key == LULL_AGAIN || key == LULL_WAITING) continue;
        job = job_of(&host, key);
        job.run = say;
        job.priority = LULL_PRIORITY_LOW;
        CHECK(lull_submit_anywhere(host.queue, &job) == LULL_OK);
    }
    CHECK(event_base_dispatch(host.base) == 1);
    counts = counts_of(host.queue);
    CHECK(host.ends == 4 && counts.done == 1 && counts.skipped == 1 && counts.failed == 2);
    close_host(&host);
}

/* A run that stays inside until it's told to leave; on the loop's thread, where nobody could tell it,
   it leaves at once. */
struct visit {
    struct host *host;
    int is_inside, may_leave, has_ended;
    lull_end end;
};

static int is(const int *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(int *flag, int value) {
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static lull_progress stay(const lull_slot *slot, uint64_t key, void *context) {
    struct visit *visit = (struct visit *)context;
    (void)key;
    if (pthread_equal(pthread_self(), the_thread)) return LULL_DONE;
    set(&visit->is_inside, 1);
    while (!is(&visit->may_leave)) sched_yield();
    CHECK(!is(&visit->has_ended));
    CHECK(lull_slot_is_over(slot) == 1); /* as the job has ended */
    set(&visit->is_inside, 0);
    return LULL_AGAIN;
}

/* A run that stays inside until its slot is over: with slices without end, until its job is. */
static lull_progress stay_in_slot(const lull_slot *slot, uint64_t key, void *context) {
    struct visit *visit = (struct visit *)context;
    (void)key;
    if (pthread_equal(pthread_self(), the_thread)) return LULL_DONE;
    set(&visit->is_inside, 1);
    while (!lull_slot_is_over(slot)) {
    }
    CHECK(!is(&visit->has_ended));
    set(&visit->is_inside, 0);
    return LULL_AGAIN;
}

static void visit_ended(uint64_t key, lull_end end, void *context) {
    struct visit *visit = (struct visit *)context;
    (void)key;
    CHECK_THREAD();
    CHECK(!is(&visit->is_inside));
    set(&visit->has_ended, 1);
    visit->end = end;
    visit->host->ends++;
}

/* Returns whether a lane is inside; otherwise there is none, and the job is done. */
static int begin_visit(
    struct host *host, struct visit *visit,
    lull_progress (*run)(const lull_slot *, uint64_t, void *)) {
    lull_job job;
    memset(visit, 0, sizeof *visit);
    open_with_lanes(host, 0, LULL_NONE);
    visit->host = host;
    job = job_of(host, 1);
    job.run = run;
    job.end = visit_ended;
    job.context = visit;
    CHECK(lull_submit_anywhere(host->queue, &job) == LULL_OK);
    while (!is(&visit->is_inside) && !visit->has_ended) event_base_loop(host->base, EVLOOP_NONBLOCK);
    return !visit->has_ended;
}

static void end_visit(struct host *host, struct visit *visit) {
    CHECK(!visit->has_ended && host->ends == 0);
    set(&visit->may_leave, 1);
    CHECK(event_base_dispatch(host->base) == 1);
    CHECK(visit->has_ended && visit->end == LULL_END_CANCELLED);
}

static void test_cancelling(void) {
    struct host host;
    struct visit visit;
    if (begin_visit(&host, &visit, stay)) {
        CHECK(lull_contains(host.queue, 1) == LULL_OK);
        CHECK(lull_cancel(host.queue, 1) == LULL_OK);
        CHECK(lull_cancel(host.queue, 1) == LULL_ABSENT);
        CHECK(counts_of(host.queue).cancelled == 1);
        end_visit(&host, &visit);
        CHECK(submit(&host, 1) == LULL_OK);
        CHECK(event_base_dispatch(host.base) == 1);
        CHECK(host.runs == 1 && host.ends == 2);
    }
    close_host(&host);
}

static void close_visited_queue(uint64_t key, lull_end end, void *context) {
    struct visit *visit = (struct visit *)context;
    (void)key;
    CHECK(end == LULL_END_DONE);
    CHECK(lull_queue_close(visit->host->queue) == LULL_OK);
    CHECK(!visit->has_ended);
}

/* A queue that is closed by the end of another job, while a lane is inside a job. */
static void test_closing_from_inside(void) {
    struct host host;
    struct visit visit;
    if (begin_visit(&host, &visit, stay)) {
        lull_job job = job_of(&host, 2);
        job.run = say;
        job.key = LULL_DONE;
        job.end = close_visited_queue;
        job.context = &visit;
        CHECK(lull_submit(host.queue, &job) == LULL_OK);
        while (lull_count(host.queue) != LULL_STALE) event_base_loop(host.base, EVLOOP_ONCE);
        end_visit(&host, &visit);
    }
    close_host(&host);
}

static void test_closing_the_loop(void) {
    struct host host;
    struct visit visit;
    for (int round = 0; round < 20; round++) {
        int is_on_lane = begin_visit(&host, &visit, stay_in_slot);
        if (is_on_lane && round % 2) CHECK(lull_queue_close(host.queue) == LULL_OK);
        close_host(&host);
        CHECK(visit.has_ended && host.ends == 1 && !is(&visit.is_inside));
        CHECK(visit.end == (is_on_lane ? LULL_END_CANCELLED : LULL_END_DONE));
    }
}

/* Forks while a lane is inside, which the child doesn't have. What the lane had is lost there: the child
   becomes another program, so that valgrind doesn't report it. */
static void test_fork(int is_cancelled) {
    struct host host;
    struct visit visit;
    if (begin_visit(&host, &visit, stay)) {
        int status = 0;
        pid_t child;
        if (is_cancelled) CHECK(lull_cancel(host.queue, 1) == LULL_OK);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            set(&visit.is_inside, 0);
            CHECK(event_reinit(host.base) == 0);
            CHECK(lull_reinit_after_fork(host.loop) == LULL_OK);
            CHECK(visit.has_ended);
            CHECK(visit.end == (is_cancelled ? LULL_END_CANCELLED : LULL_END_FAILED));
            submit_work(&host, 2);
            CHECK(event_base_dispatch(host.base) == 1 && host.ends == 2);
            close_host(&host);
            if (!failures) execlp("true", "true", (char *)NULL);
            _exit(1);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(lull_cancel_all(host.queue) == LULL_OK);
        end_visit(&host, &visit);
    }
    close_host(&host);
}

void test_anywhere(void) {
    test_all_run(0);
    test_all_run(1);
    test_all_run(INT64_MAX);
    test_all_run(LULL_NONE);
    test_ends();
    test_cancelling();
    test_closing_from_inside();
    test_closing_the_loop();
    test_fork(0);
    test_fork(1);
    wait_for_lanes();
}
