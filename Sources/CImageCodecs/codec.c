#include "codec.h"

#include <stdio.h>

ImageCodecStatus image_codec_read_header(ImageCodec *codec, ImageCodecHeader *header) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_header(codec, header);
}

ImageCodecStatus image_codec_start(
    ImageCodec *codec, int32_t eighths, int64_t *width, int64_t *height) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->start(codec, eighths, width, height);
}

ImageCodecStatus image_codec_read_row(ImageCodec *codec, const uint8_t **row) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_row(codec, row);
}

const char *image_codec_message(const ImageCodec *codec) { return codec->message; }

void image_codec_close(ImageCodec *codec) { codec->format->close(codec); }

void image_codec_fail(ImageCodec *codec, ImageCodecStatus failure, const char *message) {
    codec->failure = failure;
    // A message that stands in the codec already is where it should be.
    if (message != codec->message) snprintf(codec->message, sizeof codec->message, "%s", message);
    longjmp(codec->jump, 1);
}
