#include "timers.h"

#include <stdlib.h>

#include "clock.h"
#include "report.h"

void timers_open(struct timers *timers, const char *variant) {
    int count = 1000000;
    unsigned seed = 12345;
    *timers = (struct timers){.variant = variant, .count = count};
    timers->due_ms = malloc((size_t)count * sizeof *timers->due_ms);
    timers->order = malloc((size_t)count * sizeof *timers->order);
    for (int i = 0; i < count; i++) {
        timers->due_ms[i] = 1000 + (unsigned)rand_r(&seed) % 1000000;
        timers->order[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        unsigned random = (unsigned)rand_r(&seed) << 8 ^ (unsigned)rand_r(&seed);
        int other = (int)(random % (unsigned)(i + 1));
        int kept = timers->order[i];
        timers->order[i] = timers->order[other];
        timers->order[other] = kept;
    }
}

void timers_start(struct timers *timers) {
    timers->start_ns = now_ns();
}

void timers_added(struct timers *timers) {
    timers->added_ns = now_ns();
}

void timers_cancelled(struct timers *timers) {
    timers->cancelled_ns = now_ns();
}

void timers_report(struct timers *timers) {
    double add = (double)(timers->added_ns - timers->start_ns) / timers->count;
    double cancel = (double)(timers->cancelled_ns - timers->added_ns) / timers->count;
    report("M4", timers->variant, "add_ns", add);
    report("M4", timers->variant, "cancel_ns", cancel);
    report("M4", timers->variant, "add_cancel_ns", add + cancel);
    free(timers->due_ms);
    free(timers->order);
}
