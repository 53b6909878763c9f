// A GLib main context as a host. One source watches the loop's descriptor, with the default
// priority; another, with a low one, is ready at once while an idle moment is requested. GLib polls
// before it dispatches, and dispatches no source while another of a better priority is ready. Both go
// on when a callback runs a main loop of its own, as dialogs do.

#include "lull-glib.h"

#include <glib.h>
#include <stdlib.h>

struct host {
    GMainContext *context;
    int priority;
    lull_guest guest;
    GSource *ready, *idle;
    gboolean is_requested;
};

struct source {
    GSource base;
    struct host *host;
};

static gboolean prepare(GSource *source, gint *timeout) {
    const struct host *host = ((struct source *)source)->host;
    *timeout = -1;
    if (g_main_depth() > 0 && host->guest.prepare) host->guest.prepare(host->guest.context);
    return FALSE;
}

// Not by a ready time: as the source may recurse, setting one would wake the context, which takes
// three system calls.
static gboolean prepare_idle(GSource *source, gint *timeout) {
    const gboolean is_requested = ((struct source *)source)->host->is_requested;
    *timeout = is_requested ? 0 : -1;
    return is_requested;
}

static gboolean serve(GSource *source, GSourceFunc callback, gpointer data) {
    (void)callback, (void)data;
    // A copy, since the guest may end and release the host.
    const lull_guest guest = ((struct source *)source)->host->guest;
    guest.serve(guest.context);
    return G_SOURCE_CONTINUE;
}

static gboolean be_idle(GSource *source, GSourceFunc callback, gpointer data) {
    (void)callback, (void)data;
    struct host *host = ((struct source *)source)->host;
    const lull_guest guest = host->guest;
    host->is_requested = FALSE;
    guest.idle(0, guest.context);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs ready_functions = {prepare, NULL, serve, NULL, NULL, NULL};
static GSourceFuncs idle_functions = {prepare_idle, NULL, be_idle, NULL, NULL, NULL};

static GSource *add(struct host *host, GSourceFuncs *functions, int priority) {
    GSource *source = g_source_new(functions, sizeof(struct source));
    ((struct source *)source)->host = host;
    g_source_set_name(source, "lull");
    g_source_set_priority(source, priority);
    g_source_set_can_recurse(source, TRUE);
    return source;
}

static int begin(const lull_guest *guest, void *context) {
    struct host *host = context;
    host->guest = *guest;
    host->ready = add(host, &ready_functions, G_PRIORITY_DEFAULT);
    g_source_add_unix_fd(host->ready, guest->descriptor, G_IO_IN);
    g_source_attach(host->ready, host->context);
    host->idle = add(host, &idle_functions, host->priority);
    g_source_attach(host->idle, host->context);
    return 0;
}

static int request_idle(void *context) {
    struct host *host = context;
    host->is_requested = TRUE;
    return 0;
}

static void end(void *context) {
    struct host *host = context;
    GSource *sources[] = {host->ready, host->idle};
    host->ready = host->idle = NULL;
    host->is_requested = FALSE;
    for (int i = 0; i < 2; i++) {
        if (!sources[i]) continue;
        g_source_destroy(sources[i]);
        g_source_unref(sources[i]);
    }
}

static void release(void *context) {
    struct host *host = context;
    g_main_context_unref(host->context);
    free(host);
}

lull_host lull_glib_host(struct _GMainContext *context, int priority) {
    lull_host functions;
    lull_host_init(&functions, sizeof functions);
    struct host *host = calloc(1, sizeof *host);
    if (!host) return functions;
    host->context = g_main_context_ref(context ? context : g_main_context_default());
    host->priority = priority;
    functions.context = host;
    functions.begin = begin;
    functions.request_idle = request_idle;
    functions.end = end;
    functions.release = release;
    return functions;
}

#ifdef LULL_LIBRARY
lull_status lull_adopt_glib(struct _GMainContext *context, int priority, lull_loop **loop) {
    const lull_host host = lull_glib_host(context, priority);
    return lull_adopt_host(&host, loop);
}
#endif
