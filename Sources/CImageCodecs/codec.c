#include "codec.h"

#include <stdio.h>

bool image_codec_open(
    ImageCodec *codec, const ImageCodecFormat *format, ImageCodecSource source, size_t capacity,
    ImageCodecLimits limits) {
    codec->format = format;
    codec->limits = limits;
    return input_open(&codec->input, source, capacity);
}

ImageCodecStatus image_codec_read_header(ImageCodec *codec, ImageCodecHeader *header) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_header(codec, header);
}

ImageCodecStatus image_codec_start(
    ImageCodec *codec, ImageCodecTarget target, ImageCodecRows *rows) {
    if (setjmp(codec->jump)) return codec->failure;
    rows->channels = 4;
    return codec->format->start(codec, target, rows);
}

ImageCodecStatus image_codec_read_row(ImageCodec *codec, const uint8_t **row) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_row(codec, row);
}

const char *image_codec_message(const ImageCodec *codec) { return codec->message; }

int32_t image_codec_read_error(const ImageCodec *codec) { return codec->input.error; }

void image_codec_close(ImageCodec *codec) { codec->format->close(codec); }

void image_codec_fail(ImageCodec *codec, ImageCodecStatus failure, const char *message) {
    codec->failure = failure;
    // A message that stands in the codec already is where it should be.
    if (message != codec->message) snprintf(codec->message, sizeof codec->message, "%s", message);
    longjmp(codec->jump, 1);
}

void image_codec_refill(ImageCodec *codec) {
    if (!input_refill(&codec->input)) image_codec_fail(codec, ImageCodecStatusCannotRead, "");
}

bool image_codec_has(ImageCodec *codec, size_t count) {
    if (input_count(&codec->input) < count) image_codec_refill(codec);
    return input_count(&codec->input) >= count;
}
