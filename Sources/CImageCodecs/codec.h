// What the codecs share; not seen from outside.

#ifndef CODEC_H
#define CODEC_H

#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdbool.h>

/// What a format does for each call of the interface.
typedef struct {
    ImageCodecStatus (*read_header)(ImageCodec *, ImageCodecHeader *);
    ImageCodecStatus (*start)(ImageCodec *, int32_t eighths, int64_t *width, int64_t *height);
    ImageCodecStatus (*read_row)(ImageCodec *, const uint8_t **row);
    void (*close)(ImageCodec *);
} ImageCodecFormat;

/// The first member of each format's own state.
struct ImageCodec {
    const ImageCodecFormat *format;
    const uint8_t *bytes;
    size_t count;
    ImageCodecLimits limits;
    /// Where the library's errors go; each call sets it anew.
    jmp_buf jump;
    /// What the call gives after a jump.
    ImageCodecStatus failure;
    char message[200];
};

/// Segments or chunks that carry no pixels, after which a file is refused: they cost time too.
enum { max_idle_segments = 10000 };

/// Leaves the library: the call that is under way gives `failure`.
_Noreturn void image_codec_fail(ImageCodec *codec, ImageCodecStatus failure, const char *message);

#endif
