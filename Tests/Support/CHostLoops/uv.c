#include "CHostLoops.h"

#include <stdlib.h>
#include <uv.h>

struct event {
    union {
        uv_handle_t handle;
        uv_poll_t poll;
        uv_timer_t timer;
    };
    int is_timer, events;
    void (*call)(void *);
    void *context;
};

static void *make(void) {
    uv_loop_t *loop = calloc(1, sizeof *loop);
    if (uv_loop_init(loop) < 0) abort();
    return loop;
}

static void free_loop(void *loop) {
    while (uv_run(loop, UV_RUN_NOWAIT)) {}  // closes what was let go of
    if (uv_loop_close(loop) < 0) abort();   // something is left on it
    free(loop);
}

static void pass(void *loop, int blocks) {
    uv_run(loop, blocks ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

static void add(uv_handle_t *handle, void *count) {
    *(int *)count += !uv_is_closing(handle);
}

static int count(void *loop) {
    int count = 0;
    uv_walk(loop, add, &count);
    return count;
}

static int is_alive(void *loop) {
    return uv_loop_alive(loop);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    struct event *event = (struct event *)poll;
    event->call(event->context);
}

static void on_time(uv_timer_t *timer) {
    struct event *event = (struct event *)timer;
    event->call(event->context);
}

static void arm(void *address, int64_t microseconds) {
    struct event *event = address;
    if (event->is_timer) {
        uv_timer_start(&event->timer, on_time, (uint64_t)(microseconds + 999) / 1000, 0);
    } else {
        uv_poll_start(&event->poll, event->events, on_poll);
    }
}

static void disarm(void *address) {
    struct event *event = address;
    if (event->is_timer) {
        uv_timer_stop(&event->timer);
    } else {
        uv_poll_stop(&event->poll);
    }
}

static void *make_event(
    void *loop, int descriptor, int writes, void (*call)(void *), void *context) {
    struct event *event = calloc(1, sizeof *event);
    event->call = call;
    event->context = context;
    event->is_timer = descriptor < 0;
    event->events = writes ? UV_WRITABLE : UV_READABLE;
    if (event->is_timer) {
        uv_timer_init(loop, &event->timer);
    } else {
        if (uv_poll_init(loop, &event->poll, descriptor) < 0) abort();
        arm(event, 0);
    }
    return event;
}

static void closed(uv_handle_t *handle) {
    free(handle);
}

static void free_event(void *address) {
    uv_close(&((struct event *)address)->handle, closed);
}

struct spinner {
    uv_idle_t idle;
    int (*call)(void *);
    void *context;
};

static void on_idle(uv_idle_t *idle) {
    struct spinner *spinner = (struct spinner *)idle;
    if (!spinner->call(spinner->context)) uv_close((uv_handle_t *)idle, closed);
}

void host_loop_uv_spin(void *loop, int (*call)(void *), void *context) {
    struct spinner *spinner = calloc(1, sizeof *spinner);
    spinner->call = call;
    spinner->context = context;
    uv_idle_init(loop, &spinner->idle);
    uv_idle_start(&spinner->idle, on_idle);
}

const host_loop_kind host_loop_uv = {
    make, free_loop, pass, count, is_alive, make_event, arm, disarm, free_event};
