#include "decoders.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "contents.h"

static size_t number(const uint8_t *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/// Inflates all data chunks into one small buffer, over and over.
static bool decode(const char *path, int box, struct thumbnail *thumbnail) {
    (void)box;
    (void)thumbnail;
    static uint8_t output[32 << 10];
    struct contents contents;
    z_stream stream = {0};
    if (!contents_read(&contents, path, SIZE_MAX) || inflateInit(&stream) != Z_OK) return false;
    int status = Z_OK;
    size_t position = 8;
    while (status == Z_OK && position + 12 <= contents.count) {
        size_t length = number(contents.bytes + position);
        if (length > contents.count - position - 12) break;
        if (!memcmp(contents.bytes + position + 4, "IDAT", 4)) {
            stream.next_in = contents.bytes + position + 8;
            stream.avail_in = (unsigned)length;
            do {
                stream.next_out = output;
                stream.avail_out = sizeof output;
                status = inflate(&stream, Z_NO_FLUSH);
            } while (status == Z_OK && (stream.avail_in || !stream.avail_out));
            // With nothing more to take in or give out, it says that its buffers are no good.
            if (status == Z_BUF_ERROR) status = Z_OK;
        }
        position += length + 12;
    }
    inflateEnd(&stream);
    contents_free(&contents);
    return status == Z_STREAM_END;
}

const struct decoder inflation = {.name = "inflate", .decode = decode};
