#include "handles.h"

#include <stdlib.h>

_Static_assert(sizeof(uintptr_t) == 8, "a handle has 64 bits");

// Bits of a handle: 1 for an entry in use, 3 kind, 24 number of the entry, 36 generation.
#define NUMBER_SHIFT 4
#define NUMBER_BITS 24
#define MOST_ENTRIES ((uint32_t)1 << NUMBER_BITS)

// The first chunk has 64 entries; each further chunk has as many as all before it, and 64 more.
#define FIRST_CHUNK 64
#define CHUNKS 18

static lull_entry *chunks[CHUNKS];

/// The number of entries that were ever used. Atomic.
static uint32_t used;

/// The number of the first free entry, MOST_ENTRIES for none, and above it a count of the changes. Atomic.
///
/// The list has no lock, which a lane that other programs keep from running might hold (Treiber,
/// 1986); as entries are never freed, the count is all that it needs besides.
static uint64_t first_free = MOST_ENTRIES;
#define CHANGE ((uint64_t)1 << 32)

/// The calling thread's own number, 0 before it has one; a pthread_t may be reused.
static _Thread_local uint64_t thread __attribute__((tls_model("initial-exec")));

static uint64_t this_thread(void) {
    static uint64_t last;
    if (thread == 0) thread = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return thread;
}

uint64_t lull_change_thread(uint64_t number) {
    uint64_t before = thread;
    thread = number;
    return before;
}

static int chunk_of(uint32_t number, uint32_t *offset) {
    uint32_t entry = number + FIRST_CHUNK;
    int chunk = 31 - __builtin_clz(entry) - 6;
    *offset = entry - ((uint32_t)FIRST_CHUNK << chunk);
    return chunk;
}

/// Returns the entry with a number; NULL if it was never used.
static lull_entry *entry_at(uint32_t number) {
    uint32_t offset;
    int chunk = chunk_of(number, &offset);
    if (chunk >= CHUNKS) return NULL;
    lull_entry *entries = __atomic_load_n(&chunks[chunk], __ATOMIC_ACQUIRE);
    return entries ? &entries[offset] : NULL;
}

/// Allocates a chunk, unless another thread has done so; returns whether there is one.
static bool add_chunk(int chunk) {
    lull_entry *none = NULL, *entries = calloc((size_t)FIRST_CHUNK << chunk, sizeof *entries);
    if (!entries) return false;
    if (!__atomic_compare_exchange_n(
            &chunks[chunk], &none, entries, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        free(entries);
    }
    return true;
}

/// Returns the next entry that was never used; NULL if there is none, or no memory.
static lull_entry *new_entry(void) {
    uint32_t offset, number = __atomic_load_n(&used, __ATOMIC_RELAXED);
    do {
        if (number == MOST_ENTRIES - FIRST_CHUNK) return NULL;
        if (!entry_at(number) && !add_chunk(chunk_of(number, &offset))) return NULL;
    } while (!__atomic_compare_exchange_n(
        &used, &number, number + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    lull_entry *entry = entry_at(number);
    __atomic_store_n(&entry->handle, (uintptr_t)number << NUMBER_SHIFT, __ATOMIC_RELAXED);
    return entry;
}

/// Takes the first free entry; NULL if there is none.
static lull_entry *take_free(void) {
    uint64_t head = __atomic_load_n(&first_free, __ATOMIC_ACQUIRE);
    while ((uint32_t)head != MOST_ENTRIES) {
        lull_entry *entry = entry_at((uint32_t)head);
        uint64_t next = (head >> 32 << 32) + CHANGE;
        next |= __atomic_load_n(&entry->next, __ATOMIC_RELAXED);
        if (__atomic_compare_exchange_n(
                &first_free, &head, next, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
            return entry;
        }
    }
    return NULL;
}

static uint32_t number_of(uintptr_t handle) {
    return (uint32_t)(handle >> NUMBER_SHIFT) & (MOST_ENTRIES - 1);
}

lull_entry *lull_entry_new(lull_kind kind, const void *object) {
    lull_entry *entry = take_free();
    if (!entry) entry = new_entry();
    if (!entry) return NULL;
    entry->object = object;
    entry->depth = 0;
    __atomic_store_n(&entry->thread, this_thread(), __ATOMIC_RELAXED);
    // A slot's entry is marked as taken only while a slot is lent.
    uintptr_t handle = (entry->handle & ~(uintptr_t)15) + LULL_GENERATION;
    handle |= (uintptr_t)kind << 1 | (kind != LULL_KIND_SLOT);
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
    return entry;
}

void lull_entry_free(lull_entry *entry) {
    __atomic_store_n(&entry->handle, entry->handle & ~(uintptr_t)1, __ATOMIC_RELEASE);
    uint64_t next, head = __atomic_load_n(&first_free, __ATOMIC_RELAXED);
    do {
        __atomic_store_n(&entry->next, (uint32_t)head, __ATOMIC_RELAXED);
        next = ((head >> 32 << 32) + CHANGE) | number_of(entry->handle);
    } while (!__atomic_compare_exchange_n(
        &first_free, &head, next, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/// Finds the entry that a handle names, if it is of this kind and not stale.
static lull_status check(const void *handle, lull_kind kind, lull_entry **entry) {
    uintptr_t number = (uintptr_t)handle;
    if ((number & 15) != ((uintptr_t)kind << 1 | 1)) return LULL_INVALID;
    *entry = entry_at(number_of(number));
    if (!*entry) return LULL_INVALID;
    uintptr_t present = __atomic_load_n(&(*entry)->handle, __ATOMIC_ACQUIRE);
    return present == number ? LULL_OK : LULL_STALE;
}

lull_status lull_find(const void *handle, lull_kind kind, const void **object) {
    lull_entry *entry;
    lull_status status = check(handle, kind, &entry);
    if (status != LULL_OK) return status;
    if (__atomic_load_n(&entry->thread, __ATOMIC_RELAXED) != this_thread()) {
        return LULL_WRONG_THREAD;
    }
    *object = entry->object;
    return LULL_OK;
}

lull_status lull_find_anywhere(const void *handle, lull_kind kind, const void **object) {
    lull_entry *entry;
    lull_status status = check(handle, kind, &entry);
    if (status == LULL_OK) *object = entry->object;
    return status;
}

lull_status lull_check(const void *handle, lull_kind kind) {
    lull_entry *entry;
    return check(handle, kind, &entry);
}

bool lull_is_known(const void *object, size_t size, size_t known) {
    const char *bytes = object;
    for (size_t i = known; i < size; i++) {
        if (bytes[i]) return false;
    }
    return true;
}
