#ifndef LULL_SD_EVENT_H
#define LULL_SD_EVENT_H

#include <lull.h>

/// Makes a host of an sd-event loop, which must not be NULL; its `begin` is NULL if there is no
/// memory. Idle work has a priority of sd-event's, which should be above SD_EVENT_PRIORITY_IDLE.
lull_host lull_sd_event_host(struct sd_event *event, int64_t priority);

#endif
