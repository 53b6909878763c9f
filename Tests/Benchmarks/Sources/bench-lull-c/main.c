// Lull through its C header, on the base of a host with one priority:
//
//     bench-lull-c MODE WORKLOAD
//
//     adopt   idle work by an idle queue
//
// It does what bench-lull does in this mode.

#include <event2/event.h>
#include <lull.h>
#include <stdio.h>
#include <string.h>

#include "CWorkloads.h"

static struct event_base *base;
static lull_loop *loop;

static void check(lull_status status) {
    if (status < 0) die(lull_status_text(status));
}

static void open_loop(void) {
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    base = event_base_new_with_config(config);
    event_config_free(config);
    if (!base) die("event_base_new_with_config");
    check(lull_adopt(base, &loop));
}

static void close_loop(void) {
    check(lull_close(loop));
    event_base_free(base);
}

static void nothing(evutil_socket_t descriptor, short what, void *context) {
    (void)descriptor;
    (void)what;
    (void)context;
}

// M1

static lull_progress run_next(const lull_slot *slot, uint64_t key, void *context) {
    (void)slot;
    (void)key;
    struct tiny_jobs *jobs = context;
    tiny_jobs_run_next(jobs);
    if (jobs->left) return LULL_AGAIN;
    jobs->end_ns = now_ns();
    event_base_loopbreak(base);
    return LULL_DONE;
}

static lull_progress run_pass(const lull_slot *slot, uint64_t key, void *context) {
    (void)slot;
    (void)key;
    if (tiny_jobs_pass(context)) return LULL_AGAIN;
    event_base_loopbreak(base);
    return LULL_DONE;
}

static struct event *quiet_event(void) {
    struct event *event =
        event_new(base, quiet_descriptor(), EV_READ | EV_PERSIST, nothing, NULL);
    if (!event || event_add(event, NULL) < 0) die("event_add");
    return event;
}

static void tiny_jobs_by_queue(struct tiny_jobs *jobs) {
    open_loop();
    struct event *quiet = quiet_event();
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    if (!jobs->budget_ns) options.batch = 0;
    lull_queue *queue;
    check(lull_queue_new(loop, &options, &queue));
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.run = jobs->budget_ns ? run_next : run_pass;
    job.context = jobs;
    check(lull_submit(queue, &job));
    tiny_jobs_start(jobs);
    event_base_dispatch(base);
    event_free(quiet);
    close_loop();
}

static const struct contender contenders[] = {
    {.name = "lull-c-adopt", .tiny_jobs = tiny_jobs_by_queue},
};

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "bench-lull-c MODE WORKLOAD\n");
        return 64;
    }
    for (size_t i = 0; i < sizeof contenders / sizeof *contenders; i++) {
        if (!strcmp(contenders[i].name + strlen("lull-c-"), argv[1])) {
            return run_workload(&contenders[i], argv[2]);
        }
    }
    fprintf(stderr, "no such mode: %s\n", argv[1]);
    return 64;
}
