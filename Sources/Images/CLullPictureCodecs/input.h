// A buffered reader of a part of a file.

#ifndef INPUT_H
#define INPUT_H

#include "CLullPictureCodecs.h"

typedef struct {
    /// The source; its offset is the place of the next read.
    PictureCodecSource source;
    PictureCodecMemory memory;
    uint8_t *bytes;
    size_t capacity;
    /// The range of unused bytes in the buffer.
    size_t start;
    size_t end;
    /// Whether the end of the file was reached.
    bool exhausted;
    /// The error of the last read, or 0.
    int32_t error;
} Input;

/// Allocates a buffer of `capacity` bytes; returns false without memory.
bool input_open(Input *input, PictureCodecSource source, size_t capacity);

/// Reads up to `count` bytes more, as far as there is room; returns false if the read fails.
bool input_append(Input *input, size_t count);

/// Moves the unused bytes to the front, and reads until the buffer is full.
bool input_refill(Input *input);

/// Ensures that the buffer has `count` bytes, unless the file ends, by reading `look` bytes if it
/// has fewer; returns false if the read fails.
bool input_fill(Input *input, size_t count, size_t look);

/// Skips bytes; those beyond the buffer are not read.
void input_skip(Input *input, size_t count);

static inline size_t input_count(const Input *input) { return input->end - input->start; }

void input_close(Input *input);

#endif
