// The table behind the handles of lull.h. It tells, before any memory is touched, whether a handle
// names an object that still exists and that the calling thread may use.
//
// A handle is a number with a pointer type. It holds whether its entry is taken, the kind of the
// object, the number of the entry, and the entry's generation. Entries are never freed, so any
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
    /// Those of liblull-pictures, which has a table of its own.
    LULL_KIND_PICTURES,
    LULL_KIND_PICTURE = 0,
} lull_kind;

/// An entry in the table.
typedef struct lull_entry {
    /// The current handle of the entry, even while it is free. Atomic.
    uintptr_t handle;
    /// The number of the thread that owns it. Atomic.
    uint64_t thread;
    /// The object; only that thread reads it.
    const void *object;
    /// The number of a loop's callbacks that are being called; used in the entry of its slot.
    uint32_t depth;
    /// The number of the next free entry, while this one is free too. Atomic.
    uint32_t next;
} lull_entry;

/// Puts an object of the calling thread into a free entry; NULL if there is none, or no memory.
///
/// Takes no lock: a thread that stops in the middle delays nobody.
lull_entry *lull_entry_new(lull_kind kind, const void *object);

/// Frees an entry: all its handles are stale from now on.
void lull_entry_free(lull_entry *entry);

/// Finds the object that a handle names, or returns why the calling thread can't use it.
///
/// Takes a few nanoseconds, and no lock.
lull_status lull_find(const void *handle, lull_kind kind, const void **object);

/// Finds the object that a handle names, for any thread.
lull_status lull_find_anywhere(const void *handle, lull_kind kind, const void **object);

/// Makes the calling thread another one, as far as handles are concerned, and returns its number until
/// now; 0 is a new one.
uint64_t lull_change_thread(uint64_t number);

/// Checks that a handle is of this kind and not stale; for any thread.
lull_status lull_check(const void *handle, lull_kind kind);

#define LULL_GENERATION ((uintptr_t)1 << 28)

/// Puts a slot into its loop's entry for the duration of a callback, and returns its handle.
static inline const lull_slot *lull_lend(lull_entry *entry, const void *slot) {
    uintptr_t handle = (entry->handle + LULL_GENERATION) | 1;
    entry->object = slot;
    entry->depth++;
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
    return (const lull_slot *)handle;
}

/// Removes the slot from its loop's entry.
static inline void lull_take_back(lull_entry *entry) {
    entry->depth--;
    __atomic_store_n(&entry->handle, entry->handle & ~(uintptr_t)1, __ATOMIC_RELEASE);
}

/// Runs a job in a lull, with its slot in its entry.
static inline lull_progress lull_run(
    lull_entry *entry, const void *slot,
    lull_progress (*run)(const lull_slot *, uint64_t, void *), uint64_t key, void *context) {
    lull_progress progress = run(lull_lend(entry, slot), key, context);
    lull_take_back(entry);
    return progress;
}

/// Loads a row in a lull, with its slot in its entry.
static inline lull_progress lull_run_load(
    lull_entry *entry, const void *slot,
    lull_progress (*run)(const lull_slot *, lull_load *, void *), lull_load *load,
    void *context) {
    lull_progress progress = run(lull_lend(entry, slot), load, context);
    lull_take_back(entry);
    return progress;
}

/// Calls a callback before idle, with its slot in its entry.
static inline lull_idle lull_work(
    lull_entry *entry, const void *slot, lull_idle (*work)(const lull_slot *, void *),
    void *context) {
    lull_idle idle = work(lull_lend(entry, slot), context);
    lull_take_back(entry);
    return idle;
}

/// Returns whether all bytes of a struct beyond the known size are 0.
bool lull_is_known(const void *object, size_t size, size_t known);

#endif
