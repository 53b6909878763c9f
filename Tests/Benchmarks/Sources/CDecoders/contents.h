#ifndef CDECODERS_CONTENTS_H
#define CDECODERS_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The bytes of a file.
struct contents {
    uint8_t *bytes;
    size_t count;
    /// For those who read step by step.
    size_t position;
};

/// Reads a file, at most so many bytes of it.
bool contents_read(struct contents *contents, const char *path, size_t limit);

void contents_free(struct contents *contents);

#endif
