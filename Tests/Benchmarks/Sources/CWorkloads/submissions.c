#include "submissions.h"

#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "clock.h"

enum { warm_ups = 200, round_trips = 3000, most_cores = 64 };

static int keep_awake_is_over;

/// A halted virtual CPU takes about 15 us to wake, which would drown what the software takes:
/// a thread on each core keeps it out of halt, and steps aside for anything else.
static void *keep_awake(void *argument) {
    pin_to_core((int)(intptr_t)argument);
    struct sched_param parameters = {0};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &parameters);
    while (!__atomic_load_n(&keep_awake_is_over, __ATOMIC_RELAXED)) {
    }
    return NULL;
}

static double round_trip_us(struct submissions *submissions) {
    // Time for the loop to go back to sleep.
    spin_ns(40000);
    __atomic_store_n(&submissions->is_answered, 0, __ATOMIC_RELEASE);
    uint64_t start = now_ns();
    submissions->submit(submissions->argument);
    while (!__atomic_load_n(&submissions->is_answered, __ATOMIC_ACQUIRE)) {
    }
    return (double)(now_ns() - start) / 1000;
}

static void *submit_all(void *argument) {
    struct submissions *submissions = argument;
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > most_cores) cores = most_cores;
    pthread_t awake[most_cores];
    pin_to_core(1);
    __atomic_store_n(&keep_awake_is_over, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < cores; i++) {
        if (pthread_create(&awake[i], NULL, keep_awake, (void *)(intptr_t)i)) die("pthread_create");
    }
    for (int i = 0; i < warm_ups; i++) round_trip_us(submissions);
    for (int i = 0; i < round_trips; i++) {
        samples_add(&submissions->round_trips_us, round_trip_us(submissions));
    }
    __atomic_store_n(&keep_awake_is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < cores; i++) pthread_join(awake[i], NULL);
    __atomic_store_n(&submissions->is_over, 1, __ATOMIC_RELEASE);
    submissions->submit(submissions->argument);
    return NULL;
}

void submissions_start(struct submissions *submissions, void (*submit)(void *), void *argument) {
    *submissions = (struct submissions){.submit = submit, .argument = argument};
    samples_open(&submissions->round_trips_us, round_trips);
    pin_to_core(0);
    if (pthread_create(&submissions->submitter, NULL, submit_all, submissions)) {
        die("pthread_create");
    }
}

bool submissions_answer(struct submissions *submissions) {
    if (__atomic_load_n(&submissions->is_over, __ATOMIC_ACQUIRE)) return false;
    __atomic_store_n(&submissions->is_answered, 1, __ATOMIC_RELEASE);
    return true;
}

void submissions_report(struct submissions *submissions) {
    submissions_report_as(submissions, "M5", "round trip");
}

void submissions_report_as(
    struct submissions *submissions, const char *workload, const char *variant) {
    pthread_join(submissions->submitter, NULL);
    struct samples *samples = &submissions->round_trips_us;
    report(workload, variant, "p50_us", samples_percentile(samples, 0.5));
    report(workload, variant, "p99_us", samples_percentile(samples, 0.99));
    samples_close(&submissions->round_trips_us);
}
