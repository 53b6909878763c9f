/* Hosts that aren't libevent's: any descriptor, and one of the program's own. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "host.h"

/* MARK: - A loop that watches one descriptor */

/* A loop with a queue, and what its jobs did. */
struct polled {
    struct host host;
    int descriptor;
    lull_status seen[4]; /* by calls from inside a job */
    pid_t child;
};

static int is_readable(const struct polled *polled) {
    struct pollfd ready;
    ready.fd = polled->descriptor;
    ready.events = POLLIN;
    return poll(&ready, 1, 0) == 1;
}

/* Waits for at most a second, as a host does, and processes. */
static void pass(const struct polled *polled) {
    struct pollfd ready;
    ready.fd = polled->descriptor;
    ready.events = POLLIN;
    if (poll(&ready, 1, 1000) == 1) CHECK(lull_process(polled->host.loop, 0) == LULL_OK);
}

static void open_polled(struct polled *polled) {
    memset(polled, 0, sizeof *polled);
    CHECK(lull_adopt_fd(&polled->host.loop, &polled->descriptor) == LULL_OK);
    CHECK(polled->descriptor >= 0 && !is_readable(polled));
    CHECK(lull_queue_new(polled->host.loop, NULL, &polled->host.queue) == LULL_OK);
}

static void post_one(lull_loop *loop, void *context) {
    struct polled *polled = (struct polled *)context;
    CHECK_THREAD();
    CHECK(lull_process(loop, 0) == LULL_BUSY);
    CHECK(lull_close(loop) == LULL_BUSY);
    polled->host.calls++;
}

static void *post_from_elsewhere(void *context) {
    struct polled *polled = (struct polled *)context;
    CHECK(lull_process(polled->host.loop, 0) == LULL_WRONG_THREAD);
    CHECK(lull_post(polled->host.loop, post_one, polled) == LULL_OK);
    return NULL;
}

static lull_progress call_back(const lull_slot *slot, uint64_t key, void *context) {
    struct polled *polled = (struct polled *)context;
    (void)slot;
    (void)key;
    polled->seen[0] = lull_process(polled->host.loop, 0);
    polled->seen[1] = lull_close(polled->host.loop);
    polled->seen[2] = lull_reinit_after_fork(polled->host.loop);
    CHECK(is_readable(polled) || lull_count(polled->host.queue) == 0);
    polled->host.runs++;
    return LULL_DONE;
}

static void test_descriptor(void) {
    struct polled polled;
    pthread_t thread;
    lull_job job;
    int last;
    open_polled(&polled);
    for (uint64_t key = 1; key <= 3; key++) CHECK(submit(&polled.host, key) == LULL_OK);
    CHECK(is_readable(&polled));
    CHECK(lull_process(polled.host.loop, 1) == LULL_OK); /* while others are served, no job runs */
    CHECK(polled.host.runs == 0 && is_readable(&polled));
    while (polled.host.ends < 3) pass(&polled);
    CHECK(polled.host.runs == 3 && polled.host.last_end == LULL_END_DONE);
    for (int i = 0; i < 3 && is_readable(&polled); i++) pass(&polled);
    CHECK(!is_readable(&polled)); /* nothing to do: the host sleeps */
    CHECK(lull_process(polled.host.loop, 0) == LULL_OK); /* at any time */

    job = job_of(&polled.host, 4);
    job.run = call_back;
    job.end = NULL;
    job.context = &polled;
    CHECK(lull_submit(polled.host.queue, &job) == LULL_OK);
    while (polled.host.runs < 4) pass(&polled);
    for (int i = 0; i < 3; i++) CHECK(polled.seen[i] == LULL_BUSY);

    CHECK(
        lull_timer_new(polled.host.loop, 5 * MS, LULL_NONE, LULL_NONE, fire, &polled.host, NULL) ==
        LULL_OK);
    while (polled.host.calls < 1) pass(&polled);
    CHECK(pthread_create(&thread, NULL, post_from_elsewhere, &polled) == 0);
    while (polled.host.calls < 2) pass(&polled);
    CHECK(pthread_join(thread, NULL) == 0);

    /* What waits ends with the loop, and so does the descriptor. */
    CHECK(submit(&polled.host, 5) == LULL_OK);
    last = polled.descriptor;
    CHECK(lull_close(polled.host.loop) == LULL_OK);
    CHECK(polled.host.ends == 4 && polled.host.last_end == LULL_END_CANCELLED);
    CHECK(lull_process(polled.host.loop, 0) == LULL_STALE);
    CHECK(fcntl(last, F_GETFD) < 0 && errno == EBADF);
}

static void test_bad_descriptors(void) {
    struct host host;
    struct rlimit limit, few;
    lull_loop *loop = (lull_loop *)&host;
    int descriptor = 7, free_one;
    CHECK(lull_adopt_fd(&loop, NULL) == LULL_INVALID && !loop);
    CHECK(lull_adopt_fd(NULL, &descriptor) == LULL_INVALID && descriptor == -1);
    CHECK(lull_adopt_fd(NULL, NULL) == LULL_INVALID);
    CHECK(lull_process(NULL, 0) == LULL_INVALID);
    open_host(&host);
    CHECK(lull_process(host.loop, 0) == LULL_INVALID); /* libevent's */
    close_host(&host);

    /* With room for none, one, two or three more. */
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    free_one = dup(0);
    CHECK(free_one >= 0 && close(free_one) == 0);
    for (rlim_t room = 0; room < 4; room++) {
        few = limit;
        few.rlim_cur = (rlim_t)free_one + room;
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        errno = 0;
        CHECK(lull_adopt_fd(&loop, &descriptor) == LULL_SYSTEM && errno == EMFILE);
        CHECK(!loop && descriptor == -1);
        CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
        descriptor = dup(0);
        CHECK(descriptor == free_one && close(descriptor) == 0); /* none is left open */
    }
}

/* Parent and child each have their own loop: what one does isn't seen by the other. */
static void test_fork(void) {
    struct polled polled;
    int status;
    open_polled(&polled);
    CHECK(submit(&polled.host, 1) == LULL_OK);
    polled.child = fork();
    if (polled.child == 0) {
        CHECK(lull_reinit_after_fork(polled.host.loop) == LULL_OK);
        for (int i = 0; i < 10 && polled.host.ends < 1; i++) pass(&polled);
        CHECK(polled.host.ends == 1);
        CHECK(lull_post(polled.host.loop, post_one, &polled) == LULL_OK);
        for (int i = 0; i < 10 && polled.host.calls < 1; i++) pass(&polled);
        CHECK(polled.host.calls == 1);
        CHECK(lull_close(polled.host.loop) == LULL_OK);
        _exit(failures ? 1 : 0);
    }
    CHECK(waitpid(polled.child, &status, 0) == polled.child && status == 0);
    CHECK(is_readable(&polled));
    for (int i = 0; i < 10 && polled.host.ends < 1; i++) pass(&polled);
    CHECK(polled.host.ends == 1);
    CHECK(lull_post(polled.host.loop, post_one, &polled) == LULL_OK);
    CHECK(is_readable(&polled));
    for (int i = 0; i < 10 && polled.host.calls < 1; i++) pass(&polled);
    CHECK(polled.host.calls == 1);
    CHECK(lull_close(polled.host.loop) == LULL_OK);
}

/* MARK: - A host of one's own */

/* A host that polls, and what was asked of it. */
struct own {
    struct host host;
    lull_guest guest;
    int begins, requests, requested, ends, releases;
    int is_needed, updates;
    int begin_error, request_error;
    int64_t due, due_after; /* the next timer; from each look at it on, if that is positive */
    int ends_when_due; /* whether the last slice was to end with the next timer */
    int depth;
};

static int begin(const lull_guest *guest, void *context) {
    struct own *own = (struct own *)context;
    own->begins++;
    own->guest = *guest;
    CHECK(guest->descriptor >= 0 && guest->serve != NULL && guest->idle != NULL);
    return own->begin_error;
}

static int request_idle(void *context) {
    struct own *own = (struct own *)context;
    own->requests++;
    CHECK(!own->requested); /* once, until it is called */
    if (own->request_error) return own->request_error;
    own->requested = 1;
    return 0;
}

static void keep_running(int is_needed, void *context) {
    struct own *own = (struct own *)context;
    CHECK(own->is_needed != is_needed && (is_needed == 0 || is_needed == 1));
    own->is_needed = is_needed;
}

static void update_time(void *context) {
    ((struct own *)context)->updates++;
}

static int64_t next_due(void *context) {
    struct own *own = (struct own *)context;
    if (own->due_after > 0) own->due = now() + own->due_after;
    return own->due;
}

static void end(void *context) {
    struct own *own = (struct own *)context;
    CHECK(own->begins == own->ends + 1 && own->releases == 0);
    own->requested = 0;
    own->ends++;
}

static void release(void *context) {
    struct own *own = (struct own *)context;
    CHECK(own->releases == 0);
    own->releases++;
}

static lull_host functions_of(struct own *own) {
    lull_host functions;
    memset(own, 0, sizeof *own);
    own->due = LULL_NONE;
    lull_host_init(&functions, sizeof functions);
    functions.context = own;
    functions.begin = begin;
    functions.request_idle = request_idle;
    functions.keep_running = keep_running;
    functions.update_time = update_time;
    functions.next_due = next_due;
    functions.end = end;
    functions.release = release;
    return functions;
}

/* One pass of the host's loop. */
static void turn(struct own *own, int is_busy) {
    struct pollfd ready;
    ready.fd = own->guest.descriptor;
    ready.events = POLLIN;
    if (poll(&ready, 1, own->requested ? 0 : 100) == 1) {
        CHECK(own->guest.serve(own->guest.context) >= 0);
    } else if (own->requested) {
        own->requested = 0;
        own->guest.idle(is_busy, own->guest.context);
    }
}

static lull_progress run_the_host(const lull_slot *slot, uint64_t key, void *context) {
    struct own *own = (struct own *)context;
    (void)slot;
    (void)key;
    own->depth++;
    /* As a modal dialogue does: timers fire, and no other job runs inside this one. */
    for (int i = 0; i < 20; i++) turn(own, 0);
    own->depth--;
    own->host.runs++;
    return LULL_DONE;
}

static lull_progress is_alone(const lull_slot *slot, uint64_t key, void *context) {
    struct own *own = (struct own *)context;
    (void)slot;
    (void)key;
    CHECK(own->depth == 0);
    own->host.runs++;
    return LULL_DONE;
}

static lull_progress note_slice(const lull_slot *slot, uint64_t key, void *context) {
    struct own *own = (struct own *)context;
    (void)key;
    own->ends_when_due = lull_slot_slice_end(slot) == own->due;
    own->host.runs++;
    return LULL_DONE;
}

static void test_own_host(void) {
    struct own own;
    lull_job job;
    lull_queue_options options;
    lull_host functions = functions_of(&own);
    CHECK(lull_adopt_host(&functions, &own.host.loop) == LULL_OK);
    memset(&functions, 0xff, sizeof functions); /* it was copied */
    CHECK(own.begins == 1 && own.requests == 0 && !own.is_needed);
    CHECK(lull_process(own.host.loop, 0) == LULL_INVALID);
    lull_queue_options_init(&options, sizeof options);
    options.slice = 1000 * MS;
    CHECK(lull_queue_new(own.host.loop, &options, &own.host.queue) == LULL_OK);

    CHECK(submit(&own.host, 1) == LULL_OK);
    CHECK(own.requested && !own.is_needed); /* a request is enough to keep the host running */
    turn(&own, 1); /* busy: it requests another moment */
    CHECK(own.host.runs == 0);
    for (int i = 0; i < 100 && own.host.ends < 1; i++) turn(&own, 0);
    CHECK(own.host.runs == 1 && own.host.ends == 1);
    for (int i = 0; i < 3; i++) turn(&own, 0);
    CHECK(!own.is_needed && !own.requested);
    CHECK(
        lull_timer_new(own.host.loop, MS, LULL_NONE, LULL_NONE, fire, &own.host, NULL) == LULL_OK);
    CHECK(own.is_needed);
    for (int i = 0; i < 100 && own.host.calls < 1; i++) turn(&own, 0);
    CHECK(own.host.calls == 1 && !own.is_needed);

    /* Slices end when the host's next timer is due. */
    job = job_of(&own.host, 2);
    job.run = note_slice;
    job.context = &own;
    job.end = NULL;
    own.due_after = 20 * MS;
    CHECK(lull_submit(own.host.queue, &job) == LULL_OK);
    for (int i = 0; i < 100 && own.host.runs < 2; i++) turn(&own, 0);
    CHECK(own.host.runs == 2 && own.ends_when_due);
    own.due_after = 0;
    own.due = LULL_NONE;

    /* The host's loop is run inside a job. */
    job.key = 3;
    job.run = run_the_host;
    CHECK(lull_submit(own.host.queue, &job) == LULL_OK);
    job.key = 4;
    job.run = is_alone;
    CHECK(lull_submit(own.host.queue, &job) == LULL_OK);
    CHECK(
        lull_timer_new(own.host.loop, MS, LULL_NONE, LULL_NONE, fire, &own.host, NULL) == LULL_OK);
    for (int i = 0; i < 100 && own.host.runs < 4; i++) turn(&own, 0);
    CHECK(own.host.runs == 4 && own.host.calls == 2);

    /* A host without memory is asked again. */
    for (int i = 0; i < 100 && own.requested; i++) turn(&own, 0);
    own.host.ends = 0;
    own.request_error = ENOMEM;
    CHECK(submit(&own.host, 5) == LULL_OK);
    turn(&own, 0);
    CHECK(own.host.ends == 0 && !own.requested);
    own.request_error = 0;
    for (int i = 0; i < 100 && own.host.ends < 1; i++) turn(&own, 0);
    CHECK(own.host.ends == 1);

    CHECK(lull_close(own.host.loop) == LULL_OK);
    CHECK(own.begins == 1 && own.ends == 1 && own.releases == 1);
    CHECK(lull_close(own.host.loop) == LULL_STALE);
}

/* A host with what it must have, and no more. */
static void test_least_host(void) {
    struct own own;
    lull_host functions = functions_of(&own);
    functions.keep_running = NULL;
    functions.update_time = NULL;
    functions.next_due = NULL;
    functions.release = NULL;
    CHECK(lull_adopt_host(&functions, &own.host.loop) == LULL_OK);
    CHECK(lull_queue_new(own.host.loop, NULL, &own.host.queue) == LULL_OK);
    CHECK(submit(&own.host, 1) == LULL_OK);
    for (int i = 0; i < 100 && own.host.ends < 1; i++) turn(&own, 0);
    CHECK(own.host.ends == 1);
    CHECK(submit(&own.host, 2) == LULL_OK);
    CHECK(lull_close(own.host.loop) == LULL_OK);
    CHECK(own.host.ends == 2 && own.ends == 1);
}

static void test_bad_hosts(void) {
    struct own own;
    struct {
        lull_host host;
        int64_t more;
    } later;
    lull_loop *loop = (lull_loop *)&own;
    lull_host functions;
    lull_host_init(NULL, 8);
    lull_host_init(&functions, sizeof functions);
    CHECK(functions.size == sizeof functions && !functions.begin && !functions.release);
    functions.size = 7;
    lull_host_init(&functions, 0);
    CHECK(functions.size == 7);
    CHECK(lull_adopt_host(NULL, &loop) == LULL_INVALID && !loop);
    CHECK(lull_adopt_host(NULL, NULL) == LULL_INVALID);

#define BAD_HOST(member, value, expected, released)                                    \
    functions = functions_of(&own);                                                    \
    functions.member = value;                                                          \
    loop = (lull_loop *)&own;                                                          \
    CHECK(lull_adopt_host(&functions, &loop) == expected && !loop);                    \
    CHECK(own.begins == 0 && own.ends == 0 && own.releases == released)
    BAD_HOST(size, 0, LULL_INVALID, 0);
    BAD_HOST(size, sizeof functions - 1, LULL_INVALID, 0);
    BAD_HOST(request_idle, NULL, LULL_INVALID, 1);
    BAD_HOST(end, NULL, LULL_INVALID, 1);
    BAD_HOST(begin, NULL, LULL_NO_MEMORY, 1);

    functions = functions_of(&own);
    CHECK(lull_adopt_host(&functions, NULL) == LULL_INVALID);
    CHECK(own.begins == 0 && own.releases == 1);
    functions = functions_of(&own);
    own.begin_error = EMFILE;
    errno = 0;
    CHECK(lull_adopt_host(&functions, &loop) == LULL_SYSTEM && errno == EMFILE && !loop);
    CHECK(own.begins == 1 && own.ends == 0 && own.releases == 1);
    functions = functions_of(&own);
    own.begin_error = ENOMEM;
    CHECK(lull_adopt_host(&functions, &loop) == LULL_NO_MEMORY && !loop);
    CHECK(own.ends == 0 && own.releases == 1);

    memset(&later, 0, sizeof later);
    later.host = functions_of(&own);
    later.host.size = sizeof later;
    CHECK(lull_adopt_host(&later.host, &loop) == LULL_OK);
    CHECK(lull_close(loop) == LULL_OK && own.releases == 1);
    later.host = functions_of(&own);
    later.host.size = sizeof later;
    later.more = 1;
    CHECK(lull_adopt_host(&later.host, &loop) == LULL_UNSUPPORTED && !loop);
    CHECK(own.begins == 0 && own.releases == 0);
}

void test_hosts(void) {
    test_descriptor();
    test_bad_descriptors();
    test_fork();
    test_own_host();
    test_least_host();
    test_bad_hosts();
}
