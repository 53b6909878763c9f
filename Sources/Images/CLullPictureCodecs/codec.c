#include "codec.h"

#include <stdio.h>

bool picture_codec_open(
    PictureCodec *codec, const PictureCodecFormat *format, PictureCodecSource source, size_t capacity,
    PictureCodecLimits limits) {
    codec->format = format;
    codec->limits = limits;
    codec->damage = PictureCodecStatusDone;
    return input_open(&codec->input, source, capacity);
}

PictureCodecStatus picture_codec_read_header(PictureCodec *codec, PictureCodecHeader *header) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_header(codec, header);
}

PictureCodecStatus picture_codec_start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows) {
    if (setjmp(codec->jump)) return codec->failure;
    *rows = (PictureCodecRows){.channels = 4, .model = PictureColorModelRGB};
    return codec->format->start(codec, target, rows);
}

/// Reads a row; returns the status of a failure, too.
static PictureCodecStatus try_row(PictureCodec *codec, const uint8_t **row) {
    if (setjmp(codec->jump)) return codec->failure;
    return codec->format->read_row(codec, row);
}

PictureCodecStatus picture_codec_read_row(PictureCodec *codec, const uint8_t **row) {
    PictureCodecStatus status = try_row(codec, row);
    bool is_damage = status == PictureCodecStatusTruncated || status == PictureCodecStatusCorrupt;
    if (!is_damage || !codec->format->recover || codec->is_recovered) return status;
    codec->is_recovered = true;
    return codec->format->recover(codec, status) ? PictureCodecStatusMore : status;
}

PictureCodecStatus picture_codec_damage(const PictureCodec *codec) { return codec->damage; }

void picture_codec_note(PictureCodec *codec, PictureCodecStatus damage, const char *message) {
    if (codec->damage != PictureCodecStatusDone) return;
    codec->damage = damage;
    if (message) snprintf(codec->message, sizeof codec->message, "%s", message);
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

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

void picture_memory_use(void *start, size_t used, size_t size) {
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_UNPOISON_MEMORY_REGION(start, used);
    ASAN_POISON_MEMORY_REGION((char *)start + used, size - used);
#else
    (void)start, (void)used, (void)size;
#endif
}
