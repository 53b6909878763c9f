#include "CHosts.h"

#include <glib-unix.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <uv.h>

static bool is_running;

void *host_open(enum host_kind kind) {
    sd_event *event = NULL;
    switch (kind) {
    case HOST_GLIB: return g_main_context_default();
    case HOST_SD_EVENT: return sd_event_default(&event) < 0 ? NULL : event;
    case HOST_UV: return uv_default_loop();
    }
    return NULL;
}

void host_run(enum host_kind kind, void *loop) {
    is_running = true;
    while (is_running) {
        switch (kind) {
        case HOST_GLIB: g_main_context_iteration(loop, TRUE); break;
        case HOST_SD_EVENT: sd_event_run(loop, UINT64_MAX); break;
        case HOST_UV: uv_run(loop, UV_RUN_ONCE); break;
        }
    }
}

void host_stop(void) {
    is_running = false;
}

struct watch {
    uv_poll_t poll;
    bool (*call)(void *);
    void *context;
};

static bool go_on(struct watch *watch) {
    if (watch->call(watch->context)) return true;
    host_stop();
    return false;
}

static gboolean ready_glib(gint descriptor, GIOCondition condition, gpointer data) {
    (void)descriptor, (void)condition;
    return go_on(data) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static int ready_sd_event(sd_event_source *source, int descriptor, uint32_t events, void *data) {
    (void)descriptor, (void)events;
    if (!go_on(data)) sd_event_source_set_enabled(source, SD_EVENT_OFF);
    return 0;
}

static void ready_uv(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    if (!go_on((struct watch *)poll)) uv_poll_stop(poll);
}

void host_watch(
    enum host_kind kind, void *loop, int descriptor, bool (*call)(void *), void *context) {
    struct watch *watch = calloc(1, sizeof *watch);
    watch->call = call;
    watch->context = context;
    switch (kind) {
    case HOST_GLIB: g_unix_fd_add(descriptor, G_IO_IN, ready_glib, watch); break;
    case HOST_SD_EVENT:
        sd_event_add_io(loop, NULL, descriptor, EPOLLIN, ready_sd_event, watch);
        break;
    case HOST_UV:
        uv_poll_init(loop, &watch->poll, descriptor);
        uv_poll_start(&watch->poll, UV_READABLE, ready_uv);
        break;
    }
}
