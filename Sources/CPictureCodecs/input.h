// A part of a file, seen through a buffer that moves along it.

#ifndef INPUT_H
#define INPUT_H

#include "CPictureCodecs.h"

typedef struct {
    /// Its offset is where the file will be read next.
    PictureCodecSource source;
    uint8_t *bytes;
    size_t capacity;
    /// Which of the bytes in the buffer are still to be used.
    size_t start;
    size_t end;
    /// There is nothing more in the file.
    bool exhausted;
    /// What stopped the reading, or 0.
    int32_t error;
} Input;

/// A buffer of that many bytes; false without memory.
bool input_open(Input *input, PictureCodecSource source, size_t capacity);

/// Reads up to that many bytes more, as far as there is room; false if the file can't be read.
bool input_append(Input *input, size_t count);

/// Moves what is left to the front, and reads until the buffer is full.
bool input_refill(Input *input);

/// Has that many bytes in the buffer, as far as there are any, and reads `look` more if it has not;
/// false if the file can't be read.
bool input_fill(Input *input, size_t count, size_t look);

/// Passes over bytes, those beyond the buffer unread.
void input_skip(Input *input, size_t count);

static inline size_t input_count(const Input *input) { return input->end - input->start; }

void input_close(Input *input);

#endif
