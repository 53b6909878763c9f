#include "program.h"

#include <event2/event.h>
#include <lull.h>

void run_program(const uint8_t *bytes, size_t count) {
    (void)bytes;
    (void)count;
    (void)lull_version();
}
