#include "choices.h"

static const uint8_t *next, *end;

void choices_begin(const uint8_t *bytes, size_t count) {
    next = bytes;
    end = bytes + count;
}

int choices_are_over(void) {
    return next == end;
}

uint8_t choose_byte(void) {
    return next == end ? 0 : *next++;
}

size_t choose(size_t bound) {
    return choose_byte() % bound;
}

int64_t choose_duration(void) {
    static const int64_t durations[] = {-1, 0, 1, 20000, 3600000000000, INT64_MAX, -5};
    return durations[choose(sizeof durations / sizeof *durations)];
}

int choose_constant(int least, int most) {
    uint8_t byte = choose_byte();
    if (byte == 255) return most + 1;
    return least + byte % (most - least + 1);
}
