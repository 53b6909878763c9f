#include "tiny_jobs.h"

#include <fcntl.h>
#include <unistd.h>

#include "report.h"

static const struct {
    const char *name;
    int batch;
    uint64_t budget_ns;
} variants[TINY_JOBS_VARIANTS] = {
    {"1 per pass", 1, 0},
    {"32 per pass", 32, 0},
    {"50 us budget", 1, 50000},
};

void tiny_job(void *argument) {
    // Nothing, but the compiler must not see that.
    __asm__ volatile("" : : "r"(argument) : "memory");
}

void tiny_jobs_open(struct tiny_jobs *jobs, int variant, uint64_t count) {
    *jobs = (struct tiny_jobs){
        .variant = variants[variant].name,
        .batch = variants[variant].batch,
        .budget_ns = variants[variant].budget_ns,
        .count = count,
        .left = count,
    };
    for (int i = 0; i < 256; i++) {
        jobs->ring[i].run = tiny_job;
        jobs->ring[i].argument = jobs;
    }
}

void tiny_jobs_start(struct tiny_jobs *jobs) {
    jobs->start_ns = now_ns();
}

void tiny_jobs_report(const struct tiny_jobs *jobs) {
    double elapsed_ns = (double)(jobs->end_ns - jobs->start_ns);
    report("M1", jobs->variant, "ns_per_job", elapsed_ns / (double)jobs->count);
}

int quiet_descriptor(void) {
    // The writing end stays open, for without it the other one would be ready.
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0) die("pipe2");
    return ends[0];
}
