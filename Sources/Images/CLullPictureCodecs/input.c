#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool input_open(Input *input, PictureCodecSource source, size_t capacity) {
    *input = (Input){.source = source, .capacity = capacity};
    input->memory = source.take((int64_t)capacity);
    input->bytes = input->memory.start;
    return input->bytes;
}

bool input_append(Input *input, size_t count) {
    PictureCodecSource *source = &input->source;
    size_t room = input->capacity - input->end;
    int64_t wanted = (int64_t)(count < room ? count : room);
    if (wanted > source->end - source->offset) wanted = source->end - source->offset;
    int64_t got = 0;
    if (wanted > 0) {
        got = source->read(source->file, source->offset, input->bytes + input->end, wanted);
    }
    // The bytes are still arriving; there will be more later.
    if (got == -EAGAIN) return true;
    if (got < 0) {
        input->error = (int32_t)-got;
        return false;
    }
    input->end += (size_t)got;
    source->offset += got;
    // A file that has become shorter since it was opened ends where a read returns nothing.
    if (got == 0 || source->offset >= source->end) input->exhausted = true;
    return true;
}

bool input_refill(Input *input) { return input_fill(input, input->capacity, input->capacity); }

bool input_fill(Input *input, size_t count, size_t look) {
    size_t left = input_count(input);
    if (left >= count) return true;
    memmove(input->bytes, input->bytes + input->start, left);
    input->start = 0;
    input->end = left;
    return input->exhausted || input_append(input, look);
}

void input_skip(Input *input, size_t count) {
    size_t here = input_count(input);
    if (count <= here) {
        input->start += count;
        return;
    }
    input->start = input->end;
    int64_t left = input->source.end - input->source.offset;
    int64_t beyond = (int64_t)(count - here);
    input->source.offset += beyond < left ? beyond : left;
    if (beyond >= left) input->exhausted = true;
}

void input_close(Input *input) {
    if (input->bytes) input->source.put(input->memory);
}
