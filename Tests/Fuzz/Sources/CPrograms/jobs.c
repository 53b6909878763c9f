#include "choices.h"
#include "state.h"

/// The slot of a callback that was lent last.
static const lull_slot *last_slot;

void look_at(const lull_slot *slot) {
    last_slot = slot;
    MUST(lull_slot_remaining(slot) >= 0, "a slot that was lent says what is left of it");
    MUST(lull_slot_is_over(slot) >= 0, "a slot that was lent says whether it is over");
    MUST(lull_slot_did_time_out(slot) >= 0, "a slot that was lent says why it came");
    MUST(lull_slot_deadline(slot) > 0, "a slot that was lent has a deadline");
    MUST(lull_slot_slice_end(slot) > 0, "a slot that was lent has an end");
}

void look_at_stale_slot(void) {
    lull_slot_is_over(last_slot);
    lull_slot_remaining(last_slot);
}

static lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    callback *self = context;
    (void)key;
    look_at(slot);
    call_back(self->loop);
    return (lull_progress)choose(5);
}

/// Of a job that may run anywhere, to which everything but its slot is another thread's.
static lull_progress run_anywhere(const lull_slot *slot, uint64_t key, void *context) {
    callback *self = context;
    lull_loop *loop = loops[self->loop].handle;
    (void)key;
    look_at(slot);
    MUST(lull_poke(loop) == LULL_WRONG_THREAD, "a job that may run anywhere can't use the loop");
    MUST(lull_close(loop) == LULL_WRONG_THREAD, "a job that may run anywhere can't close the loop");
    return (lull_progress)choose(5);
}

static void end(uint64_t key, lull_end how, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    (void)key;
    MUST(how >= LULL_END_DONE && how <= LULL_END_DROPPED, "an end is one that there is");
    callback_free(self);
    call_back(loop);
}

void submit(void) {
    queue_state *queue = &queues[choose(QUEUES)];
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.key = choose(KEYS);
    job.priority = (lull_priority)choose_constant(0, 5);
    uint8_t odd = choose_byte();
    if (odd & 1) job.rank = choose(2) ? INT64_MIN : 1;
    if (odd & 2) job.cost = choose_duration();
    if (odd & 4) job.kind = choose(2) ? "one" : "other";
    if (odd & 8) job.timeout = choose_duration();
    job.run = run;
    job.end = end;
    callback *made = callback_new(queue->loop, true);
    job.context = made;
    if (odd & 16) job.run = run_anywhere;
    lull_status status =
        (odd & 16 ? lull_submit_anywhere : lull_submit)(queue->handle, &job);
    if (status < 0) callback_free(made);
}
