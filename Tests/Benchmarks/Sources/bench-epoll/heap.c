#include "heap.h"

#include <stdlib.h>

struct timer {
    uint64_t due_ns;
    int index;
};

static struct timer **heap;
static int heap_count;

static void place(struct timer *timer, int index) {
    heap[index] = timer;
    timer->index = index;
}

static void move_up(int index) {
    struct timer *timer = heap[index];
    while (index > 0) {
        int parent = (index - 1) / 2;
        if (heap[parent]->due_ns <= timer->due_ns) break;
        place(heap[parent], index);
        index = parent;
    }
    place(timer, index);
}

static void move_down(int index) {
    struct timer *timer = heap[index];
    for (;;) {
        int child = 2 * index + 1;
        if (child >= heap_count) break;
        if (child + 1 < heap_count && heap[child + 1]->due_ns < heap[child]->due_ns) child++;
        if (heap[child]->due_ns >= timer->due_ns) break;
        place(heap[child], index);
        index = child;
    }
    place(timer, index);
}

static void add(struct timer *timer) {
    heap[heap_count] = timer;
    move_up(heap_count++);
}

static void cancel(const struct timer *timer) {
    int index = timer->index;
    struct timer *last = heap[--heap_count];
    if (index == heap_count) return;
    place(last, index);
    move_up(index);
    move_down(last->index);
}

void heap_timers(struct timers *timers) {
    struct timer *all = calloc((size_t)timers->count, sizeof *all);
    heap = malloc((size_t)timers->count * sizeof *heap);
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) {
        all[i].due_ns = timers->start_ns + timers->due_ms[i] * 1000000ull;
        add(&all[i]);
    }
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) cancel(&all[timers->order[i]]);
    timers_cancelled(timers);
    free(heap);
    free(all);
}
