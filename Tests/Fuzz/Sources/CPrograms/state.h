// What a program has made, and what is owed to it.

#ifndef FUZZ_STATE_H
#define FUZZ_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lull.h>

#define BASES 2
/// The place of loops that have no base, but a descriptor.
#define NO_BASE BASES
#define LOOPS 3
#define QUEUES 4
#define OBSERVERS 4
#define TIMERS 4
#define KEYS 4

/// Ends the process if something doesn't hold, with what should have.
#define MUST(condition, law)          \
    do {                              \
        if (!(condition)) fail(law); \
    } while (0)

_Noreturn void fail(const char *law);

/// A callback that was handed in. It is freed as soon as it must not be called any more, so that a
/// call too many is found by the address sanitizer.
typedef struct callback {
    struct callback *previous, *next;
    /// The number of its loop.
    size_t loop;
    /// Whether exactly one call is owed, however all ends.
    bool is_owed;
    /// The timer that calls it, if it has a handle, and how often it has.
    lull_timer *timer;
    int calls;
} callback;

/// A loop, by the number of its place, which another may take when it is closed.
typedef struct loop_state {
    lull_loop *handle;
    size_t base;
    /// How deep the program is inside its callbacks.
    int depth;
    bool is_open;
} loop_state;

typedef struct queue_state {
    lull_queue *handle;
    size_t loop;
    int64_t limit;
} queue_state;

typedef struct observer_state {
    lull_observer *handle;
    callback *callback;
} observer_state;

typedef struct timer_state {
    lull_timer *handle;
    callback *callback;
} timer_state;

/// The handles that there are, also stale ones.
extern loop_state loops[LOOPS];
extern queue_state queues[QUEUES];
extern observer_state observers[OBSERVERS];
extern timer_state timers[TIMERS];

/// Makes a callback on a loop, to be freed when it is over.
callback *callback_new(size_t loop, bool is_owed);

/// Frees a callback, which is forgotten where it was kept.
void callback_free(callback *);

/// Frees what a closed loop calls no more; all that it owed must have been called.
void callbacks_end(size_t loop);

/// Does a few things inside of a callback of a loop.
void call_back(size_t loop);

/// Makes one call.
void act(void);

void act_on_loop(void);
void act_on_queue(void);
void act_on_observer(void);
void act_on_timer(void);
void submit(void);
void make_loop(void);
void make_queue(void);

/// Forgets the lists of the program before.
void lists_begin(void);

/// Checks that a closed loop's lists have dropped all.
void lists_end(size_t loop);

void act_on_list(void);

/// Dispatches what is ready on a base, unless that is being done, or on all loops without a base.
void dispatch(size_t base);

/// Closes the loop in a place, and says how that went.
lull_status close_loop(size_t loop);

/// Looks at a slot in all ways.
void look_at(const lull_slot *slot);

/// Looks at the slot of a callback that has returned, if there was one.
void look_at_stale_slot(void);

/// Checks what must hold between any two calls.
void check_queues(void);
void check_lists(void);

/// Checks that nothing is left on the hosts' bases.
void check_bases(void);

#endif
