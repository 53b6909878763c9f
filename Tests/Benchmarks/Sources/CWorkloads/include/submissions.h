// M5: how long it takes from handing a sleeping loop something from another thread to its answer.

#ifndef CWORKLOADS_SUBMISSIONS_H
#define CWORKLOADS_SUBMISSIONS_H

#include <pthread.h>
#include <stdbool.h>

#include "report.h"

struct submissions {
    /// Hands something to the loop; is called on the other thread.
    void (*submit)(void *argument);
    void *argument;
    struct samples round_trips_us;
    pthread_t submitter;
    int is_answered;
    int is_over;
};

/// Pins the calling thread, which must be the loop's, to one core and starts the submitter on
/// another: else the scheduler's choice decides the result.
void submissions_start(struct submissions *submissions, void (*submit)(void *), void *argument);
/// What is to be called on the loop for each submission; false after the last one.
bool submissions_answer(struct submissions *submissions);
void submissions_report(struct submissions *submissions);
/// The same under another name than M5's.
void submissions_report_as(
    struct submissions *submissions, const char *workload, const char *variant);

#endif
