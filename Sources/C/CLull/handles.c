#include "handles.h"

#include <pthread.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take_lock(void) {
    pthread_mutex_lock(&lock);
}

static void give_lock(void) {
    pthread_mutex_unlock(&lock);
}

/// Makes the lock usable in a forked child, where the thread that may hold it doesn't exist.
__attribute__((constructor)) static void mind_forks(void) {
    (void)pthread_atfork(take_lock, give_lock, give_lock);
}

/// The number of entries that were ever used, and the first free one of them; both guarded by the
/// lock.
static uint32_t used;
static uint32_t first_free = MOST_ENTRIES;

/// Returns the calling thread's own number; a pthread_t may be reused.
static uint64_t this_thread(void) {
    static uint64_t last;
    static _Thread_local uint64_t number __attribute__((tls_model("initial-exec")));
    if (number == 0) number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return number;
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

/// Returns the next entry that was never used; NULL if there is none, or no memory.
static lull_entry *new_entry(void) {
    if (used == MOST_ENTRIES - FIRST_CHUNK) return NULL;
    uint32_t offset;
    int chunk = chunk_of(used, &offset);
    if (!chunks[chunk]) {
        lull_entry *entries = calloc((size_t)FIRST_CHUNK << chunk, sizeof *entries);
        if (!entries) return NULL;
        __atomic_store_n(&chunks[chunk], entries, __ATOMIC_RELEASE);
    }
    lull_entry *entry = &chunks[chunk][offset];
    __atomic_store_n(&entry->handle, (uintptr_t)used++ << NUMBER_SHIFT, __ATOMIC_RELAXED);
    return entry;
}

static uint32_t number_of(uintptr_t handle) {
    return (uint32_t)(handle >> NUMBER_SHIFT) & (MOST_ENTRIES - 1);
}

lull_entry *lull_entry_new(lull_kind kind, const void *object) {
    pthread_mutex_lock(&lock);
    lull_entry *entry;
    if (first_free != MOST_ENTRIES) {
        entry = entry_at(first_free);
        first_free = entry->next;
    } else {
        entry = new_entry();
    }
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    entry->next = first_free;
    first_free = number_of(entry->handle);
    pthread_mutex_unlock(&lock);
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
