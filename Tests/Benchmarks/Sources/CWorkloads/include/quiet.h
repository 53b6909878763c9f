// M6: what a loop costs that has nothing to do: after some idle work it sleeps until another
// thread wakes it.

#ifndef CWORKLOADS_QUIET_H
#define CWORKLOADS_QUIET_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct quiet {
    uint64_t duration_ns;
    int jobs_left;
    /// Wakes the loop; is called on the other thread.
    void (*wake)(void *argument);
    void *argument;
    pthread_t waker;
    long switches;
    uint64_t start_ns;
    uint64_t start_cpu_ns;
    double cpu_percent;
};

void quiet_open(struct quiet *quiet);
/// One idle job; false when it was the last. Then the contender leaves nothing armed and calls
/// `quiet_begin` from the loop's thread, before the loop sleeps.
bool quiet_job(struct quiet *quiet);
void quiet_begin(struct quiet *quiet, void (*wake)(void *), void *argument);
/// To be called by the handler of what `wake` did.
void quiet_end(struct quiet *quiet);
void quiet_report(struct quiet *quiet);

#endif
