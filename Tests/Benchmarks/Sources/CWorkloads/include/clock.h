#ifndef CWORKLOADS_CLOCK_H
#define CWORKLOADS_CLOCK_H

#include <stdint.h>
#include <time.h>

/// The monotonic clock, in nanoseconds.
static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/// The CPU time that the process has used, in nanoseconds.
uint64_t cpu_ns(void);

/// Keeps the CPU busy for so long.
void spin_ns(uint64_t duration);

/// Sleeps until so much is on the monotonic clock.
void sleep_until_ns(uint64_t instant);

/// Makes the calling thread stay on one core, counted modulo the cores there are.
void pin_to_core(int core);

/// A timer descriptor for the monotonic clock, first due at `first_ns` and then each `period_ns`.
int timer_descriptor(uint64_t first_ns, uint64_t period_ns);

/// Empties a timer or event descriptor, so that it is no longer readable.
void drain_descriptor(int descriptor);

#endif
