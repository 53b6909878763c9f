#ifndef BENCH_CEVENT_H
#define BENCH_CEVENT_H

// A Glibc header first, or a clean build fails on `fd_set`.
#include <features.h>
#include <stdlib.h>

#include <event2/event.h>

/// The base of a host: one priority, no locks.
static inline struct event_base *host_base_new(void) {
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

#endif
