// The common part of all codecs; internal.

#ifndef CODEC_H
#define CODEC_H

#include "CLullPictureCodecs.h"
#include "input.h"

#include <setjmp.h>
#include <stdbool.h>

/// The functions of a format, one for each call of the interface.
typedef struct {
    PictureCodecStatus (*read_header)(PictureCodec *, PictureCodecHeader *);
    PictureCodecStatus (*start)(
        PictureCodec *, PictureCodecTarget, PictureCodecRows *);
    PictureCodecStatus (*read_row)(PictureCodec *, const uint8_t **row);
    /// Prepares to show what there is after the first failure in the rows: returns whether there may
    /// be more of them. Null if all have been given by then.
    bool (*recover)(PictureCodec *, PictureCodecStatus failure);
    void (*close)(PictureCodec *);
} PictureCodecFormat;

/// The common state of a codec, the first member of each format's own state.
struct PictureCodec {
    const PictureCodecFormat *format;
    Input input;
    PictureCodecLimits limits;
    /// The jump target of the library's errors; each call sets it again.
    jmp_buf jump;
    /// The status that the call returns after a jump.
    PictureCodecStatus failure;
    /// The first damage, or Done.
    PictureCodecStatus damage;
    /// Whether there was a failure in the rows before.
    bool is_recovered;
    char message[200];
};

/// Opens the common part of a codec; returns false without memory.
bool picture_codec_open(
    PictureCodec *codec, const PictureCodecFormat *format, PictureCodecSource source, size_t capacity,
    PictureCodecLimits limits);

/// Jumps out of the library: the current call returns `failure`.
_Noreturn void picture_codec_fail(PictureCodec *codec, PictureCodecStatus failure, const char *message);

/// Records damage that is passed over, unless there is some already; without a message, the codec
/// has it.
void picture_codec_note(PictureCodec *codec, PictureCodecStatus damage, const char *message);

/// Moves the unused bytes to the front of the buffer and fills the rest from the file.
void picture_codec_refill(PictureCodec *codec);

#endif
