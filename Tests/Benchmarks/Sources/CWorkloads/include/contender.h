#ifndef CWORKLOADS_CONTENDER_H
#define CWORKLOADS_CONTENDER_H

#include "chain.h"
#include "foreground.h"
#include "frames.h"
#include "quiet.h"
#include "submissions.h"
#include "timers.h"
#include "tiny_jobs.h"

/// How one event loop does each workload; NULL where it takes no part.
///
/// Each function registers with the loop what the workload needs, starts the workload, runs the
/// loop until the workload is over, and takes everything back.
struct contender {
    const char *name;
    void (*tiny_jobs)(struct tiny_jobs *);
    void (*foreground)(struct foreground *);
    void (*chain)(struct chain *);
    void (*timers)(struct timers *);
    /// Timers that all have the same duration, where that is another way of adding them.
    void (*equal_timers)(struct timers *);
    void (*submissions)(struct submissions *);
    void (*quiet)(struct quiet *);
    void (*frames)(struct frames *);
};

/// Runs all variants of a workload, "M1" and so on, and returns the exit status.
int run_workload(const struct contender *contender, const char *workload);

#endif
