// Puts a guest on the loop of a program that was never told of it: the program runs unchanged, with
// this object in LD_PRELOAD and LULL_GUEST_REPORT naming a file.
//
// It stands before the functions with which programs dispatch. At the first call in a process it
// adopts the base, hands in a thousand jobs, and when the last has ended adds a line to the file.
// The process that forked isn't the one that dispatches, so nothing is done before that call.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <event2/event.h>
#include <lull.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOBS 1000
#define SLICES 20

static struct event_base *adopted;
static lull_loop *loop;
static pid_t process;
static int ended;
static unsigned char slices[JOBS];

/// Ends when its twentieth slice does: about a second of work in all.
static lull_progress work(const lull_slot *slot, uint64_t key, void *context) {
    (void)context;
    volatile unsigned sum = 0;
    for (int i = 0; i < 30000; i++) {
        sum += (unsigned)i;
        if (i % 1000 == 0 && lull_slot_is_over(slot)) break;
    }
    return ++slices[key] < SLICES ? LULL_AGAIN : LULL_DONE;
}

static void report(void) {
    const char *path = getenv("LULL_GUEST_REPORT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%d jobs in the lulls of %s\n", ended, program_invocation_short_name);
    fclose(file);
}

static void job_ended(uint64_t key, lull_end end, void *context) {
    (void)key;
    (void)context;
    if (end == LULL_END_DONE && ++ended == JOBS) report();
}

static void hand_in(void) {
    lull_queue *queue;
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    options.limit = JOBS;
    if (lull_queue_new(loop, &options, &queue) < 0) return;
    for (uint64_t key = 0; key < JOBS; key++) {
        lull_job job;
        lull_job_init(&job, sizeof job);
        job.key = key;
        job.run = work;
        job.end = job_ended;
        lull_submit(queue, &job);
    }
}

/// A process that dispatches for the first time gets its guest.
static void visit(struct event_base *base) {
    if (!base || process == getpid() || !getenv("LULL_GUEST_REPORT")) return;
    process = getpid();
    adopted = base;
    ended = 0;
    memset(slices, 0, sizeof slices);
    if (lull_adopt(base, &loop) == LULL_OK) hand_in();
}

/// The program's own libevent's.
static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

int event_base_loop(struct event_base *base, int flags) {
    int (*real)(struct event_base *, int);
    *(void **)&real = next("event_base_loop");
    visit(base);
    return real(base, flags);
}

int event_base_dispatch(struct event_base *base) {
    return event_base_loop(base, 0);
}

/// The base of programs that name none.
static struct event_base *unnamed;

struct event_base *event_init(void) {
    struct event_base *(*real)(void);
    *(void **)&real = next("event_init");
    unnamed = real();
    return unnamed;
}

int event_loop(int flags) {
    int (*real)(int);
    *(void **)&real = next("event_loop");
    visit(unnamed);
    return real(flags);
}

void event_base_free(struct event_base *base) {
    void (*real)(struct event_base *);
    *(void **)&real = next("event_base_free");
    if (base && base == adopted && process == getpid()) {
        lull_close(loop);
        adopted = NULL;
    }
    real(base);
}
