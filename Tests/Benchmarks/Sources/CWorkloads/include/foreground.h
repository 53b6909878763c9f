// M2: how long a ready descriptor waits while there is no end of idle jobs.
//
// Another thread writes the time into a pipe about each millisecond; the handler reads it.

#ifndef CWORKLOADS_FOREGROUND_H
#define CWORKLOADS_FOREGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "report.h"

#define FOREGROUND_VARIANTS 3
#define FOREGROUND_MAX_SOURCES 10

struct foreground {
    const char *variant;
    uint64_t job_ns;
    /// How many idle sources the contender shall register, each with endless jobs.
    int sources;
    /// Where the handler reads from.
    int descriptor;
    int writing_end;
    int wanted;
    struct samples latencies_us;
    uint64_t busy_ns;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t limit_ns;
    pthread_t writer;
    int is_over;
};

/// Variants are "200 us jobs", "2 ms jobs" and "10 sources".
void foreground_open(struct foreground *fore, int variant);
/// Starts the writer.
void foreground_start(struct foreground *fore);
/// The handler of the descriptor; false once there are samples enough.
bool foreground_read(struct foreground *fore);
/// What the handler does if the loop has read the times for it.
bool foreground_received(struct foreground *fore, const uint64_t *times, int count);
/// One idle job; false once it takes too long, which ends contenders that never poll.
bool foreground_job(struct foreground *fore);
/// Ends the writer, reports, and closes.
void foreground_report(struct foreground *fore);

#endif
