#include "work.h"

#include <time.h>

#define UNITS 300

static int jobs_done;
static int units_done[WORK_JOBS];
static unsigned steps;
static volatile unsigned sum;

static void do_unit(void) {
    for (unsigned i = 0; i < steps; i++) sum += i;
}

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void work_begin(void) {
    jobs_done = 0;
    for (int i = 0; i < WORK_JOBS; i++) units_done[i] = 0;
    if (steps) return;
    // The fastest of a few, as the machine may be busy.
    double fastest = 1e9;
    steps = 100000;
    for (int i = 0; i < 20; i++) {
        double start = now_ns();
        do_unit();
        double time = now_ns() - start;
        if (time < fastest) fastest = time;
    }
    steps = (unsigned)(steps * 10000 / fastest) + 1;
}

static lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    (void)context;
    while (units_done[key] < UNITS) {
        if (lull_slot_is_over(slot)) return LULL_AGAIN;
        do_unit();
        units_done[key]++;
    }
    return LULL_DONE;
}

static void ended(uint64_t key, lull_end end, void *context) {
    (void)key, (void)context;
    if (end == LULL_END_DONE) jobs_done++;
}

lull_status work_submit(lull_queue *queue) {
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.run = run;
    job.end = ended;
    for (uint64_t key = 0; key < WORK_JOBS; key++) {
        job.key = key;
        lull_status status = lull_submit(queue, &job);
        if (status != LULL_OK) return status;
    }
    return LULL_OK;
}

void work_whole_job(void) {
    for (; units_done[jobs_done] < UNITS; units_done[jobs_done]++) do_unit();
    jobs_done++;
}

bool work_is_done(void) {
    return jobs_done == WORK_JOBS;
}
