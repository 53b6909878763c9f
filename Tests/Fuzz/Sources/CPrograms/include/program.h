#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/// Runs a random program of calls of lull.h; what should hold and doesn't ends the process.
void run_program(const uint8_t *bytes, size_t count);

#endif
