#define _GNU_SOURCE
#include "bodies.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "handles.h"

#define IS_BUSY 1u
#define HAS_ENDED 2u

/// The body that the calling thread is inside; NULL if there is none.
static _Thread_local const lull_body *current __attribute__((tls_model("initial-exec")));

/// The number of forks above this process, whose threads the process doesn't have.
static uint32_t process;

static void count_fork(void) {
    process++;
}

__attribute__((constructor)) static void mind_forks(void) {
    (void)pthread_atfork(NULL, NULL, count_fork);
}

static lull_progress call(const lull_body *body, const void *slot) {
    uint64_t thread = lull_change_thread(0);
    const lull_body *outer = current;
    lull_progress progress = LULL_FAILED;
    lull_entry *entry = lull_entry_new(LULL_KIND_SLOT, NULL);
    current = body;
    if (entry) {
        progress = lull_run(entry, slot, body->run, body->key, body->context);
        lull_entry_free(entry);
    }
    current = outer;
    lull_change_thread(thread);
    return progress;
}

lull_progress lull_body_run(lull_body *body, const void *slot) {
    uint32_t state = 0;
    __atomic_store_n(&body->process, process, __ATOMIC_RELAXED);
    if (!__atomic_compare_exchange_n(
            &body->state, &state, IS_BUSY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        return LULL_DONE;
    }
    lull_progress progress = call(body, slot);
    state = __atomic_fetch_and(&body->state, ~IS_BUSY, __ATOMIC_RELEASE);
    if (state & HAS_ENDED) {
        (void)syscall(SYS_futex, &body->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    return progress;
}

bool lull_is_inside_body(void) {
    return current != NULL;
}

bool lull_has_body_ended(void) {
    return current && __atomic_load_n(&current->state, __ATOMIC_RELAXED) & HAS_ENDED;
}

void lull_body_end(lull_body *body) {
    (void)__atomic_fetch_or(&body->state, HAS_ENDED, __ATOMIC_ACQUIRE);
}

bool lull_body_is_busy(const lull_body *body) {
    bool is_busy = __atomic_load_n(&body->state, __ATOMIC_ACQUIRE) & IS_BUSY;
    return is_busy && __atomic_load_n(&body->process, __ATOMIC_RELAXED) == process;
}

void lull_body_wait(const lull_body *body) {
    while (lull_body_is_busy(body)) {
        (void)syscall(
            SYS_futex, &body->state, FUTEX_WAIT_PRIVATE, IS_BUSY | HAS_ENDED, NULL, NULL, 0);
    }
}
