// M1: what one no-op idle job costs: the loop's pass, the poll in it, and the call.

#ifndef CWORKLOADS_TINY_JOBS_H
#define CWORKLOADS_TINY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

#define TINY_JOBS_VARIANTS 3

struct tiny_jobs {
    const char *variant;
    /// How many jobs an idle pass may run.
    int batch;
    /// If not 0, a pass runs jobs until so much time is over, instead of a number of them.
    uint64_t budget_ns;
    uint64_t count;
    uint64_t left;
    uint64_t start_ns;
    uint64_t end_ns;
    unsigned head;
    struct {
        void (*run)(void *);
        void *argument;
    } ring[256];
};

/// How many no-op jobs a run has, unless a contender takes too long for so many.
#define TINY_JOBS_COUNT 1000000

/// Variants are "1 per pass", "32 per pass" and "50 us budget".
void tiny_jobs_open(struct tiny_jobs *jobs, int variant, uint64_t count);
void tiny_jobs_start(struct tiny_jobs *jobs);
void tiny_jobs_report(const struct tiny_jobs *jobs);

/// A job that does nothing, for contenders with a queue of their own.
void tiny_job(void *argument);

static inline void tiny_jobs_run_next(struct tiny_jobs *jobs) {
    unsigned index = jobs->head++ & 255;
    jobs->left--;
    jobs->ring[index].run(jobs->ring[index].argument);
}

/// One idle pass; false once all jobs have run.
static inline bool tiny_jobs_pass(struct tiny_jobs *jobs) {
    if (jobs->budget_ns) {
        uint64_t end = now_ns() + jobs->budget_ns;
        do {
            tiny_jobs_run_next(jobs);
        } while (jobs->left && now_ns() < end);
    } else {
        for (int i = 0; i < jobs->batch && jobs->left; i++) tiny_jobs_run_next(jobs);
    }
    if (jobs->left) return true;
    jobs->end_ns = now_ns();
    return false;
}

/// A descriptor that never becomes readable, so that the loop has something to poll.
int quiet_descriptor(void);

#endif
