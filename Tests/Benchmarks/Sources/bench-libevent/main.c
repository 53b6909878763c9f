// libevent, in several ways of getting "run this only when idle":
//
//     bench-libevent MODE WORKLOAD
//
// zt      an idle event at the lowest of 3 priorities, armed again as a timer of zero seconds
// drive   the program polls, and works when that poll brought nothing

#include <CWorkloads.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum mode { ZT, DRIVE, MODES };

static const char *const mode_names[MODES] = {"zt", "drive"};

static enum mode mode;
enum { priorities = 3 };
static struct event_base *base;

static void open_base(void) {
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    base = event_base_new_with_config(config);
    if (!base) die("event_base_new_with_config");
    event_config_free(config);
    event_base_priority_init(base, priorities);
}

static struct event *watch(int descriptor, event_callback_fn callback, void *argument) {
    struct event *event = event_new(base, descriptor, EV_READ | EV_PERSIST, callback, argument);
    event_priority_set(event, 0);
    event_add(event, NULL);
    return event;
}

// MARK: Idle

/// An idle source, in whichever way the mode has.
struct idle {
    struct event *event;
    /// One idle pass; false ends the run.
    bool (*pass)(void *);
    void *argument;
};

static struct idle idles[FOREGROUND_MAX_SOURCES];
static int idle_count;
static bool is_idle_over;

static void arm(struct idle *idle) {
    static const struct timeval zero = {0, 0};
    event_add(idle->event, &zero);
}

static void idle_callback(evutil_socket_t descriptor, short events, void *argument) {
    (void)descriptor, (void)events;
    struct idle *idle = argument;
    if (idle->pass(idle->argument)) {
        arm(idle);
    } else {
        is_idle_over = true;
    }
}

static void add_idle(bool (*pass)(void *), void *argument) {
    struct idle *idle = &idles[idle_count++];
    idle->pass = pass;
    idle->argument = argument;
    idle->event = event_new(base, -1, 0, idle_callback, idle);
    event_priority_set(idle->event, priorities - 1);
    is_idle_over = false;
    if (mode != DRIVE) arm(idle);
}

static void remove_idles(void) {
    while (idle_count > 0) event_free(idles[--idle_count].event);
}

/// One pass of the program's own loop: a poll, then work if nothing was ready, then a sleep if
/// there is no more work.
static void drive_once(void) {
    event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
    if (event_base_got_break(base)) return;
    if (event_base_get_max_events(base, EVENT_BASE_COUNT_ACTIVE, 1) > 0) return;
    if (is_idle_over) {
        event_base_loop(base, EVLOOP_ONCE);
    } else {
        // Sources in turn, one between two polls.
        static int turn;
        if (++turn >= idle_count) turn = 0;
        struct idle *idle = &idles[turn];
        is_idle_over = !idle->pass(idle->argument);
    }
}

static void end_run(void) {
    event_base_loopbreak(base);
}

static bool drive_is_over;

static void run(void) {
    if (mode != DRIVE) {
        event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
        return;
    }
    drive_is_over = false;
    while (!drive_is_over) {
        drive_once();
        if (event_base_got_break(base)) break;
    }
}

/// For idle passes that end the run: `loopbreak` outside of the library's loop would be lost.
static bool go_on(bool more) {
    if (more) return true;
    drive_is_over = true;
    end_run();
    return false;
}

// MARK: M1

static void ignore(evutil_socket_t descriptor, short events, void *argument) {
    (void)descriptor, (void)events, (void)argument;
}

static bool tiny_jobs_idle(void *argument) {
    return go_on(tiny_jobs_pass(argument));
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    open_base();
    int descriptor = quiet_descriptor();
    struct event *event = watch(descriptor, ignore, NULL);
    tiny_jobs_start(jobs);
    add_idle(tiny_jobs_idle, jobs);
    run();
    remove_idles();
    event_free(event);
    event_base_free(base);
    close(descriptor);
}

// MARK: M2

static void foreground_ready(evutil_socket_t descriptor, short events, void *argument) {
    (void)descriptor, (void)events;
    if (!foreground_read(argument)) end_run();
}

static bool foreground_idle(void *argument) {
    bool more = foreground_job(argument);
    // The library's idea of the present is from before the job, and timers would be late by it.
    event_base_update_cache_time(base);
    return go_on(more);
}

static void foreground(struct foreground *fore) {
    open_base();
    struct event *event = watch(fore->descriptor, foreground_ready, fore);
    foreground_start(fore);
    for (int i = 0; i < fore->sources; i++) add_idle(foreground_idle, fore);
    run();
    remove_idles();
    event_free(event);
    event_base_free(base);
}

// MARK: M3

static struct chain *the_chain;

static void chain_ready(evutil_socket_t descriptor, short events, void *argument) {
    (void)descriptor, (void)events;
    chain_receive(the_chain, (int)(intptr_t)argument);
}

static void chain(struct chain *chain) {
    open_base();
    the_chain = chain;
    struct event *all = calloc((size_t)chain->count, sizeof *all);
    for (int i = 0; i < chain->count; i++) {
        void *argument = (void *)(intptr_t)i;
        event_assign(
            &all[i], base, chain->descriptors[i], EV_READ | EV_PERSIST, chain_ready, argument);
        event_add(&all[i], NULL);
    }
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    }
    for (int i = 0; i < chain->count; i++) event_del(&all[i]);
    free(all);
    event_base_free(base);
}

// MARK: M4

static void add_and_cancel(struct timers *timers, const struct timeval *common) {
    struct event *all = calloc((size_t)timers->count, sizeof *all);
    for (int i = 0; i < timers->count; i++) event_assign(&all[i], base, -1, 0, ignore, NULL);
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) {
        uint32_t due_ms = timers->due_ms[i];
        struct timeval due = {due_ms / 1000, due_ms % 1000 * 1000};
        event_add(&all[i], common ? common : &due);
    }
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) event_del(&all[timers->order[i]]);
    timers_cancelled(timers);
    free(all);
    event_base_free(base);
}

static void timers(struct timers *timers) {
    open_base();
    add_and_cancel(timers, NULL);
}

static void equal_timers(struct timers *timers) {
    open_base();
    struct timeval duration = {600, 0};
    add_and_cancel(timers, event_base_init_common_timeout(base, &duration));
}

// MARK: M5 and M6

static struct event *wake_event;
static int wake_descriptor;

static void wake(void *argument) {
    (void)argument;
    uint64_t one = 1;
    if (write(wake_descriptor, &one, sizeof one) < 0) die("write");
}

static void open_wake(event_callback_fn callback, void *argument) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    wake_event = watch(wake_descriptor, callback, argument);
}

static void close_wake(void) {
    event_free(wake_event);
    close(wake_descriptor);
}

static void submissions_woken(evutil_socket_t descriptor, short events, void *argument) {
    (void)events;
    drain_descriptor(descriptor);
    if (!submissions_answer(argument)) end_run();
}

static void submissions(struct submissions *submissions) {
    open_base();
    open_wake(submissions_woken, submissions);
    submissions_start(submissions, wake, NULL);
    is_idle_over = true;
    run();
    close_wake();
    event_base_free(base);
}

static bool quiet_idle(void *argument) {
    if (quiet_job(argument)) return true;
    quiet_begin(argument, wake, NULL);
    return false;
}

static void quiet_woken(evutil_socket_t descriptor, short events, void *argument) {
    (void)descriptor, (void)events;
    quiet_end(argument);
    end_run();
}

static void quiet(struct quiet *quiet) {
    open_base();
    open_wake(quiet_woken, quiet);
    add_idle(quiet_idle, quiet);
    run();
    remove_idles();
    close_wake();
    event_base_free(base);
}

// MARK: M7

static void frames_ready(evutil_socket_t descriptor, short events, void *argument) {
    (void)events;
    drain_descriptor(descriptor);
    if (!frames_handle(argument)) end_run();
}

static bool frames_idle(void *argument) {
    bool more = frames_run_job(argument);
    event_base_update_cache_time(base);
    return go_on(more);
}

/// The frames' timer is a timer descriptor at the highest priority: the library's own timers are
/// up to 4 ms late, or with precise ones each pass costs a system call more.
static void frames(struct frames *frames) {
    open_base();
    frames_start(frames);
    int timer = timer_descriptor(frames->start_ns, frames->period_ns);
    struct event *event = watch(timer, frames_ready, frames);
    add_idle(frames_idle, frames);
    run();
    remove_idles();
    event_free(event);
    event_base_free(base);
    close(timer);
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    for (mode = 0; mode < MODES; mode++) {
        if (!strcmp(mode_names[mode], arguments[1])) break;
    }
    if (mode == MODES) return 64;
    char name[32];
    snprintf(name, sizeof name, "libevent-%s", arguments[1]);
    struct contender contender = {
        .name = name,
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .timers = timers,
        .equal_timers = equal_timers,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    return run_workload(&contender, arguments[2]);
}
