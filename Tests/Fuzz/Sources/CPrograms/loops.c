#include <event2/event.h>

#include "choices.h"
#include "state.h"

loop_state loops[LOOPS];

/// The hosts' bases, for all programs: a loop leaves nothing behind.
static struct event_base *bases[BASES];
static bool is_dispatching[BASES];

static struct event_base *base_at(size_t place) {
    if (!bases[place]) {
        bases[place] = event_base_new();
        if (!bases[place]) fail("there is a base");
        if (place > 0) event_base_priority_init(bases[place], 3);
    }
    return bases[place];
}

void make_loop(void) {
    size_t place = choose(LOOPS);
    if (loops[place].is_open && close_loop(place) != LULL_OK) return;
    if (loops[place].is_open) return;
    lull_loop *handle;
    int descriptor;
    size_t base = choose(BASES + 1);
    if (base == NO_BASE) {
        MUST(lull_adopt_fd(&handle, &descriptor) == LULL_OK, "a descriptor can be watched");
    } else {
        MUST(lull_adopt(base_at(base), &handle) == LULL_OK, "a base can be adopted");
    }
    loops[place] = (loop_state){.handle = handle, .base = base, .is_open = true};
}

lull_status close_loop(size_t place) {
    loop_state *loop = &loops[place];
    if (!loop->handle) return LULL_INVALID;
    bool is_inside = loop->depth > 0;
    bool was_open = loop->is_open;
    // What is handed in while it closes must be called inside this call, too.
    lull_status status = lull_close(loop->handle);
    if (!was_open) {
        MUST(status == LULL_STALE, "a closed loop's handle is stale");
        return status;
    }
    if (is_inside) {
        // Stale while it is being closed.
        MUST(status == LULL_BUSY || status == LULL_STALE, "no loop is closed inside its callbacks");
        return status;
    }
    MUST(status == LULL_OK, "a loop is closed");
    loop->is_open = false;
    callbacks_end(place);
    lists_end(place);
    return status;
}

/// Processes what is ready on all loops that have no base.
static void process(void) {
    for (size_t i = 0; i < LOOPS; i++) {
        loop_state *loop = &loops[i];
        if (!loop->handle || loop->base != NO_BASE) continue;
        bool is_inside = loop->depth > 0, was_open = loop->is_open;
        lull_status status = lull_process(loop->handle, choose(4) == 1);
        if (!was_open) {
            MUST(status == LULL_STALE, "a closed loop's handle is stale");
        } else if (is_inside) {
            MUST(status == LULL_BUSY || status == LULL_STALE, "no loop is processed inside itself");
        } else {
            MUST(status == LULL_OK, "a loop is processed at any time");
        }
    }
}

void dispatch(size_t base) {
    if (base == NO_BASE) {
        process();
        return;
    }
    if (!bases[base] || is_dispatching[base]) return;
    is_dispatching[base] = true;
    event_base_loop(bases[base], EVLOOP_NONBLOCK | EVLOOP_ONCE);
    is_dispatching[base] = false;
}

void check_bases(void) {
    for (size_t i = 0; i < BASES; i++) {
        unsigned kinds =
            EVENT_BASE_COUNT_ACTIVE | EVENT_BASE_COUNT_ADDED | EVENT_BASE_COUNT_VIRTUAL;
        if (bases[i]) {
            MUST(event_base_get_num_events(bases[i], kinds) == 0,
                 "nothing is left on a host's base");
        }
    }
}

static void posted(lull_loop *handle, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    (void)handle;
    callback_free(self);
    call_back(loop);
}

static void each_shut_down(const lull_shutdown_report *report, void *context) {
    callback *self = context;
    MUST(lull_count(report->queue) == LULL_STALE, "a queue that was shut down is stale");
    call_back(self->loop);
}

static void all_shut_down(lull_loop *handle, void *context) {
    callback *self = context;
    size_t loop = self->loop;
    (void)handle;
    callback_free(self);
    call_back(loop);
}

void act_on_loop(void) {
    size_t place = choose(LOOPS);
    loop_state *loop = &loops[place];
    switch (choose(8)) {
    case 0:
    case 1: dispatch(choose(BASES + 1)); break;
    case 2: make_loop(); break;
    case 3: close_loop(place); break;
    case 4: lull_poke(loop->handle); break;
    case 5: lull_set_mode(loop->handle, (lull_mode)choose_constant(1, 2)); break;
    case 6: {
        callback *made = callback_new(place, true);
        if (lull_post(loop->handle, posted, made) != LULL_OK) callback_free(made);
        break;
    }
    default: {
        callback *made = callback_new(place, true);
        int64_t time = choose_duration();
        lull_status status = lull_loop_shutdown(
            loop->handle, time, choose(2) ? each_shut_down : NULL, all_shut_down, made);
        if (status < 0) callback_free(made);
    }
    }
}
