#define _GNU_SOURCE  // ppoll

// The simplest loop there is: poll, then call. It knows whether a pass served anything.

#include "CHostLoops.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>

#define MOST_EVENTS 16

struct loop;

struct event {
    struct loop *loop;
    int descriptor, is_enabled;
    short events;
    int64_t due;
    void (*call)(void *);
    void (*call_last)(int served, void *context);
    void *context;
};

struct loop {
    struct event *events[MOST_EVENTS];
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *make(void) {
    return calloc(1, sizeof(struct loop));
}

static void free_loop(void *loop) {
    free(loop);
}

static int has(struct loop *loop, const struct event *event) {
    for (int i = 0; i < MOST_EVENTS; i++)
        if (loop->events[i] == event) return 1;
    return 0;
}

static void pass(void *address, int blocks) {
    struct loop *loop = address;
    struct event *waiting[MOST_EVENTS] = {0}, *last = NULL;
    struct pollfd polled[MOST_EVENTS];
    int64_t wait = blocks ? INT64_MAX : 0, time = now();
    for (int i = 0; i < MOST_EVENTS; i++) {
        struct event *event = loop->events[i];
        polled[i].fd = -1;
        polled[i].revents = 0;
        if (!event || !event->is_enabled) continue;
        waiting[i] = event;
        if (event->call_last) last = event;
        polled[i].fd = event->descriptor;
        polled[i].events = event->events;
        if (event->descriptor < 0 && event->due - time < wait)
            wait = event->due > time ? event->due - time : 0;
    }
    struct timespec timeout = {wait / 1000000000, wait % 1000000000};
    ppoll(polled, MOST_EVENTS, wait == INT64_MAX ? NULL : &timeout, NULL);
    time = now();
    int served = 0, is_last = 0;
    for (int i = 0; i < MOST_EVENTS; i++) {
        struct event *event = waiting[i];
        if (!event || !has(loop, event) || !event->is_enabled) continue;
        if (event->descriptor < 0 ? event->due > time : !polled[i].revents) continue;
        if (event == last) {
            is_last = 1;
            continue;
        }
        if (event->descriptor < 0) event->is_enabled = 0;
        served++;
        event->call(event->context);
    }
    if (is_last && has(loop, last)) last->call_last(served, last->context);
}

static int count(void *address) {
    struct loop *loop = address;
    int count = 0;
    for (int i = 0; i < MOST_EVENTS; i++) count += loop->events[i] != NULL;
    return count;
}

static void *make_event(
    void *address, int descriptor, int writes, void (*call)(void *), void *context) {
    struct loop *loop = address;
    struct event *event = calloc(1, sizeof *event);
    event->loop = loop;
    event->descriptor = descriptor;
    event->is_enabled = descriptor >= 0;
    event->events = writes ? POLLOUT : POLLIN;
    event->call = call;
    event->context = context;
    int place = 0;
    while (loop->events[place])
        if (++place == MOST_EVENTS) abort();
    loop->events[place] = event;
    return event;
}

static void arm(void *address, int64_t microseconds) {
    struct event *event = address;
    event->due = now() + microseconds * 1000;
    event->is_enabled = 1;
}

static void disarm(void *address) {
    ((struct event *)address)->is_enabled = 0;
}

static void free_event(void *address) {
    struct event *event = address;
    for (int i = 0; i < MOST_EVENTS; i++)
        if (event->loop->events[i] == event) event->loop->events[i] = NULL;
    free(event);
}

void host_loop_poll_last(void *event, void (*call)(int served, void *context)) {
    ((struct event *)event)->call_last = call;
}

const host_loop_kind host_loop_poll = {
    make, free_loop, pass, count, NULL, make_event, arm, disarm, free_event};
