/* A host that looks at what Lull and the runtime in it have done to the process, and then loads another
   library in Swift, with a runtime of its own, whose path is the argument. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <event2/event.h>
#include <lull.h>
#include <signal.h>
#include <stdlib.h>

#include "../check.h"

int failures;

/* In other.swift: adds up to 1,003 by casts, a dictionary and an actor. */
static int (*other_sum)(void);

/* The signals at which Swift's runtime can print a backtrace. */
static int handled_signals(void) {
    const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    int count = 0;
    size_t i;
    stack_t stack;
    for (i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        sigaction(signals[i], NULL, &action);
        count += action.sa_handler != SIG_DFL;
    }
    sigaltstack(NULL, &stack);
    return count + !(stack.ss_flags & SS_DISABLE);
}

static lull_progress count(const lull_slot *slot, uint64_t key, void *context) {
    int *runs = context;
    (void)slot, (void)key;
    ++*runs;
    return LULL_DONE;
}

static lull_progress add(const lull_slot *slot, uint64_t key, void *context) {
    int *sum = context;
    (void)slot, (void)key;
    *sum += other_sum();
    return LULL_DONE;
}

static void submit(
    lull_queue *queue, uint64_t key, lull_progress (*run)(const lull_slot *, uint64_t, void *),
    int *context) {
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.key = key;
    job.run = run;
    job.context = context;
    CHECK(lull_submit(queue, &job) == LULL_OK);
}

int main(int argc, char **argv) {
    struct event_base *base = event_base_new();
    lull_loop *loop;
    lull_queue *queue;
    int runs = 0, sum = 0;
    uint64_t key;
    void *other;
    if (argc != 2) return 64;
    CHECK(lull_adopt(base, &loop) == LULL_OK);
    CHECK(lull_queue_new(loop, NULL, &queue) == LULL_OK);
    for (key = 0; key < 100; key++) submit(queue, key, count, &runs);
    event_base_dispatch(base);
    CHECK(runs == 100);
    CHECK(thread_count() == 1);
    CHECK(handled_signals() == 0);

    other = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    CHECK(other);
    if (!other) return 1;
    *(void **)&other_sum = dlsym(other, "other_sum");
    for (key = 0; key < 3; key++) submit(queue, key, add, &sum);
    event_base_dispatch(base);
    CHECK(sum == 3 * 1003);
    CHECK(lull_close(loop) == LULL_OK);
    event_base_free(base);
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
