/* Handles and arguments that are wrong. */

#include <errno.h>
#include <sys/resource.h>

#include "host.h"

/* Every function, with handles that are wrong in the same way. */

struct handles {
    lull_loop *loop;
    lull_queue *queue;
    lull_observer *observer;
    lull_timer *timer;
    const lull_slot *slot;
    lull_list *list;
};

#define EXPECT(call) CHECK((call) == expected && error_names(#call, ""))

static lull_job a_job; /* one that may be handed in */
static lull_list_options a_list; /* one that may be made */

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    (void)slot;
    (void)load;
    (void)context;
    return LULL_DONE;
}

static void expect_of_slot(const lull_slot *slot, lull_status expected) {
    EXPECT(lull_slot_is_over(slot));
    EXPECT(lull_slot_remaining(slot));
    EXPECT(lull_slot_deadline(slot));
    EXPECT(lull_slot_slice_end(slot));
    EXPECT(lull_slot_did_time_out(slot));
}

static void expect_of_list(lull_list *list, lull_status expected) {
    lull_update update;
    lull_flow flow = {LULL_FLOW_COLUMNS, 2, 0, 100, 0, 0, 0};
    lull_frame frame;
    lull_row row;
    lull_list_statistics counts;
    double offset;
    char text[8];
    memset(&update, 0, sizeof update);
    EXPECT(lull_list_input(list, LULL_INPUT_DOWN, 0, LULL_NONE));
    EXPECT(lull_list_fling(list, 0, 0, LULL_NONE));
    EXPECT(lull_list_scroll(list, 0, LULL_NONE));
    EXPECT(lull_list_jump(list, 0, LULL_NONE));
    EXPECT(lull_list_resize(list, 100));
    EXPECT(lull_list_arrange(list, &flow));
    EXPECT(lull_list_update(list, &update, 1, 2));
    EXPECT(lull_list_resume(list, 0));
    EXPECT(lull_list_retry(list, 0));
    EXPECT(lull_list_invalidate(list, 0));
    EXPECT(lull_list_count(list));
    EXPECT(lull_list_offset(list));
    EXPECT(lull_list_price(list));
    EXPECT(lull_list_visible(list, NULL));
    EXPECT(lull_list_extent(list, 0, NULL, NULL));
    EXPECT(lull_list_get_frame(list, 0, &frame));
    EXPECT(lull_list_landing(list, &offset));
    EXPECT(lull_list_get_row(list, 0, &row, sizeof row));
    EXPECT(lull_list_explain(list, 0, text, sizeof text));
    EXPECT(lull_list_get_statistics(list, &counts, sizeof counts));
    EXPECT(lull_list_close(list));
}

static void expect_of_objects(const struct handles *of, lull_status expected) {
    lull_queue *queue = (lull_queue *)of;
    lull_observer *observer = (lull_observer *)of;
    lull_timer *timer = (lull_timer *)of;
    lull_list *list = (lull_list *)of;
    lull_queue_statistics counts;
    EXPECT(lull_process(of->loop, 0));
    EXPECT(lull_poke(of->loop));
    EXPECT(lull_expect_frame(of->loop, 0));
    EXPECT(lull_set_mode(of->loop, LULL_MODE_DEFAULT));
    EXPECT(lull_queue_new(of->loop, NULL, &queue));
    CHECK(!queue);
    EXPECT(lull_before_idle(of->loop, 0, LULL_MODE_ALL, idle, NULL, &observer));
    CHECK(!observer);
    EXPECT(lull_timer_new(of->loop, 0, LULL_NONE, LULL_NONE, fire, NULL, &timer));
    CHECK(!timer);
    EXPECT(lull_reinit_after_fork(of->loop));
    EXPECT(lull_close(of->loop));
    EXPECT(lull_submit(of->queue, &a_job));
    EXPECT(lull_submit_anywhere(of->queue, &a_job));
    EXPECT(lull_reprioritize(of->queue, 1, LULL_PRIORITY_HIGHEST, 0));
    EXPECT(lull_resume(of->queue, 1));
    EXPECT(lull_cancel(of->queue, 1));
    EXPECT(lull_cancel_all(of->queue));
    EXPECT(lull_contains(of->queue, 1));
    EXPECT(lull_count(of->queue));
    EXPECT(lull_queue_get_statistics(of->queue, &counts, sizeof counts));
    EXPECT(lull_queue_shutdown(of->queue, 0, NULL, NULL));
    EXPECT(lull_loop_shutdown(of->loop, 0, NULL, fire, NULL));
    EXPECT(lull_queue_close(of->queue));
    EXPECT(lull_observer_cancel(of->observer));
    EXPECT(lull_timer_cancel(of->timer));
    EXPECT(lull_list_new(of->loop, &a_list, &list));
    CHECK(!list);
    expect_of_list(of->list, expected);
    if (expected != LULL_WRONG_THREAD) EXPECT(lull_post(of->loop, fire, NULL));
}

static void expect(const struct handles *of, lull_status expected) {
    expect_of_objects(of, expected);
    expect_of_slot(of->slot, expected);
}

static struct handles same(void *handle) {
    struct handles handles;
    handles.loop = (lull_loop *)handle;
    handles.queue = (lull_queue *)handle;
    handles.observer = (lull_observer *)handle;
    handles.timer = (lull_timer *)handle;
    handles.slot = (const lull_slot *)handle;
    handles.list = (lull_list *)handle;
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

/* Wherever it runs. */
static lull_progress use_from_anywhere(const lull_slot *slot, uint64_t key, void *context) {
    struct caller *caller = (struct caller *)context;
    lull_loop *loop;
    int descriptor;
    (void)key;
    caller->handles.slot = slot;
    expect_of_objects(&caller->handles, LULL_WRONG_THREAD);
    in_another_thread(use_elsewhere, &caller->handles);
    CHECK(lull_slot_is_over(slot) >= 0);
    CHECK(lull_adopt_fd(&loop, &descriptor) == LULL_BUSY && !loop);
    CHECK(error_names("lull_adopt_fd(", "a job that may run anywhere is being called"));
    CHECK(lull_post(caller->handles.loop, fire, &caller->host) == LULL_OK);
    return LULL_DONE;
}

static void test_use_from_anywhere(struct caller *caller, int64_t lanes) {
    lull_job job;
    lull_queue *queue;
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    options.lanes = lanes;
    CHECK(lull_queue_new(caller->host.loop, &options, &queue) == LULL_OK);
    job = job_of(&caller->host, 1);
    job.run = use_from_anywhere;
    job.context = caller;
    job.end = NULL;
    caller->host.calls = 0;
    CHECK(lull_submit_anywhere(queue, &job) == LULL_OK);
    while (lull_count(queue) > 0 || caller->host.calls == 0)
        event_base_loop(caller->host.base, EVLOOP_ONCE);
    CHECK(lull_slot_is_over(caller->handles.slot) == LULL_STALE);
}

static void test_bad_handles(void) {
    struct caller caller;
    struct handles handles;
    lull_job job;
    int local = 0;
    a_job = job_of(NULL, 1);
    lull_list_options_init(&a_list, sizeof a_list);
    a_list.rows = 1;
    a_list.load = load;
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
    CHECK(lull_list_new(handles.loop, &a_list, &handles.list) == LULL_OK);
    caller.handles = handles;
    job = job_of(&caller.host, 1);
    job.run = use_elsewhere_now;
    job.context = &caller;
    job.end = NULL;
    CHECK(lull_submit(handles.queue, &job) == LULL_OK);
    while (lull_count(handles.queue) > 0) event_base_loop(caller.host.base, EVLOOP_ONCE);
    test_use_from_anywhere(&caller, LULL_NONE);
    test_use_from_anywhere(&caller, 0);
    handles.slot = caller.handles.slot;

    /* Each in the place of another. */
    struct handles mixed;
    mixed.loop = (lull_loop *)handles.queue;
    mixed.queue = (lull_queue *)handles.observer;
    mixed.observer = (lull_observer *)handles.timer;
    mixed.timer = (lull_timer *)handles.list;
    mixed.list = (lull_list *)handles.slot;
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
    CHECK(!strcmp(lull_last_error(), "lull_adopt: there is no event base to adopt"));
    /* A library on top sets the text. */
    lull_set_last_error("mine: it is wrong");
    lull_set_last_error(NULL);
    CHECK(!strcmp(lull_last_error(), "mine: it is wrong"));
    lull_set_last_error(lull_last_error() + 6);
    CHECK(!strcmp(lull_last_error(), "it is wrong"));
    open_host(&host);
    REFUSED(lull_adopt(host.base, NULL), "loop");
    REFUSED(lull_set_mode(host.loop, (lull_mode)0), "mode");
    REFUSED(lull_set_mode(host.loop, LULL_MODE_ALL), "mode");
    REFUSED(lull_post(host.loop, NULL, NULL), "call");
    REFUSED(lull_queue_new(host.loop, NULL, NULL), "queue");
    REFUSED(lull_queue_get_statistics(host.queue, NULL, 8), "statistics");
    REFUSED(lull_before_idle(host.loop, 0, LULL_MODE_ALL, NULL, NULL, NULL), "work");
    REFUSED(lull_before_idle(host.loop, 0, (lull_mode)0, idle, NULL, NULL), "modes");
    lull_queue_options_init(NULL, 8);
    lull_job_init(NULL, 8);

#define BAD_OPTION(member, value)                                                      \
    lull_queue_options_init(&options, sizeof options);                                 \
    options.member = value;                                                            \
    REFUSED(lull_queue_new(host.loop, &options, &queue), "options->" #member);         \
    CHECK(!queue)
    BAD_OPTION(size, sizeof options - 1);
    BAD_OPTION(size, 0);
    BAD_OPTION(limit, 0);
    BAD_OPTION(limit, -1);
    BAD_OPTION(limit, INT64_MAX);
    BAD_OPTION(limit, INT64_MIN);
    BAD_OPTION(slice, 0);
    BAD_OPTION(slice, INT64_MIN);
    BAD_OPTION(batch, -1);
    BAD_OPTION(max_deferral, 0);
    BAD_OPTION(max_deferral, -7);
    BAD_OPTION(modes, (lull_mode)0);
    BAD_OPTION(weight, 0);
    BAD_OPTION(weight, INT32_MIN);
    BAD_OPTION(lanes, -2);
    BAD_OPTION(lanes, INT64_MIN);

#define BAD_JOB(member, value)                                                         \
    job = job_of(&host, 1);                                                            \
    job.member = value;                                                                \
    REFUSED(lull_submit_anywhere(host.queue, &job), "job->" #member);                  \
    REFUSED(lull_submit(host.queue, &job), "job->" #member)
    BAD_JOB(size, sizeof job - 1);
    BAD_JOB(run, NULL);
    BAD_JOB(cost, -2);
    BAD_JOB(cost, INT64_MIN);
    BAD_JOB(timeout, -2);
    BAD_JOB(priority, (lull_priority)6);
    REFUSED(lull_submit(host.queue, NULL), "job");
    REFUSED(lull_submit_anywhere(host.queue, NULL), "job");
    CHECK(lull_count(host.queue) == 0 && host.ends == 0);
    REFUSED(lull_reprioritize(host.queue, 1, (lull_priority)7, 0), "priority");
    REFUSED(lull_queue_shutdown(host.queue, LULL_NONE, NULL, NULL), "time");
    REFUSED(lull_loop_shutdown(host.loop, 0, NULL, NULL, NULL), "then");
    REFUSED(lull_process(host.loop, 0), "loop");
    REFUSED(lull_expect_frame(host.loop, -1), "time");

#define BAD_TIMER(argument, delay, period, tolerance, fire)                            \
    REFUSED(                                                                           \
        lull_timer_new(host.loop, delay, period, tolerance, fire, NULL, &timer),       \
        argument);                                                                     \
    CHECK(!timer)
    BAD_TIMER("delay", -1, LULL_NONE, LULL_NONE, fire);
    BAD_TIMER("period", 0, 0, LULL_NONE, fire);
    BAD_TIMER("period", 0, -2, LULL_NONE, fire);
    BAD_TIMER("tolerance", 0, LULL_NONE, INT64_MIN, fire);
    BAD_TIMER("fire", 0, LULL_NONE, LULL_NONE, NULL);
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
    {
        struct {
            lull_list_options list;
            int64_t more;
        } list;
        lull_list *handle;
        lull_list_options_init(&list.list, sizeof list);
        list.list.load = load;
        CHECK(lull_list_new(host.loop, &list.list, &handle) == LULL_OK);
        list.more = 1;
        CHECK(lull_list_new(host.loop, &list.list, &handle) == LULL_UNSUPPORTED && !handle);
    }
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

void test_misuse(void) {
    test_bad_handles();
    test_bad_arguments();
    test_other_sizes();
    test_no_descriptors();
    wait_for_lanes();
}
