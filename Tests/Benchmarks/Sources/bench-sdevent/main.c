// sd-event: a deferred source that stays on, at SD_EVENT_PRIORITY_IDLE.

#include <CWorkloads.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <systemd/sd-event.h>
#include <unistd.h>

static sd_event *event;
static bool is_running;

/// The library returns what went wrong as a negative errno.
static void check(int result, const char *what) {
    if (result >= 0) return;
    errno = -result;
    die(what);
}

static void run(void) {
    is_running = true;
    while (is_running) check(sd_event_run(event, UINT64_MAX), "sd_event_run");
}

static int go_on(bool more) {
    if (!more) is_running = false;
    return 0;
}

static sd_event_source *watch(
    int descriptor, int64_t priority, sd_event_io_handler_t handler, void *data
) {
    sd_event_source *source;
    check(sd_event_add_io(event, &source, descriptor, EPOLLIN, handler, data), "sd_event_add_io");
    sd_event_source_set_priority(source, priority);
    return source;
}

static sd_event_source *add_idle(sd_event_handler_t handler, void *data) {
    sd_event_source *source;
    check(sd_event_add_defer(event, &source, handler, data), "sd_event_add_defer");
    sd_event_source_set_priority(source, SD_EVENT_PRIORITY_IDLE);
    sd_event_source_set_enabled(source, SD_EVENT_ON);
    return source;
}

// MARK: M1

static int ignore_io(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)source, (void)descriptor, (void)events, (void)data;
    return 0;
}

static int tiny_jobs_idle(sd_event_source *source, void *data) {
    (void)source;
    return go_on(tiny_jobs_pass(data));
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    int descriptor = quiet_descriptor();
    sd_event_source *io = watch(descriptor, SD_EVENT_PRIORITY_NORMAL, ignore_io, NULL);
    sd_event_source *idle = add_idle(tiny_jobs_idle, jobs);

    tiny_jobs_start(jobs);
    run();

    sd_event_source_disable_unref(idle);
    sd_event_source_disable_unref(io);
    close(descriptor);
}

// MARK: M2

static int foreground_io(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)source, (void)descriptor, (void)events;
    return go_on(foreground_read(data));
}

static int foreground_idle(sd_event_source *source, void *data) {
    (void)source;
    return go_on(foreground_job(data));
}

static void foreground(struct foreground *fore) {
    sd_event_source *io = watch(
        fore->descriptor, SD_EVENT_PRIORITY_IMPORTANT, foreground_io, fore);
    sd_event_source *idles[FOREGROUND_MAX_SOURCES];
    for (int i = 0; i < fore->sources; i++) idles[i] = add_idle(foreground_idle, fore);

    foreground_start(fore);
    run();

    for (int i = 0; i < fore->sources; i++) sd_event_source_disable_unref(idles[i]);
    sd_event_source_disable_unref(io);
}

// MARK: M3

static struct chain *the_chain;

static int chain_io(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)source, (void)descriptor, (void)events;
    chain_receive(the_chain, (int)(intptr_t)data);
    return 0;
}

static void chain(struct chain *chain) {
    the_chain = chain;
    sd_event_source **ios = calloc((size_t)chain->count, sizeof *ios);
    for (int i = 0; i < chain->count; i++) {
        ios[i] = watch(
            chain->descriptors[i], SD_EVENT_PRIORITY_NORMAL, chain_io, (void *)(intptr_t)i);
    }
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) sd_event_run(event, 0);
    }
    for (int i = 0; i < chain->count; i++) sd_event_source_disable_unref(ios[i]);
    free(ios);
}

// MARK: M4

static int ignore_time(sd_event_source *source, uint64_t usec, void *data) {
    (void)source, (void)usec, (void)data;
    return 0;
}

static void timers(struct timers *timers) {
    sd_event_source **all = calloc((size_t)timers->count, sizeof *all);
    uint64_t now;
    check(sd_event_now(event, CLOCK_MONOTONIC, &now), "sd_event_now");
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) {
        uint64_t due = now + timers->due_ms[i] * 1000ull;
        sd_event_add_time(event, &all[i], CLOCK_MONOTONIC, due, 1, ignore_time, NULL);
    }
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) sd_event_source_unref(all[timers->order[i]]);
    timers_cancelled(timers);
    free(all);
}

// MARK: M5 and M6

static int wake_descriptor;

/// No call of the library is safe on another thread.
static void wake(void *argument) {
    (void)argument;
    uint64_t one = 1;
    if (write(wake_descriptor, &one, sizeof one) < 0) die("write");
}

static int submissions_io(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)source, (void)events;
    drain_descriptor(descriptor);
    return go_on(submissions_answer(data));
}

static void submissions(struct submissions *submissions) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(wake_descriptor, SD_EVENT_PRIORITY_NORMAL, submissions_io, submissions);
    submissions_start(submissions, wake, NULL);
    run();
}

static int quiet_idle(sd_event_source *source, void *data) {
    if (quiet_job(data)) return 0;
    sd_event_source_set_enabled(source, SD_EVENT_OFF);
    quiet_begin(data, wake, NULL);
    return 0;
}

static int quiet_io(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)source, (void)descriptor, (void)events;
    quiet_end(data);
    return go_on(false);
}

static void quiet(struct quiet *quiet) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(wake_descriptor, SD_EVENT_PRIORITY_NORMAL, quiet_io, quiet);
    add_idle(quiet_idle, quiet);
    run();
}

// MARK: M7

static int frames_time(sd_event_source *source, uint64_t usec, void *data) {
    (void)usec;
    struct frames *frames = data;
    if (!frames_handle(frames)) return go_on(false);
    // Rounded up, for a frame isn't due a part of a microsecond before it is.
    sd_event_source_set_time(source, frames_next_due_ns(frames) / 1000 + 1);
    sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
    return 0;
}

static int frames_idle(sd_event_source *source, void *data) {
    (void)source;
    return go_on(frames_run_job(data));
}

/// The frames' timer is the library's own, to the microsecond, set to each frame in turn.
static void frames(struct frames *frames) {
    frames_start(frames);
    sd_event_source *timer;
    uint64_t first = frames_next_due_ns(frames) / 1000 + 1;
    int result = sd_event_add_time(
        event, &timer, CLOCK_MONOTONIC, first, 1, frames_time, frames);
    check(result, "sd_event_add_time");
    sd_event_source_set_priority(timer, SD_EVENT_PRIORITY_IMPORTANT);
    sd_event_source *idle = add_idle(frames_idle, frames);

    run();

    sd_event_source_disable_unref(idle);
    sd_event_source_disable_unref(timer);
}

int main(int count, char **arguments) {
    static const struct contender contender = {
        .name = "sd-event",
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .timers = timers,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    if (count != 2) return 64;
    check(sd_event_new(&event), "sd_event_new");
    return run_workload(&contender, arguments[1]);
}
