// libuv: uv_idle (which runs on each pass, not only on idle ones), uv_poll, uv_timer, uv_async.

#include <CWorkloads.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t *main_loop;

static void close_handle(void *handle) {
    uv_close(handle, NULL);
}

/// Lets handles that were closed go, so that they may be freed.
static void finish_closing(void) {
    uv_run(main_loop, UV_RUN_NOWAIT);
}

static void watch(uv_poll_t *handle, int descriptor, uv_poll_cb callback, void *data) {
    uv_poll_init(main_loop, handle, descriptor);
    handle->data = data;
    uv_poll_start(handle, UV_READABLE, callback);
}

static void start_idle(uv_idle_t *handle, uv_idle_cb callback, void *data) {
    uv_idle_init(main_loop, handle);
    handle->data = data;
    uv_idle_start(handle, callback);
}

// MARK: M1

static void ignore_poll(uv_poll_t *handle, int status, int events) {
    (void)handle, (void)status, (void)events;
}

static void tiny_jobs_idle(uv_idle_t *idle) {
    if (!tiny_jobs_pass(idle->data)) uv_stop(main_loop);
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    int descriptor = quiet_descriptor();
    uv_poll_t poll;
    watch(&poll, descriptor, ignore_poll, NULL);
    uv_idle_t idle;
    start_idle(&idle, tiny_jobs_idle, jobs);

    tiny_jobs_start(jobs);
    uv_run(main_loop, UV_RUN_DEFAULT);

    close_handle(&idle);
    close_handle(&poll);
    finish_closing();
    close(descriptor);
}

// MARK: M2

static void foreground_poll(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    if (!foreground_read(poll->data)) uv_stop(main_loop);
}

static void foreground_idle(uv_idle_t *idle) {
    if (!foreground_job(idle->data)) uv_stop(main_loop);
}

static void foreground(struct foreground *fore) {
    uv_poll_t poll;
    watch(&poll, fore->descriptor, foreground_poll, fore);
    uv_idle_t idles[FOREGROUND_MAX_SOURCES];
    for (int i = 0; i < fore->sources; i++) start_idle(&idles[i], foreground_idle, fore);

    foreground_start(fore);
    uv_run(main_loop, UV_RUN_DEFAULT);

    for (int i = 0; i < fore->sources; i++) close_handle(&idles[i]);
    close_handle(&poll);
    finish_closing();
}

// MARK: M3

static struct chain *the_chain;

static void chain_poll(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    chain_receive(the_chain, (int)(intptr_t)poll->data);
}

static void chain(struct chain *chain) {
    the_chain = chain;
    uv_poll_t *polls = calloc((size_t)chain->count, sizeof *polls);
    for (int i = 0; i < chain->count; i++) {
        watch(&polls[i], chain->descriptors[i], chain_poll, (void *)(intptr_t)i);
    }
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) uv_run(main_loop, UV_RUN_NOWAIT);
    }
    for (int i = 0; i < chain->count; i++) close_handle(&polls[i]);
    finish_closing();
    free(polls);
}

// MARK: M4

static void ignore_timer(uv_timer_t *timer) {
    (void)timer;
}

static void timers(struct timers *timers) {
    uv_timer_t *all = calloc((size_t)timers->count, sizeof *all);
    for (int i = 0; i < timers->count; i++) uv_timer_init(main_loop, &all[i]);
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) {
        uv_timer_start(&all[i], ignore_timer, timers->due_ms[i], 0);
    }
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) uv_timer_stop(&all[timers->order[i]]);
    timers_cancelled(timers);
    for (int i = 0; i < timers->count; i++) close_handle(&all[i]);
    finish_closing();
    free(all);
}

// MARK: M5 and M6

static uv_async_t async;

static void send_async(void *argument) {
    (void)argument;
    uv_async_send(&async);
}

static void submissions_async(uv_async_t *async) {
    if (!submissions_answer(async->data)) uv_stop(main_loop);
}

static void submissions(struct submissions *submissions) {
    uv_async_init(main_loop, &async, submissions_async);
    async.data = submissions;
    submissions_start(submissions, send_async, NULL);
    uv_run(main_loop, UV_RUN_DEFAULT);
}

static void quiet_idle(uv_idle_t *idle) {
    if (quiet_job(idle->data)) return;
    uv_idle_stop(idle);
    quiet_begin(idle->data, send_async, NULL);
}

static void quiet_async(uv_async_t *async) {
    quiet_end(async->data);
    uv_stop(main_loop);
}

static void quiet(struct quiet *quiet) {
    uv_async_init(main_loop, &async, quiet_async);
    async.data = quiet;
    uv_idle_t idle;
    start_idle(&idle, quiet_idle, quiet);
    uv_run(main_loop, UV_RUN_DEFAULT);
}

// MARK: M7

static int frame_timer;

static void frames_poll(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    drain_descriptor(frame_timer);
    if (!frames_handle(poll->data)) uv_stop(main_loop);
}

static void frames_idle(uv_idle_t *idle) {
    if (!frames_run_job(idle->data)) uv_stop(main_loop);
}

/// The frames' timer is a timer descriptor: uv_timer counts whole milliseconds, of which no
/// number is a sixtieth of a second.
static void frames(struct frames *frames) {
    frames_start(frames);
    frame_timer = timer_descriptor(frames->start_ns, frames->period_ns);
    uv_poll_t poll;
    watch(&poll, frame_timer, frames_poll, frames);
    uv_idle_t idle;
    start_idle(&idle, frames_idle, frames);

    uv_run(main_loop, UV_RUN_DEFAULT);

    close_handle(&idle);
    close_handle(&poll);
    finish_closing();
    close(frame_timer);
}

int main(int count, char **arguments) {
    static const struct contender contender = {
        .name = "libuv",
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .timers = timers,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    if (count != 2) return 64;
    main_loop = uv_default_loop();
    return run_workload(&contender, arguments[1]);
}
