#include "choices.h"
#include "state.h"

observer_state observers[OBSERVERS];
timer_state timers[TIMERS];

static lull_idle work(const lull_slot *slot, void *context) {
    callback *self = context;
    look_at(slot);
    call_back(self->loop);
    return choose(2) ? LULL_WORKED : LULL_NOTHING;
}

void act_on_observer(void) {
    size_t place = choose(OBSERVERS);
    if (choose(2)) {
        callback *over = observers[place].callback;
        if (lull_observer_cancel(observers[place].handle) == LULL_OK && over) {
            callback_free(over);
        }
        return;
    }
    size_t loop = choose(LOOPS);
    callback *made = callback_new(loop, false);
    lull_observer *handle = NULL;
    int32_t order = (int32_t)choose(3);
    lull_mode modes = (lull_mode)choose_constant(1, 3);
    bool is_kept = choose(4) > 0;
    lull_status status = lull_before_idle(
        loops[loop].handle, order, modes, work, made, is_kept ? &handle : NULL);
    if (status < 0) {
        callback_free(made);
        return;
    }
    if (is_kept) observers[place] = (observer_state){.handle = handle, .callback = made};
}

static void fire(lull_loop *handle, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    (void)handle;
    // One of a short period would go on for ever.
    if (++self->calls == 8 && lull_timer_cancel(self->timer) == LULL_OK) callback_free(self);
    call_back(loop);
}

static void fire_once(lull_loop *handle, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    (void)handle;
    callback_free(self);
    call_back(loop);
}

void act_on_timer(void) {
    size_t place = choose(TIMERS);
    if (choose(2)) {
        callback *over = timers[place].callback;
        if (lull_timer_cancel(timers[place].handle) == LULL_OK) {
            MUST(over, "a timer that has fired for the last time is stale");
            callback_free(over);
        }
        return;
    }
    size_t loop = choose(LOOPS);
    callback *made = callback_new(loop, false);
    lull_timer *handle = NULL;
    int64_t delay = choose_duration(), period = choose_duration();
    int64_t tolerance = choose_duration();
    bool is_kept = period >= 0 || choose(4) > 0;
    lull_status status = lull_timer_new(
        loops[loop].handle, delay, period, tolerance, period == LULL_NONE ? fire_once : fire,
        made, is_kept ? &handle : NULL);
    if (status < 0) {
        callback_free(made);
        return;
    }
    made->timer = handle;
    if (is_kept) timers[place] = (timer_state){.handle = handle, .callback = made};
}
