// A thousand jobs of work, of about 3 ms each, that count their units and can stop between any two.

#ifndef WORK_H
#define WORK_H

#include <lull.h>
#include <stdbool.h>

#define WORK_JOBS 1000

/// Sets the size of a unit so that a whole job takes about 3 ms here, and begins anew.
void work_begin(void);

/// Submits all jobs to a queue, in slices.
lull_status work_submit(lull_queue *queue);

/// Does one whole job, as a program without Lull does in an idle callback.
void work_whole_job(void);

/// Returns whether all jobs are done, each with all its units.
bool work_is_done(void);

#endif
