#include "handles.h"

#include <pthread.h>
#include <stdlib.h>

_Static_assert(sizeof(uintptr_t) == 8, "a handle has 64 bits");

// Bits of a handle: 1 for a place in use, 3 kind, 24 number of the place, 36 generation.
#define NUMBER_SHIFT 4
#define NUMBER_BITS 24
#define MOST_PLACES ((uint32_t)1 << NUMBER_BITS)

// The first chunk has 64 places; each further chunk has as many as all before it, and 64 more.
#define FIRST_CHUNK 64
#define CHUNKS 18

static lull_place *chunks[CHUNKS];

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

/// The number of places that were ever used, and the first free one of them; both guarded by the
/// lock.
static uint32_t used;
static uint32_t first_free = MOST_PLACES;

/// Returns the calling thread's own number; a pthread_t may be reused.
static uint64_t this_thread(void) {
    static uint64_t last;
    static _Thread_local uint64_t number __attribute__((tls_model("initial-exec")));
    if (number == 0) number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return number;
}

static int chunk_of(uint32_t number, uint32_t *offset) {
    uint32_t place = number + FIRST_CHUNK;
    int chunk = 31 - __builtin_clz(place) - 6;
    *offset = place - ((uint32_t)FIRST_CHUNK << chunk);
    return chunk;
}

/// Returns the place with a number; NULL if it was never used.
static lull_place *place_at(uint32_t number) {
    uint32_t offset;
    int chunk = chunk_of(number, &offset);
    if (chunk >= CHUNKS) return NULL;
    lull_place *places = __atomic_load_n(&chunks[chunk], __ATOMIC_ACQUIRE);
    return places ? &places[offset] : NULL;
}

/// Returns the next place that was never used; NULL if there is none, or no memory.
static lull_place *new_place(void) {
    if (used == MOST_PLACES - FIRST_CHUNK) return NULL;
    uint32_t offset;
    int chunk = chunk_of(used, &offset);
    if (!chunks[chunk]) {
        lull_place *places = calloc((size_t)FIRST_CHUNK << chunk, sizeof *places);
        if (!places) return NULL;
        __atomic_store_n(&chunks[chunk], places, __ATOMIC_RELEASE);
    }
    lull_place *place = &chunks[chunk][offset];
    __atomic_store_n(&place->handle, (uintptr_t)used++ << NUMBER_SHIFT, __ATOMIC_RELAXED);
    return place;
}

static uint32_t number_of(uintptr_t handle) {
    return (uint32_t)(handle >> NUMBER_SHIFT) & (MOST_PLACES - 1);
}

lull_place *lull_place_new(lull_kind kind, const void *object) {
    pthread_mutex_lock(&lock);
    lull_place *place;
    if (first_free != MOST_PLACES) {
        place = place_at(first_free);
        first_free = place->next;
    } else {
        place = new_place();
    }
    pthread_mutex_unlock(&lock);
    if (!place) return NULL;
    place->object = object;
    place->depth = 0;
    __atomic_store_n(&place->thread, this_thread(), __ATOMIC_RELAXED);
    // A slot's place is marked as taken only while a slot is lent.
    uintptr_t handle = (place->handle & ~(uintptr_t)15) + LULL_GENERATION;
    handle |= (uintptr_t)kind << 1 | (kind != LULL_KIND_SLOT);
    __atomic_store_n(&place->handle, handle, __ATOMIC_RELEASE);
    return place;
}

void lull_place_free(lull_place *place) {
    __atomic_store_n(&place->handle, place->handle & ~(uintptr_t)1, __ATOMIC_RELEASE);
    pthread_mutex_lock(&lock);
    place->next = first_free;
    first_free = number_of(place->handle);
    pthread_mutex_unlock(&lock);
}

/// Finds the place that a handle names, if it is of this kind and not stale.
static lull_status check(const void *handle, lull_kind kind, lull_place **place) {
    uintptr_t number = (uintptr_t)handle;
    if ((number & 15) != ((uintptr_t)kind << 1 | 1)) return LULL_INVALID;
    *place = place_at(number_of(number));
    if (!*place) return LULL_INVALID;
    uintptr_t present = __atomic_load_n(&(*place)->handle, __ATOMIC_ACQUIRE);
    return present == number ? LULL_OK : LULL_STALE;
}

lull_status lull_find(const void *handle, lull_kind kind, const void **object) {
    lull_place *place;
    lull_status status = check(handle, kind, &place);
    if (status != LULL_OK) return status;
    if (__atomic_load_n(&place->thread, __ATOMIC_RELAXED) != this_thread()) {
        return LULL_WRONG_THREAD;
    }
    *object = place->object;
    return LULL_OK;
}

lull_status lull_check(const void *handle, lull_kind kind) {
    lull_place *place;
    return check(handle, kind, &place);
}

bool lull_is_known(const void *object, size_t size, size_t known) {
    const char *bytes = object;
    for (size_t i = known; i < size; i++) {
        if (bytes[i]) return false;
    }
    return true;
}
