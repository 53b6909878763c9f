// The table behind the handles of lull.h. It tells, before any memory is touched, whether a handle
// names an object that still exists and that the calling thread may use.
//
// A handle is a number with a pointer type. It holds whether its place is taken, the kind of the
// object, the number of the place, and the place's generation. Places are never freed, so any
// thread may check a stale handle at any time.

#ifndef LULL_HANDLES_H
#define LULL_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "lull.h"

/// The kind of object that a handle names.
typedef enum lull_kind {
    LULL_KIND_LOOP = 1,
    LULL_KIND_QUEUE,
    LULL_KIND_OBSERVER,
    LULL_KIND_TIMER,
    LULL_KIND_SLOT,
    LULL_KIND_LIST,
} lull_kind;

/// A place in the table.
typedef struct lull_place {
    /// The current handle of the place, even while it is free. Atomic.
    uintptr_t handle;
    /// The number of the thread that owns it. Atomic.
    uint64_t thread;
    /// The object; only that thread reads it.
    const void *object;
    /// The number of a loop's callbacks that are being called; used in the place of its slot.
    uint32_t depth;
    /// The number of the next free place, while this one is free too.
    uint32_t next;
} lull_place;

/// Puts an object of the calling thread into a free place; NULL if there is none, or no memory.
///
/// Takes a lock.
lull_place *lull_place_new(lull_kind kind, const void *object);

/// Frees a place: all its handles are stale from now on.
///
/// Takes a lock.
void lull_place_free(lull_place *place);

/// Finds the object that a handle names, or returns why the calling thread can't use it.
///
/// Takes a few nanoseconds, and no lock.
lull_status lull_find(const void *handle, lull_kind kind, const void **object);

/// Checks that a handle is of this kind and not stale; for any thread.
lull_status lull_check(const void *handle, lull_kind kind);

#define LULL_GENERATION ((uintptr_t)1 << 28)

/// Puts a slot into its loop's place for the duration of a callback, and returns its handle.
static inline const lull_slot *lull_lend(lull_place *place, const void *slot) {
    uintptr_t handle = (place->handle + LULL_GENERATION) | 1;
    place->object = slot;
    place->depth++;
    __atomic_store_n(&place->handle, handle, __ATOMIC_RELEASE);
    return (const lull_slot *)handle;
}

/// Removes the slot from its loop's place.
static inline void lull_take_back(lull_place *place) {
    place->depth--;
    __atomic_store_n(&place->handle, place->handle & ~(uintptr_t)1, __ATOMIC_RELEASE);
}

/// Runs a job in a lull, with its slot in its place.
static inline lull_progress lull_run(
    lull_place *place, const void *slot,
    lull_progress (*run)(const lull_slot *, uint64_t, void *), uint64_t key, void *context) {
    lull_progress progress = run(lull_lend(place, slot), key, context);
    lull_take_back(place);
    return progress;
}

/// Loads a row in a lull, with its slot in its place.
static inline lull_progress lull_run_load(
    lull_place *place, const void *slot,
    lull_progress (*run)(const lull_slot *, lull_load *, void *), lull_load *load,
    void *context) {
    lull_progress progress = run(lull_lend(place, slot), load, context);
    lull_take_back(place);
    return progress;
}

/// Calls a callback before idle, with its slot in its place.
static inline lull_idle lull_work(
    lull_place *place, const void *slot, lull_idle (*work)(const lull_slot *, void *),
    void *context) {
    lull_idle idle = work(lull_lend(place, slot), context);
    lull_take_back(place);
    return idle;
}

/// Returns whether all bytes of a struct beyond the known size are 0.
bool lull_is_known(const void *object, size_t size, size_t known);

#endif
