// What the codecs share; not seen from outside.

#ifndef CODEC_H
#define CODEC_H

#include "CImageCodecs.h"
#include "input.h"

#include <setjmp.h>
#include <stdbool.h>

/// What a format does for each call of the interface.
typedef struct {
    ImageCodecStatus (*read_header)(ImageCodec *, ImageCodecHeader *);
    ImageCodecStatus (*start)(
        ImageCodec *, ImageCodecTarget, ImageCodecRows *);
    ImageCodecStatus (*read_row)(ImageCodec *, const uint8_t **row);
    void (*close)(ImageCodec *);
} ImageCodecFormat;

/// The first member of each format's own state.
struct ImageCodec {
    const ImageCodecFormat *format;
    Input input;
    ImageCodecLimits limits;
    /// Where the library's errors go; each call sets it anew.
    jmp_buf jump;
    /// What the call gives after a jump.
    ImageCodecStatus failure;
    char message[200];
};

/// Opens the common part of a codec; false without memory.
bool image_codec_open(
    ImageCodec *codec, const ImageCodecFormat *format, ImageCodecSource source, size_t capacity,
    ImageCodecLimits limits);

/// Leaves the library: the call that is under way gives `failure`.
_Noreturn void image_codec_fail(ImageCodec *codec, ImageCodecStatus failure, const char *message);

/// Moves what is left to the front of the buffer and fills the rest from the file.
void image_codec_refill(ImageCodec *codec);

/// Whether that many bytes are left; has them in the buffer, if they fit, for the next look.
bool image_codec_has(ImageCodec *codec, size_t count);

#endif
