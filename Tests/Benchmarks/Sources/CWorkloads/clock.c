#include "clock.h"

#include <errno.h>
#include <sched.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "report.h"

static struct timespec timespec_of(uint64_t ns) {
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

uint64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void spin_ns(uint64_t duration) {
    uint64_t end = now_ns() + duration;
    while (now_ns() < end) {
    }
}

void sleep_until_ns(uint64_t instant) {
    struct timespec t = timespec_of(instant);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
    }
}

void pin_to_core(int core) {
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 2) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core % cores, &set);
    sched_setaffinity(0, sizeof set, &set);
}

int timer_descriptor(uint64_t first_ns, uint64_t period_ns) {
    int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) die("timerfd_create");
    struct itimerspec setting = {
        .it_value = timespec_of(first_ns),
        .it_interval = timespec_of(period_ns),
    };
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &setting, NULL) < 0) die("timerfd_settime");
    return descriptor;
}

void drain_descriptor(int descriptor) {
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN) die("read");
}
