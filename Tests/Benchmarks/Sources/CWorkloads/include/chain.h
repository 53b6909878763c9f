// M3: what dispatching a ready descriptor costs among many.
//
// Of N event descriptors 100 are made ready, and each handler passes one token to the next
// descriptor until 1000 more were written. They count as semaphores, so that every token costs
// every contender exactly one read.

#ifndef CWORKLOADS_CHAIN_H
#define CWORKLOADS_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"

#define CHAIN_VARIANTS 3

struct chain {
    const char *variant;
    int count;
    int *descriptors;
    int left;
    int received;
    /// Runs done so far; below zero while warming up.
    int run;
    int runs;
    uint64_t start_ns;
    struct samples runs_us;
};

/// Variants are "100 fds", "1000 fds" and "10000 fds".
void chain_open(struct chain *chain, int variant);
/// Notes the time of the run that ended and starts another; false when there were enough.
bool chain_next_run(struct chain *chain);
bool chain_is_running(const struct chain *chain);
/// The handler of `descriptors[index]`.
void chain_receive(struct chain *chain, int index);
void chain_report(struct chain *chain);

#endif
