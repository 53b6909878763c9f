// M4: a million timers added, then cancelled in another order.

#ifndef CWORKLOADS_TIMERS_H
#define CWORKLOADS_TIMERS_H

#include <stdint.h>

struct timers {
    const char *variant;
    int count;
    /// Timer i is due in so many milliseconds, 1 s to 1000 s.
    uint32_t *due_ms;
    /// In which order they are cancelled.
    int *order;
    uint64_t start_ns;
    uint64_t added_ns;
    uint64_t cancelled_ns;
};

void timers_open(struct timers *timers, const char *variant);
void timers_start(struct timers *timers);
void timers_added(struct timers *timers);
void timers_cancelled(struct timers *timers);
void timers_report(struct timers *timers);

#endif
