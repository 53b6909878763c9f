/* Has allocations fail: of those of at least FAIL_BYTES bytes (and at most FAIL_MOST), the FAIL_FIRST-th,
   counted from when the file FAIL_WHEN is there, and FAIL_COUNT of them. What failed is said once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long seen;
static atomic_int isOn;
static size_t least = 0, most = ~(size_t)0;
static long first = 1, count = 1;
static const char *when;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    least = (size_t)number("FAIL_BYTES", 0);
    most = (size_t)number("FAIL_MOST", -1);
    first = number("FAIL_FIRST", 1);
    count = number("FAIL_COUNT", 1);
    when = getenv("FAIL_WHEN");
    if (!when) isOn = 1;
}

static int fails(size_t size) {
    if (size < least || size > most) return 0;
    if (!isOn) {
        int saved = errno;
        if (!when || access(when, F_OK) != 0) { errno = saved; return 0; }
        isOn = 1;
    }
    long now = atomic_fetch_add(&seen, 1) + 1;
    if (now < first || now >= first + count) return 0;
    static const char text[] = "ALLOCATION FAILED\n";
    (void)!write(2, text, sizeof text - 1);
    errno = ENOMEM;
    return 1;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(n * size) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails(size) ? NULL : __libc_realloc(old, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    if (fails(size)) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails(size) ? NULL : __libc_memalign(alignment, size);
}
