#ifndef FUZZ_CHOICES_H
#define FUZZ_CHOICES_H

#include <stddef.h>
#include <stdint.h>

/// Reads choices from these bytes from now on.
void choices_begin(const uint8_t *bytes, size_t count);

/// Whether all bytes were read.
int choices_are_over(void);

/// The next byte, 0 when they are over.
uint8_t choose_byte(void);

/// A number from 0 up to `bound`, which is not included.
size_t choose(size_t bound);

/// A duration: one that is left out, none, the shortest, an hour, the longest, or one that makes no
/// sense.
int64_t choose_duration(void);

/// A priority, mode or the like, mostly one that there is: from `least` to `most`.
int choose_constant(int least, int most);

#endif
