// What the codecs share; not seen from outside.

#ifndef CODEC_H
#define CODEC_H

#include "CPictureCodecs.h"
#include "input.h"

#include <setjmp.h>
#include <stdbool.h>

/// What a format does for each call of the interface.
typedef struct {
    PictureCodecStatus (*read_header)(PictureCodec *, PictureCodecHeader *);
    PictureCodecStatus (*start)(
        PictureCodec *, PictureCodecTarget, PictureCodecRows *);
    PictureCodecStatus (*read_row)(PictureCodec *, const uint8_t **row);
    void (*close)(PictureCodec *);
} PictureCodecFormat;

/// The first member of each format's own state.
struct PictureCodec {
    const PictureCodecFormat *format;
    Input input;
    PictureCodecLimits limits;
    /// Where the library's errors go; each call sets it anew.
    jmp_buf jump;
    /// What the call gives after a jump.
    PictureCodecStatus failure;
    char message[200];
};

/// Opens the common part of a codec; false without memory.
bool picture_codec_open(
    PictureCodec *codec, const PictureCodecFormat *format, PictureCodecSource source, size_t capacity,
    PictureCodecLimits limits);

/// Leaves the library: the call that is under way gives `failure`.
_Noreturn void picture_codec_fail(PictureCodec *codec, PictureCodecStatus failure, const char *message);

/// Moves what is left to the front of the buffer and fills the rest from the file.
void picture_codec_refill(PictureCodec *codec);

#endif
