#include "foreground.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"

static const struct {
    const char *name;
    uint64_t job_ns;
    int sources;
} variants[FOREGROUND_VARIANTS] = {
    {"200 us jobs", 200000, 1},
    {"2 ms jobs", 2000000, 1},
    {"10 sources", 200000, FOREGROUND_MAX_SOURCES},
};

// With about a thousand samples the 99th percentile still stands on ten.
static const int samples_wanted = 1200;

static void *write_times(void *argument) {
    struct foreground *fore = argument;
    unsigned seed = 42;
    // A timer slack of 50 us would be the larger part of some latencies.
    prctl(PR_SET_TIMERSLACK, 1);
    uint64_t next = now_ns();
    while (!__atomic_load_n(&fore->is_over, __ATOMIC_RELAXED)) {
        // Irregular, so as not to beat with the length of the jobs.
        next += 750000 + (unsigned)rand_r(&seed) % 500000;
        sleep_until_ns(next);
        uint64_t time = now_ns();
        if (write(fore->writing_end, &time, sizeof time) < 0 && errno != EAGAIN) die("write");
    }
    return NULL;
}

void foreground_open(struct foreground *fore, int variant) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0) die("pipe2");
    *fore = (struct foreground){
        .variant = variants[variant].name,
        .job_ns = variants[variant].job_ns,
        .sources = variants[variant].sources,
        .descriptor = ends[0],
        .writing_end = ends[1],
        .wanted = samples_wanted,
    };
    samples_open(&fore->latencies_us, samples_wanted + 4096);
}

void foreground_start(struct foreground *fore) {
    fore->start_ns = now_ns();
    // A sample comes each millisecond: a loop that has none by then never will.
    fore->limit_ns = fore->start_ns + (uint64_t)fore->wanted * 2000000;
    if (pthread_create(&fore->writer, NULL, write_times, fore)) die("pthread_create");
}

bool foreground_received(struct foreground *fore, const uint64_t *times, int count) {
    uint64_t now = now_ns();
    for (int i = 0; i < count; i++) {
        samples_add(&fore->latencies_us, (double)(now - times[i]) / 1000);
    }
    if (fore->latencies_us.count < fore->wanted) return true;
    if (!fore->end_ns) fore->end_ns = now_ns();
    return false;
}

bool foreground_read(struct foreground *fore) {
    uint64_t times[512];
    ssize_t size;
    bool more = true;
    do {
        size = read(fore->descriptor, times, sizeof times);
        int count = size > 0 ? (int)((size_t)size / sizeof *times) : 0;
        more = foreground_received(fore, times, count);
    } while (size == sizeof times);
    return more;
}

bool foreground_job(struct foreground *fore) {
    uint64_t start = now_ns();
    spin_ns(fore->job_ns);
    uint64_t end = now_ns();
    fore->busy_ns += end - start;
    return end < fore->limit_ns;
}

void foreground_report(struct foreground *fore) {
    if (!fore->end_ns) fore->end_ns = now_ns();
    __atomic_store_n(&fore->is_over, 1, __ATOMIC_RELAXED);
    pthread_join(fore->writer, NULL);
    // What was never read has waited until now.
    if (fore->latencies_us.count < fore->wanted) foreground_read(fore);

    report("M2", fore->variant, "p50_us", samples_percentile(&fore->latencies_us, 0.5));
    report("M2", fore->variant, "p99_us", samples_percentile(&fore->latencies_us, 0.99));
    report("M2", fore->variant, "max_us", samples_percentile(&fore->latencies_us, 1));
    double elapsed_ns = (double)(fore->end_ns - fore->start_ns);
    report("M2", fore->variant, "idle_share", (double)fore->busy_ns / elapsed_ns);

    close(fore->descriptor);
    close(fore->writing_end);
    samples_close(&fore->latencies_us);
}
