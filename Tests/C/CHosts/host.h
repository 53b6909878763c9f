/* What the tests of lull.h have in common. */

#ifndef LULL_TEST_HOST_H
#define LULL_TEST_HOST_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <lull.h>

#include "../check.h"

extern pthread_t the_thread; /* of all callbacks */

#define CHECK_THREAD() CHECK(pthread_equal(pthread_self(), the_thread))

#define MS ((int64_t)1000000)

/* A host with a queue, and what its jobs did. */
struct host {
    struct event_base *base;
    lull_loop *loop;
    lull_queue *queue;
    int runs, ends, calls;
    uint64_t keys[64];
    lull_end last_end;
    lull_status seen;
    const lull_slot *slot;
};

/* Whether the last error is of the function that is called, and says this of it. */
int error_names(const char *call, const char *problem);

/* A call that is refused, and what is wrong with it. */
#define REFUSED(call, problem)                                                         \
    CHECK((call) == LULL_INVALID && error_names(#call, problem " "))

int64_t now(void);

void open_host(struct host *host);
/* Nothing of Lull is left on the base. */
void close_host(struct host *host);

/* Jobs of a host, which note that they ran and how they ended. */
lull_job job_of(struct host *host, uint64_t key);
lull_status submit(struct host *host, uint64_t key);
lull_progress run(const lull_slot *slot, uint64_t key, void *context);
void ended(uint64_t key, lull_end end, void *context);

/* A callback before idle that works four times, and one of a timer or a post. */
lull_idle idle(const lull_slot *slot, void *context);
void fire(lull_loop *loop, void *context);

/* A queue's counts, in which nothing is missing. */
lull_queue_statistics counts_of(lull_queue *queue);

/* Posts alone don't keep libevent from ending. */
void never_end(struct host *host);

/* The lanes of closed loops end. */
void wait_for_lanes(void);

void test_jobs(void);
void test_idle(void);
void test_misuse(void);
void test_calls_from_inside(void);
void test_shutdown(void);
void test_threads(void);
void test_anywhere(void);
void test_lists(void);
void test_rows_anywhere(void);
void test_hosts(void);

#endif
