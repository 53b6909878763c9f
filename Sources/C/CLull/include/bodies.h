// The bodies of jobs that any thread may call: who is inside, and whether the job has ended meanwhile.
//
// A job that is cancelled while a lane is inside its body ends at once for its queue. The program hears
// of it when the lane has left, since it may free the context then.

#ifndef LULL_BODIES_H
#define LULL_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#include "lull.h"

/// The body of a job that any thread may call, one at a time.
typedef struct lull_body {
    lull_progress (*run)(const lull_slot *slot, uint64_t key, void *context);
    uint64_t key;
    void *context;
    /// Whether a thread is inside, and whether the job has ended. Atomic.
    uint32_t state;
    /// The process of that thread, by the number of forks above it. Atomic.
    uint32_t process;
} lull_body;

/// Calls a body on whatever thread, unless the job has ended.
///
/// Meanwhile the caller is another thread to all other handles, even if it's the loop's own: what the
/// body may not do fails everywhere.
lull_progress lull_body_run(lull_body *body, const void *slot);

/// Whether the caller is inside such a body.
bool lull_is_inside_body(void);

/// Whether the caller is inside a body whose job has ended.
bool lull_has_body_ended(void);

/// Ends a body: it isn't called any more.
void lull_body_end(lull_body *body);

/// Returns whether a thread of this process is inside a body.
bool lull_body_is_busy(const lull_body *body);

/// Waits until no thread is inside a body that has ended.
void lull_body_wait(const lull_body *body);

#endif
