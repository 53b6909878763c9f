#include "CHostLoops.h"

#include <glib.h>
#include <stdlib.h>

struct event {
    GSource source;
    int descriptor;
    GIOCondition condition;
    gpointer tag;
    void (*call)(void *);
    void *context;
};

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    (void)callback, (void)data;
    struct event *event = (struct event *)source;
    if (event->descriptor < 0) g_source_set_ready_time(source, -1);
    event->call(event->context);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {NULL, NULL, dispatch, NULL, NULL, NULL};

static void *make(void) {
    return g_main_context_new();
}

static void free_loop(void *loop) {
    g_main_context_unref(loop);
}

static void pass(void *loop, int blocks) {
    g_main_context_iteration(loop, blocks);
}

static int count(void *loop) {
    gint timeout;
    if (!g_main_context_acquire(loop)) return -1;
    g_main_context_prepare(loop, NULL);
    int fds = g_main_context_query(loop, G_MAXINT, &timeout, NULL, 0);
    g_main_context_release(loop);
    // One is the context's own.
    return fds - 1 + (timeout >= 0);
}

static void arm(void *address, int64_t microseconds) {
    struct event *event = address;
    if (event->descriptor < 0) {
        g_source_set_ready_time(&event->source, g_get_monotonic_time() + microseconds);
    } else {
        g_source_modify_unix_fd(&event->source, event->tag, event->condition);
    }
}

static void disarm(void *address) {
    struct event *event = address;
    if (event->descriptor < 0) {
        g_source_set_ready_time(&event->source, -1);
    } else {
        g_source_modify_unix_fd(&event->source, event->tag, 0);
    }
}

static void *make_event(
    void *loop, int descriptor, int writes, void (*call)(void *), void *context) {
    struct event *event = (struct event *)g_source_new(&functions, sizeof(struct event));
    event->descriptor = descriptor;
    event->condition = writes ? G_IO_OUT : G_IO_IN;
    event->call = call;
    event->context = context;
    if (descriptor >= 0)
        event->tag = g_source_add_unix_fd(&event->source, descriptor, event->condition);
    g_source_attach(&event->source, loop);
    return event;
}

static void free_event(void *address) {
    g_source_destroy(address);
    g_source_unref(address);
}

const host_loop_kind host_loop_glib = {
    make, free_loop, pass, count, NULL, make_event, arm, disarm, free_event};
