#include "program.h"

#include <string.h>

#include "choices.h"
#include "state.h"

void act(void) {
    switch (choose(12)) {
    case 0: act_on_loop(); break;
    case 1: dispatch(choose(BASES + 1)); break;
    case 2:
    case 3:
    case 4: submit(); break;
    case 5:
    case 6: act_on_queue(); break;
    case 7: act_on_observer(); break;
    case 8: act_on_timer(); break;
    default: act_on_list();
    }
    look_at_stale_slot();
    check_queues();
    check_lists();
}

void run_program(const uint8_t *bytes, size_t count) {
    choices_begin(bytes, count);
    memset(loops, 0, sizeof loops);
    memset(queues, 0, sizeof queues);
    memset(observers, 0, sizeof observers);
    memset(timers, 0, sizeof timers);
    lists_begin();
    int ending = choose_byte();
    make_loop();
    make_queue();
    while (!choices_are_over()) act();
    if (ending & 1) {
        for (size_t i = 0; i < 12; i++) dispatch(i % (BASES + 1));
    }
    for (size_t i = 0; i < LOOPS; i++) {
        if (loops[i].is_open) MUST(close_loop(i) == LULL_OK, "a loop is closed");
    }
    check_bases();
}
