#include "choices.h"
#include "state.h"

queue_state queues[QUEUES];

void make_queue(void) {
    size_t place = choose(QUEUES);
    size_t loop = choose(LOOPS);
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    options.lanes = LULL_NONE;  // a program does the same in each run
    uint8_t odd = choose_byte();
    if (odd & 1) options.limit = (int64_t)choose(4);
    if (odd & 4) options.max_deferral = choose_duration();
    if (odd & 16) options.slice = choose_duration();
    if (odd & 32) options.batch = choose_duration();
    if (odd & 64) options.modes = (lull_mode)choose_constant(1, 3);
    if (odd & 128) {
        options.weight = (int32_t)choose(4);
        options.order = (int32_t)choose(3);
        options.ends_slices_when_due = (int32_t)choose(2);
        options.name = choose(2) ? "other" : NULL;
    }
    lull_queue *handle;
    if (lull_queue_new(loops[loop].handle, &options, &handle) != LULL_OK) {
        MUST(!handle, "a queue that was refused has no handle");
        return;
    }
    queues[place] = (queue_state){.handle = handle, .loop = loop, .limit = options.limit};
}

static void shut_down(const lull_shutdown_report *report, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    MUST(lull_count(report->queue) == LULL_STALE, "a queue that was shut down is stale");
    callback_free(self);
    call_back(loop);
}

void act_on_queue(void) {
    queue_state *queue = &queues[choose(QUEUES)];
    uint64_t key = choose(KEYS);
    switch (choose(8)) {
    case 0: make_queue(); break;
    case 1:
    case 2: lull_queue_close(queue->handle); break;
    case 3: lull_cancel(queue->handle, key); break;
    case 4: lull_cancel_all(queue->handle); break;
    case 5:
        lull_reprioritize(
            queue->handle, key, (lull_priority)choose_constant(0, 5), (int64_t)choose(3) - 1);
        break;
    case 6: lull_contains(queue->handle, key); break;
    default: {
        callback *made = callback_new(queue->loop, true);
        int64_t time = choose_duration();
        if (lull_queue_shutdown(queue->handle, time, shut_down, made) < 0) callback_free(made);
    }
    }
}

void check_queues(void) {
    for (size_t i = 0; i < QUEUES; i++) {
        lull_queue_statistics counts;
        if (lull_queue_get_statistics(queues[i].handle, &counts, sizeof counts) != LULL_OK) {
            continue;
        }
        MUST(counts.accepted ==
                 counts.done + counts.skipped + counts.failed + counts.cancelled +
                     counts.dropped + counts.waiting + counts.running,
             "every accepted job ends once");
        MUST((int64_t)counts.waiting <= queues[i].limit, "a queue never exceeds its bound");
    }
}
