#include "chain.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

enum { active = 100, forwards = 1000, warm_ups = 2 };

static const struct {
    const char *name;
    int count;
    int runs;
} variants[CHAIN_VARIANTS] = {
    {"100 fds", 100, 25},
    {"1000 fds", 1000, 25},
    {"10000 fds", 10000, 10},
};

static void put_token(struct chain *chain, int index) {
    uint64_t one = 1;
    if (write(chain->descriptors[index], &one, sizeof one) < 0) die("write");
}

void chain_open(struct chain *chain, int variant) {
    *chain = (struct chain){
        .variant = variants[variant].name,
        .count = variants[variant].count,
        .run = -warm_ups - 1,
        .runs = variants[variant].runs,
    };
    samples_open(&chain->runs_us, chain->runs);
    chain->descriptors = malloc((size_t)chain->count * sizeof *chain->descriptors);
    for (int i = 0; i < chain->count; i++) {
        chain->descriptors[i] = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
        if (chain->descriptors[i] < 0) die("eventfd");
    }
}

bool chain_next_run(struct chain *chain) {
    if (chain->run >= 0) samples_add(&chain->runs_us, (double)(now_ns() - chain->start_ns) / 1000);
    chain->run++;
    if (chain->run == chain->runs) return false;
    chain->left = forwards;
    chain->received = 0;
    for (int i = 0; i < active; i++) put_token(chain, i * (chain->count / active));
    chain->start_ns = now_ns();
    return true;
}

bool chain_is_running(const struct chain *chain) {
    return chain->received < active + forwards;
}

void chain_receive(struct chain *chain, int index) {
    uint64_t token;
    if (read(chain->descriptors[index], &token, sizeof token) < 0) return;
    chain->received++;
    if (!chain->left) return;
    chain->left--;
    put_token(chain, (index + 1) % chain->count);
}

void chain_report(struct chain *chain) {
    report("M3", chain->variant, "us_per_run", samples_percentile(&chain->runs_us, 0.5));
    for (int i = 0; i < chain->count; i++) close(chain->descriptors[i]);
    free(chain->descriptors);
    samples_close(&chain->runs_us);
}
