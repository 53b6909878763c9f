// The reference: the plainest loops that can be written on epoll, one for each workload.
//
//     bench-epoll [heap] WORKLOAD

#include <CWorkloads.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "heap.h"

enum { most_events = 1024 };

static struct epoll_event events[most_events];

static void watch(int epoll, int descriptor, uint32_t index) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) die("epoll_ctl");
}

static int epoll_watching(int descriptor) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) die("epoll_create1");
    if (descriptor >= 0) watch(epoll, descriptor, 0);
    return epoll;
}

static int poll_now(int epoll) {
    return epoll_wait(epoll, events, most_events, 0);
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    int descriptor = quiet_descriptor();
    int epoll = epoll_watching(descriptor);
    tiny_jobs_start(jobs);
    do {
        if (poll_now(epoll) > 0) abort();
    } while (tiny_jobs_pass(jobs));
    close(epoll);
    close(descriptor);
}

static void foreground(struct foreground *fore) {
    // Without a library there is nothing that several sources could be.
    int epoll = epoll_watching(fore->descriptor);
    foreground_start(fore);
    for (;;) {
        bool more = poll_now(epoll) > 0 ? foreground_read(fore) : foreground_job(fore);
        if (!more) break;
    }
    close(epoll);
}

static void chain(struct chain *chain) {
    int epoll = epoll_watching(-1);
    for (int i = 0; i < chain->count; i++) watch(epoll, chain->descriptors[i], (uint32_t)i);
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) {
            int count = poll_now(epoll);
            for (int i = 0; i < count; i++) chain_receive(chain, (int)events[i].data.u32);
        }
    }
    close(epoll);
}

static int wake_descriptor;

static void wake(void *argument) {
    (void)argument;
    uint64_t one = 1;
    if (write(wake_descriptor, &one, sizeof one) < 0) die("write");
}

static void submissions(struct submissions *submissions) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int epoll = epoll_watching(wake_descriptor);
    submissions_start(submissions, wake, NULL);
    do {
        epoll_wait(epoll, events, most_events, -1);
        drain_descriptor(wake_descriptor);
    } while (submissions_answer(submissions));
    close(epoll);
    close(wake_descriptor);
}

static void quiet(struct quiet *quiet) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int epoll = epoll_watching(wake_descriptor);
    do {
        poll_now(epoll);
    } while (quiet_job(quiet));
    quiet_begin(quiet, wake, NULL);
    epoll_wait(epoll, events, most_events, -1);
    quiet_end(quiet);
    close(epoll);
    close(wake_descriptor);
}

/// The frames' timer is a timer descriptor with the frames' own grid.
static void frames(struct frames *frames) {
    frames_start(frames);
    int timer = timer_descriptor(frames->start_ns, frames->period_ns);
    int epoll = epoll_watching(timer);
    for (;;) {
        bool more;
        if (poll_now(epoll) > 0) {
            drain_descriptor(timer);
            more = frames_handle(frames);
        } else {
            more = frames_run_job(frames);
        }
        if (!more) break;
    }
    close(epoll);
    close(timer);
}

int main(int count, char **arguments) {
    static const struct contender contender = {
        .name = "epoll",
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    // epoll has no timers: their reference is a data structure.
    static const struct contender heap = {.name = "heap", .timers = heap_timers};

    if (count == 2) return run_workload(&contender, arguments[1]);
    if (count == 3) return run_workload(&heap, arguments[2]);
    return 64;
}
