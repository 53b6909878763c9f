/* Other threads, and other processes. */

#include <sys/wait.h>

#include "host.h"

struct poster {
    lull_loop *loop;
    int count;
    int taken;
    int called; /* on the loop's thread */
};

static void count_call(lull_loop *loop, void *context) {
    struct poster *poster = (struct poster *)context;
    CHECK(loop == poster->loop);
    CHECK_THREAD();
    poster->called++;
}

static void *post_many(void *context) {
    struct poster *poster = (struct poster *)context;
    int i;
    for (i = 0; i < poster->count; i++) {
        lull_status status = lull_post(poster->loop, count_call, poster);
        if (status == LULL_OK) {
            poster->taken++;
        } else {
            CHECK(status == LULL_FULL || status == LULL_STALE);
        }
    }
    return NULL;
}

static void test_posts(void) {
    enum { THREADS = 4, ROUNDS = 20 };
    struct host host;
    struct poster posters[THREADS];
    pthread_t threads[THREADS];
    int i, round;
    for (round = 0; round < ROUNDS; round++) {
        open_host(&host);
        never_end(&host);
        for (i = 0; i < THREADS; i++) {
            memset(&posters[i], 0, sizeof posters[i]);
            posters[i].loop = host.loop;
            posters[i].count = 1000;
            CHECK(pthread_create(&threads[i], NULL, post_many, &posters[i]) == 0);
        }
        /* Closed while they post: what was taken is called all the same. */
        for (i = 0; i < round; i++) event_base_loop(host.base, EVLOOP_NONBLOCK);
        close_host(&host);
        for (i = 0; i < THREADS; i++) {
            CHECK(pthread_join(threads[i], NULL) == 0);
            CHECK(posters[i].taken == posters[i].called);
        }
    }
    open_host(&host);
    posters[0].loop = host.loop;
    posters[0].taken = posters[0].called = 0;
    posters[0].count = 70000;
    CHECK(pthread_create(&threads[0], NULL, post_many, &posters[0]) == 0);
    CHECK(pthread_join(threads[0], NULL) == 0);
    CHECK(posters[0].taken == 65536);
    CHECK(lull_post(host.loop, count_call, &posters[0]) == LULL_FULL);
    never_end(&host);
    /* The host polls between them. */
    for (int pass = 0; pass < 65536 && posters[0].called < 65536; pass++)
        event_base_loop(host.base, EVLOOP_ONCE);
    CHECK(posters[0].called == 65536);
    CHECK(lull_post(host.loop, count_call, &posters[0]) == LULL_OK);
    close_host(&host);
}

/* What a host does after it has forked, in both processes. */
static void run_after_fork(struct host *host) {
    CHECK(submit(host, 2) == LULL_OK);
    CHECK(event_base_dispatch(host->base) == 1);
    CHECK(host->runs == 2 && host->ends == 2 && host->last_end == LULL_END_DONE);
    never_end(host);
    CHECK(lull_post(host->loop, fire, host) == LULL_OK);
    host->calls = 0;
    while (host->calls == 0) event_base_loop(host->base, EVLOOP_ONCE);
    CHECK(host->calls == 1);
    close_host(host);
}

static void test_forks(void) {
    struct host host;
    pid_t child;
    int status = 0;
    open_host(&host);
    CHECK(submit(&host, 1) == LULL_OK);
    CHECK(lull_post(host.loop, fire, &host) == LULL_OK);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(event_reinit(host.base) == 0);
        CHECK(lull_reinit_after_fork(host.loop) == LULL_OK);
        host.calls = 0;
        run_after_fork(&host);
        _exit(failures ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(lull_cancel_all(host.queue) == LULL_OK && host.ends == 1);
    host.runs = 1;
    while (host.calls == 0) {
        CHECK(lull_poke(host.loop) == LULL_OK);
        event_base_loop(host.base, EVLOOP_NONBLOCK);
    }
    CHECK(host.calls == 1);
    run_after_fork(&host);
}

void test_threads(void) {
    test_posts();
    test_forks();
}
