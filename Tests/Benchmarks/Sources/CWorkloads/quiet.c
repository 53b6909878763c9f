#include "quiet.h"

#include <sys/resource.h>

#include "clock.h"
#include "report.h"

static long loop_switches(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) < 0) die("getrusage");
    return usage.ru_nvcsw;
}

static void *wake_later(void *argument) {
    struct quiet *quiet = argument;
    sleep_until_ns(quiet->start_ns + quiet->duration_ns);
    quiet->wake(quiet->argument);
    return NULL;
}

void quiet_open(struct quiet *quiet) {
    *quiet = (struct quiet){
        .duration_ns = is_quick() ? 2000000000 : 10000000000,
        .jobs_left = 1000,
    };
}

bool quiet_job(struct quiet *quiet) {
    return --quiet->jobs_left > 0;
}

void quiet_begin(struct quiet *quiet, void (*wake)(void *), void *argument) {
    quiet->wake = wake;
    quiet->argument = argument;
    quiet->start_ns = now_ns();
    if (pthread_create(&quiet->waker, NULL, wake_later, quiet)) die("pthread_create");
    quiet->switches = loop_switches();
    quiet->start_cpu_ns = cpu_ns();
}

void quiet_end(struct quiet *quiet) {
    uint64_t cpu = cpu_ns() - quiet->start_cpu_ns;
    quiet->cpu_percent = 100 * (double)cpu / (double)(now_ns() - quiet->start_ns);
    // The wake-up that ends the sleep is none of the loop's making.
    quiet->switches = loop_switches() - quiet->switches - 1;
}

void quiet_report(struct quiet *quiet) {
    pthread_join(quiet->waker, NULL);
    const char *variant = "queue empty";
    report("M6", variant, "cpu_percent", quiet->cpu_percent);
    report("M6", variant, "wakeups", (double)quiet->switches);
    report("M6", variant, "slept_s", (double)quiet->duration_ns / 1e9);
}
