#include "contender.h"

#include <stdio.h>
#include <string.h>

static void run_tiny_jobs(const struct contender *contender) {
    for (int variant = 0; variant < TINY_JOBS_VARIANTS; variant++) {
        static struct tiny_jobs jobs;
        tiny_jobs_open(&jobs, variant, TINY_JOBS_COUNT);
        contender->tiny_jobs(&jobs);
        tiny_jobs_report(&jobs);
    }
}

static void run_foreground(const struct contender *contender) {
    for (int variant = 0; variant < FOREGROUND_VARIANTS; variant++) {
        struct foreground fore;
        foreground_open(&fore, variant);
        contender->foreground(&fore);
        foreground_report(&fore);
    }
}

static void run_chain(const struct contender *contender) {
    for (int variant = 0; variant < CHAIN_VARIANTS; variant++) {
        struct chain chain;
        chain_open(&chain, variant);
        contender->chain(&chain);
        chain_report(&chain);
    }
}

static void run_timers(void (*function)(struct timers *), const char *variant) {
    struct timers timers;
    timers_open(&timers, variant);
    function(&timers);
    timers_report(&timers);
}

static void run_submissions(const struct contender *contender) {
    struct submissions submissions;
    contender->submissions(&submissions);
    submissions_report(&submissions);
}

static void run_quiet(const struct contender *contender) {
    struct quiet quiet;
    quiet_open(&quiet);
    contender->quiet(&quiet);
    quiet_report(&quiet);
}

static void run_frames(const struct contender *contender) {
    for (int variant = 0; variant < FRAMES_VARIANTS; variant++) {
        struct frames frames;
        frames_open(&frames, variant);
        contender->frames(&frames);
        frames_report(&frames);
    }
}

int run_workload(const struct contender *contender, const char *workload) {
    set_contender(contender->name);
    if (!strcmp(workload, "M1") && contender->tiny_jobs) {
        run_tiny_jobs(contender);
    } else if (!strcmp(workload, "M2") && contender->foreground) {
        run_foreground(contender);
    } else if (!strcmp(workload, "M3") && contender->chain) {
        run_chain(contender);
    } else if (!strcmp(workload, "M4") && contender->timers) {
        run_timers(contender->timers, "random durations");
        if (contender->equal_timers) run_timers(contender->equal_timers, "one duration");
    } else if (!strcmp(workload, "M5") && contender->submissions) {
        run_submissions(contender);
    } else if (!strcmp(workload, "M6") && contender->quiet) {
        run_quiet(contender);
    } else if (!strcmp(workload, "M7") && contender->frames) {
        run_frames(contender);
    } else {
        fprintf(stderr, "%s takes no part in %s\n", contender->name, workload);
        return 64;
    }
    return 0;
}
