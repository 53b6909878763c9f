#include "allocations.h"

#include <stddef.h>

// The C library's own, by the names under which a program that has its own may call them.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static unsigned long count;

void *malloc(size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

unsigned long allocation_count(void) {
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}
