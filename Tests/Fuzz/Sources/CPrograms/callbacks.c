#include "state.h"

#include <stdio.h>
#include <stdlib.h>

#include "choices.h"

/// All callbacks that may be called.
static callback *first;

void fail(const char *law) {
    fprintf(stderr, "Broken: %s\n", law);
    abort();
}

callback *callback_new(size_t loop, bool is_owed) {
    callback *made = calloc(1, sizeof *made);
    if (!made) abort();
    made->loop = loop;
    made->is_owed = is_owed;
    made->next = first;
    if (first) first->previous = made;
    first = made;
    return made;
}

void callback_free(callback *over) {
    if (over->previous) over->previous->next = over->next;
    if (over->next) over->next->previous = over->previous;
    if (first == over) first = over->next;
    for (size_t i = 0; i < OBSERVERS; i++) {
        if (observers[i].callback == over) observers[i].callback = NULL;
    }
    for (size_t i = 0; i < TIMERS; i++) {
        if (timers[i].callback == over) timers[i].callback = NULL;
    }
    free(over);
}

void callbacks_end(size_t loop) {
    callback *next;
    for (callback *each = first; each; each = next) {
        next = each->next;
        if (each->loop != loop) continue;
        MUST(!each->is_owed, "all ends, posts and shutdowns are called before a loop is closed");
        callback_free(each);
    }
}

void call_back(size_t loop) {
    MUST(loops[loop].is_open, "a closed loop calls nobody");
    if (choices_are_over()) return;
    loops[loop].depth++;
    for (size_t times = choose(4); times > 0; times--) act();
    loops[loop].depth--;
}
