// An sd-event loop as a host. An IO source watches the loop's descriptor; a deferred source of a
// low priority is enabled for one call while an idle moment is requested. sd-event polls before
// each source that it dispatches, and takes the one of the best priority.

#include "lull-sd-event.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <systemd/sd-event.h>

struct host {
    sd_event *event;
    int64_t priority;
    lull_guest guest;
    sd_event_source *ready, *idle;
};

static int serve(sd_event_source *source, int descriptor, uint32_t events, void *context) {
    (void)source, (void)descriptor, (void)events;
    // A copy, since the guest may end and release the host.
    const lull_guest guest = ((struct host *)context)->guest;
    guest.serve(guest.context);
    return 0;
}

static int be_idle(sd_event_source *source, void *context) {
    (void)source;
    const lull_guest guest = ((struct host *)context)->guest;
    guest.idle(0, guest.context);
    return 0;
}

static void end(void *context) {
    struct host *host = context;
    sd_event_source *sources[] = {host->ready, host->idle};
    host->ready = host->idle = NULL;
    for (int i = 0; i < 2; i++) {
        if (!sources[i]) continue;
        sd_event_source_set_enabled(sources[i], SD_EVENT_OFF);
        sd_event_source_unref(sources[i]);
    }
}

static int begin(const lull_guest *guest, void *context) {
    struct host *host = context;
    host->guest = *guest;
    int result =
        sd_event_add_io(host->event, &host->ready, guest->descriptor, EPOLLIN, serve, host);
    if (result >= 0) result = sd_event_add_defer(host->event, &host->idle, be_idle, host);
    if (result >= 0) result = sd_event_source_set_enabled(host->idle, SD_EVENT_OFF);
    if (result >= 0) result = sd_event_source_set_priority(host->idle, host->priority);
    if (result < 0) {
        end(host);
        return -result;
    }
    sd_event_source_set_description(host->ready, "lull");
    sd_event_source_set_description(host->idle, "lull-idle");
    return 0;
}

static int request_idle(void *context) {
    struct host *host = context;
    int result = sd_event_source_set_enabled(host->idle, SD_EVENT_ONESHOT);
    return result < 0 ? -result : 0;
}

static void release(void *context) {
    struct host *host = context;
    sd_event_unref(host->event);
    free(host);
}

lull_host lull_sd_event_host(struct sd_event *event, int64_t priority) {
    lull_host functions;
    lull_host_init(&functions, sizeof functions);
    struct host *host = calloc(1, sizeof *host);
    if (!host) return functions;
    host->event = sd_event_ref(event);
    host->priority = priority;
    functions.context = host;
    functions.begin = begin;
    functions.request_idle = request_idle;
    functions.end = end;
    functions.release = release;
    return functions;
}

#ifdef LULL_LIBRARY
lull_status lull_adopt_sd_event(struct sd_event *event, int64_t priority, lull_loop **loop) {
    if (!event) return lull_adopt_host(NULL, loop);  // LULL_INVALID
    const lull_host host = lull_sd_event_host(event, priority);
    return lull_adopt_host(&host, loop);
}
#endif
