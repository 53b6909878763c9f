// libev: ev_idle at the lowest priority, ev_timer, ev_async.

#include <CWorkloads.h>
#include <ev.h>
#include <stdlib.h>
#include <unistd.h>

static struct ev_loop *main_loop;

static void end_run(void) {
    ev_break(main_loop, EVBREAK_ALL);
}

// MARK: M1

static void ignore_io(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)io, (void)events;
}

static void tiny_jobs_idle(struct ev_loop *loop, ev_idle *idle, int events) {
    (void)loop, (void)events;
    if (!tiny_jobs_pass(idle->data)) end_run();
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    int descriptor = quiet_descriptor();
    ev_io io;
    ev_io_init(&io, ignore_io, descriptor, EV_READ);
    ev_io_start(main_loop, &io);
    ev_idle idle;
    ev_idle_init(&idle, tiny_jobs_idle);
    idle.data = jobs;
    ev_idle_start(main_loop, &idle);

    tiny_jobs_start(jobs);
    ev_run(main_loop, 0);

    ev_idle_stop(main_loop, &idle);
    ev_io_stop(main_loop, &io);
    close(descriptor);
}

// MARK: M2

static void foreground_io(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)events;
    if (!foreground_read(io->data)) end_run();
}

static void foreground_idle(struct ev_loop *loop, ev_idle *idle, int events) {
    (void)loop, (void)events;
    if (!foreground_job(idle->data)) end_run();
}

static void foreground(struct foreground *fore) {
    ev_io io;
    ev_io_init(&io, foreground_io, fore->descriptor, EV_READ);
    ev_set_priority(&io, EV_MAXPRI);
    io.data = fore;
    ev_io_start(main_loop, &io);
    ev_idle idles[FOREGROUND_MAX_SOURCES];
    for (int i = 0; i < fore->sources; i++) {
        ev_idle_init(&idles[i], foreground_idle);
        ev_set_priority(&idles[i], EV_MINPRI);
        idles[i].data = fore;
        ev_idle_start(main_loop, &idles[i]);
    }

    foreground_start(fore);
    ev_run(main_loop, 0);

    for (int i = 0; i < fore->sources; i++) ev_idle_stop(main_loop, &idles[i]);
    ev_io_stop(main_loop, &io);
}

// MARK: M3

static struct chain *the_chain;

static void chain_io(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)events;
    chain_receive(the_chain, (int)(intptr_t)io->data);
}

static void chain(struct chain *chain) {
    the_chain = chain;
    ev_io *ios = calloc((size_t)chain->count, sizeof *ios);
    for (int i = 0; i < chain->count; i++) {
        ev_io_init(&ios[i], chain_io, chain->descriptors[i], EV_READ);
        ios[i].data = (void *)(intptr_t)i;
        ev_io_start(main_loop, &ios[i]);
    }
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) ev_run(main_loop, EVRUN_NOWAIT);
    }
    for (int i = 0; i < chain->count; i++) ev_io_stop(main_loop, &ios[i]);
    free(ios);
}

// MARK: M4

static void ignore_timer(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)timer, (void)events;
}

static void timers(struct timers *timers) {
    ev_timer *all = calloc((size_t)timers->count, sizeof *all);
    for (int i = 0; i < timers->count; i++) {
        ev_timer_init(&all[i], ignore_timer, timers->due_ms[i] / 1000., 0.);
    }
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) ev_timer_start(main_loop, &all[i]);
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) ev_timer_stop(main_loop, &all[timers->order[i]]);
    timers_cancelled(timers);
    free(all);
}

// MARK: M5 and M6

static ev_async async;

static void send_async(void *argument) {
    (void)argument;
    ev_async_send(main_loop, &async);
}

static void submissions_async(struct ev_loop *loop, ev_async *async, int events) {
    (void)loop, (void)events;
    if (!submissions_answer(async->data)) end_run();
}

static void submissions(struct submissions *submissions) {
    ev_async_init(&async, submissions_async);
    async.data = submissions;
    ev_async_start(main_loop, &async);
    submissions_start(submissions, send_async, NULL);
    ev_run(main_loop, 0);
    ev_async_stop(main_loop, &async);
}

static void quiet_idle(struct ev_loop *loop, ev_idle *idle, int events) {
    (void)events;
    if (quiet_job(idle->data)) return;
    ev_idle_stop(loop, idle);
    quiet_begin(idle->data, send_async, NULL);
}

static void quiet_async(struct ev_loop *loop, ev_async *async, int events) {
    (void)loop, (void)events;
    quiet_end(async->data);
    end_run();
}

static void quiet(struct quiet *quiet) {
    ev_async_init(&async, quiet_async);
    async.data = quiet;
    ev_async_start(main_loop, &async);
    ev_idle idle;
    ev_idle_init(&idle, quiet_idle);
    idle.data = quiet;
    ev_idle_start(main_loop, &idle);
    ev_run(main_loop, 0);
    ev_async_stop(main_loop, &async);
}

// MARK: M7

/// Sets the timer to the next frame's place on the grid. A repeating timer would keep to the grid
/// only until it is once late by a whole period; and it is relative to the loop's time, which
/// must be brought up to date after the frame's work.
static void set_timer(ev_timer *timer, const struct frames *frames) {
    ev_now_update(main_loop);
    int64_t remaining = (int64_t)(frames_next_due_ns(frames) - now_ns());
    ev_timer_set(timer, (double)remaining / 1e9, 0.);
    ev_timer_start(main_loop, timer);
}

static void frames_timer(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    if (frames_handle(timer->data)) {
        set_timer(timer, timer->data);
    } else {
        end_run();
    }
}

static void frames_idle(struct ev_loop *loop, ev_idle *idle, int events) {
    (void)loop, (void)events;
    if (!frames_run_job(idle->data)) end_run();
}

/// The frames' timer is an ev_timer of the highest priority: with idle work the loop polls without
/// waiting, so that the milliseconds of epoll_wait don't matter.
static void frames(struct frames *frames) {
    ev_timer timer;
    ev_init(&timer, frames_timer);
    ev_set_priority(&timer, EV_MAXPRI);
    timer.data = frames;
    ev_idle idle;
    ev_idle_init(&idle, frames_idle);
    ev_set_priority(&idle, EV_MINPRI);
    idle.data = frames;
    ev_idle_start(main_loop, &idle);

    frames_start(frames);
    set_timer(&timer, frames);
    ev_run(main_loop, 0);

    ev_timer_stop(main_loop, &timer);
    ev_idle_stop(main_loop, &idle);
}

int main(int count, char **arguments) {
    static const struct contender contender = {
        .name = "libev",
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .timers = timers,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    if (count != 2) return 64;
    main_loop = ev_default_loop(EVBACKEND_EPOLL | EVFLAG_NOENV);
    return run_workload(&contender, arguments[1]);
}
