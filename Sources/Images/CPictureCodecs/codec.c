#include "codec.h"

#include <stdio.h>

bool picture_codec_open(
    PictureCodec *codec, const PictureCodecFormat *format, PictureCodecSource source, size_t capacity,
    PictureCodecLimits limits) {
    codec->format = format;
    codec->limits = limits;
    return input_open(&codec->input, source, capacity);
}

PictureCodecStatus picture_codec_read_header(PictureCodec *codec, PictureCodecHeader *header) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_header(codec, header);
}

PictureCodecStatus picture_codec_start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows) {
    if (setjmp(codec->jump)) return codec->failure;
    *rows = (PictureCodecRows){.channels = 4};
    return codec->format->start(codec, target, rows);
}

PictureCodecStatus picture_codec_read_row(PictureCodec *codec, const uint8_t **row) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_row(codec, row);
}

const char *picture_codec_message(const PictureCodec *codec) { return codec->message; }

int32_t picture_codec_read_error(const PictureCodec *codec) { return codec->input.error; }

void picture_codec_close(PictureCodec *codec) { codec->format->close(codec); }

void picture_codec_fail(PictureCodec *codec, PictureCodecStatus failure, const char *message) {
    codec->failure = failure;
    // The message may already be in the codec.
    if (message != codec->message) snprintf(codec->message, sizeof codec->message, "%s", message);
    longjmp(codec->jump, 1);
}

void picture_codec_refill(PictureCodec *codec) {
    if (!input_refill(&codec->input)) picture_codec_fail(codec, PictureCodecStatusCannotRead, "");
}
