#include "CHostLoops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <time.h>

struct event {
    sd_event_source *source;
    int is_timer;
    void (*call)(void *);
    void *context;
};

static void *make(void) {
    sd_event *loop = NULL;
    return sd_event_new(&loop) < 0 ? NULL : loop;
}

static void free_loop(void *loop) {
    sd_event_unref(loop);
}

static void pass(void *loop, int blocks) {
    sd_event_run(loop, blocks ? UINT64_MAX : 0);
}

/// The descriptors in its kernel queue, without those of its own timers.
static int count(void *loop) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", sd_event_get_fd(loop));
    FILE *file = fopen(path, "re");
    if (!file) return -1;
    int members = 0;
    while (fgets(line, sizeof line, file)) members += !strncmp(line, "tfd:", 4);
    fclose(file);
    return members;
}

static int on_io(sd_event_source *source, int descriptor, uint32_t events, void *context) {
    (void)source, (void)descriptor, (void)events;
    struct event *event = context;
    event->call(event->context);
    return 0;
}

static int on_time(sd_event_source *source, uint64_t time, void *context) {
    (void)source, (void)time;
    struct event *event = context;
    event->call(event->context);
    return 0;
}

static void *make_event(
    void *loop, int descriptor, int writes, void (*call)(void *), void *context) {
    struct event *event = calloc(1, sizeof *event);
    event->call = call;
    event->context = context;
    event->is_timer = descriptor < 0;
    int result =
        descriptor < 0
            ? sd_event_add_time(loop, &event->source, CLOCK_MONOTONIC, 0, 1, on_time, event)
            : sd_event_add_io(
                  loop, &event->source, descriptor, writes ? EPOLLOUT : EPOLLIN, on_io, event);
    if (result < 0) abort();
    if (event->is_timer) sd_event_source_set_enabled(event->source, SD_EVENT_OFF);
    return event;
}

static void arm(void *address, int64_t microseconds) {
    struct event *event = address;
    if (event->is_timer) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t time = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
        sd_event_source_set_time(event->source, time + (uint64_t)microseconds);
        sd_event_source_set_enabled(event->source, SD_EVENT_ONESHOT);
    } else {
        sd_event_source_set_enabled(event->source, SD_EVENT_ON);
    }
}

static void disarm(void *address) {
    sd_event_source_set_enabled(((struct event *)address)->source, SD_EVENT_OFF);
}

static void free_event(void *address) {
    struct event *event = address;
    sd_event_source_set_enabled(event->source, SD_EVENT_OFF);
    sd_event_source_unref(event->source);
    free(event);
}

const host_loop_kind host_loop_sd_event = {
    make, free_loop, pass, count, NULL, make_event, arm, disarm, free_event};
