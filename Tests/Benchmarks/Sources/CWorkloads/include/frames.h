// M7: frames on a fixed grid while there is no end of idle jobs of very different length.
//
// Frame k is due at start + k periods. Its handler takes 2 ms. Which frame it is, it finds by the
// clock: the latest one due. Those it thereby skips are late, as are those that start more than
// half a millisecond after they were due; so each frame is on time or late, once.

#ifndef CWORKLOADS_FRAMES_H
#define CWORKLOADS_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"

#define FRAMES_VARIANTS 2

/// An idle job: 0.2 to 6 ms, equally many in each octave.
struct idle_job {
    uint64_t duration_ns;
    /// What the job's owner would say it takes: off by up to a fifth either way.
    uint64_t cost_hint_ns;
};

/// An endless list of jobs, the same for every contender.
struct idle_job_list {
    uint64_t state;
};

struct idle_job_list idle_job_list_make(void);
struct idle_job idle_job_list_next(struct idle_job_list *list);

struct frames {
    const char *variant;
    uint64_t period_ns;
    /// When frame 0 is due.
    uint64_t start_ns;
    uint64_t opened_ns;
    uint64_t end_ns;
    int due;
    /// The first frame that is neither on time nor late yet.
    int next;
    int on_time;
    int late;
    int skipped;
    /// Calls of the handler for which no frame was due.
    int spurious;
    struct samples delays_ms;
    struct idle_job_list jobs;
    uint64_t idle_ns;
};

/// Variants are "60 Hz" and "120 Hz".
void frames_open(struct frames *frames, int variant);
/// Sets `start_ns` to one period from now.
void frames_start(struct frames *frames);
/// The handler of the contender's timer; false once all frames were due.
bool frames_handle(struct frames *frames);
/// When the timer shall call next.
uint64_t frames_next_due_ns(const struct frames *frames);
/// Runs the next idle job; false once all frames were due half a second ago, which ends
/// contenders whose timer is never served.
bool frames_run_job(struct frames *frames);
/// The two halves of `frames_run_job`, for contenders that want to know a job's cost beforehand.
struct idle_job frames_take_job(struct frames *frames);
bool frames_run(struct frames *frames, struct idle_job job);
void frames_report(struct frames *frames);

#endif
