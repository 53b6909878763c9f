// Decodes WebP by libwebp's incremental decoder. It reports errors by return values, and scales
// while it decodes.

#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>

typedef struct {
    PictureCodec codec;
    PictureCodecFrame frame;
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    /// The number of bytes that are given to the decoder at a time.
    size_t piece;
    /// The number of bytes before those for the decoder, which are of an alpha that is left out.
    size_t base;
    /// The number of bytes up to the end of those that have been given to the decoder.
    size_t shown;
    /// The index of the next row, and the size of the output.
    int64_t y;
    int64_t width;
    int64_t height;
    /// Whether the frame is smaller than the canvas, and has a transparent border.
    bool bordered;
    /// One row with its border.
    uint8_t *row;
    bool complete;
    /// The failure of the decoder, whose rows before it can still be read; else More.
    PictureCodecStatus failure;
} WebP;

// libwebp keeps pointers into its input, so that at the end the whole frame is in memory. It
// decodes in small steps if its input is given in small pieces. Lossy data may be in pieces of any
// size, but lossless decoding restarts at some points, which makes small pieces expensive.
enum { pixels_a_piece = 8 << 10, min_piece = 16, max_piece = 2 << 10, lossless_piece = 512 << 10 };

/// The number of bytes of the file that are read at once.
enum { read_length = 256 << 10 };

static size_t piece_size(const WebP *self) {
    if (self->frame.lossless) return lossless_piece;
    int64_t pixels = (int64_t)self->frame.width * self->frame.height;
    int64_t size = (int64_t)self->codec.input.capacity * pixels_a_piece / pixels;
    return size < min_piece ? min_piece : size > max_piece ? max_piece : (size_t)size;
}

static PictureCodecStatus read_header(PictureCodec *codec, PictureCodecHeader *header) {
    WebP *self = (WebP *)codec;
    const PictureCodecFrame *frame = &self->frame;
    int64_t pixels = (int64_t)frame->width * frame->height;
    *header = (PictureCodecHeader){.width = frame->canvas_width, .height = frame->canvas_height};
    if (frame->lossless) header->memory += pixels * 4;
    if (frame->has_alpha_plane) header->memory += pixels;
    if (self->bordered) header->memory += pixels * 4;
    return PictureCodecStatusDone;
}

static PictureCodecStatus start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows) {
    WebP *self = (WebP *)codec;
    const PictureCodecFrame *frame = &self->frame;
    if (self->bordered) {
        self->width = frame->canvas_width;
        self->height = frame->canvas_height;
        self->row = malloc((size_t)self->width * 4);
        if (!self->row) return PictureCodecStatusOutOfMemory;
    } else {
        self->width = target.width;
        self->height = target.height;
        if (target.width != frame->width || target.height != frame->height) {
            self->config.options.use_scaling = 1;
            self->config.options.scaled_width = (int)target.width;
            self->config.options.scaled_height = (int)target.height;
        }
    }
    self->config.output.colorspace = MODE_rgbA;
    self->decoder = WebPIDecode(NULL, 0, &self->config);
    if (!self->decoder) return PictureCodecStatusOutOfMemory;
    rows->width = self->width;
    rows->height = self->height;
    return PictureCodecStatusDone;
}

/// Decodes the frame again without its alpha, which is damaged; returns whether that is possible.
static bool leave_out_alpha(WebP *self) {
    const Input *input = &self->codec.input;
    size_t at = 0;
    while (input->end - at >= 8 && memcmp(input->bytes + at, "VP8 ", 4) != 0) {
        const uint8_t *length = input->bytes + at + 4;
        size_t count = length[0] | length[1] << 8 | length[2] << 16 | (size_t)length[3] << 24;
        if (count > input->end - at - 8) return false;
        at += 8 + count + (count & 1);
    }
    if (at == 0 || at > input->end || self->base > 0) return false;
    WebPIDelete(self->decoder);
    WebPFreeDecBuffer(&self->config.output);
    self->base = self->shown = at;
    self->decoder = WebPIDecode(NULL, 0, &self->config);
    return self->decoder;
}

/// Decodes a further small part of the frame.
static PictureCodecStatus show_more(WebP *self) {
    Input *input = &self->codec.input;
    size_t left = input->end - self->shown;
    if (left < self->piece && !input->exhausted) {
        return input_append(input, read_length)
            ? PictureCodecStatusMore : PictureCodecStatusCannotRead;
    }
    if (left == 0) return PictureCodecStatusTruncated;
    self->shown += self->piece < left ? self->piece : left;
    switch (WebPIUpdate(self->decoder, input->bytes + self->base, self->shown - self->base)) {
    case VP8_STATUS_OK:
        self->complete = true;
        return PictureCodecStatusMore;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
        return PictureCodecStatusMore;
    case VP8_STATUS_OUT_OF_MEMORY:
        return PictureCodecStatusOutOfMemory;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        picture_codec_fail(&self->codec, PictureCodecStatusUnsupported, "a feature of WebP");
    default:
        picture_codec_note(
            &self->codec, PictureCodecStatusCorrupt, "WebP data that break its rules");
        if (!self->frame.has_alpha_plane || !leave_out_alpha(self)) {
            self->failure = PictureCodecStatusCorrupt;
        }
        return PictureCodecStatusMore;
    }
}

/// Returns a row of the frame, or null if it is not decoded yet.
static const uint8_t *decoded_row(WebP *self, int64_t y, int64_t width, int64_t height) {
    int last, found_width, found_height, stride;
    const uint8_t *pixels =
        WebPIDecGetRGB(self->decoder, &last, &found_width, &found_height, &stride);
    if (!pixels) return NULL;
    // The file may have changed since its header was read.
    if (found_width != width || found_height != height) {
        picture_codec_fail(
            &self->codec, PictureCodecStatusCorrupt, "a WebP frame of another size than it says");
    }
    return y < last ? pixels + y * stride : NULL;
}

/// Returns a row of the canvas, or null if it is not decoded yet.
static const uint8_t *bordered_row(WebP *self) {
    const PictureCodecFrame *frame = &self->frame;
    int64_t y = self->y - frame->y;
    memset(self->row, 0, (size_t)self->width * 4);
    if (y < 0 || y >= frame->height) return self->row;
    const uint8_t *pixels = decoded_row(self, y, frame->width, frame->height);
    if (!pixels) return NULL;
    memcpy(self->row + (size_t)frame->x * 4, pixels, (size_t)frame->width * 4);
    return self->row;
}

static PictureCodecStatus read_row(PictureCodec *codec, const uint8_t **row) {
    WebP *self = (WebP *)codec;
    const uint8_t *found = self->bordered
        ? bordered_row(self)
        : decoded_row(self, self->y, self->width, self->height);
    if (!found && self->failure != PictureCodecStatusMore) return self->failure;
    if (!found && !self->complete) return show_more(self);
    if (!found) picture_codec_fail(codec, PictureCodecStatusCorrupt, "a WebP frame without all rows");
    self->y += 1;
    *row = found;
    return PictureCodecStatusDone;
}

static void close_webp(PictureCodec *codec) {
    WebP *self = (WebP *)codec;
    WebPIDelete(self->decoder);
    WebPFreeDecBuffer(&self->config.output);
    free(self->row);
    input_close(&codec->input);
    free(self);
}

PictureCodec *picture_codec_open_webp(
    PictureCodecSource source, PictureCodecFrame frame, PictureCodecLimits limits) {
    static const PictureCodecFormat format = {read_header, start, read_row, NULL, close_webp};
    WebP *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->frame = frame;
    self->bordered = frame.width != frame.canvas_width || frame.height != frame.canvas_height;
    size_t capacity = (size_t)(source.end - source.offset);
    bool is_open = WebPInitDecoderConfig(&self->config)
        && picture_codec_open(&self->codec, &format, source, capacity, limits);
    if (!is_open) {
        free(self);
        return NULL;
    }
    self->piece = piece_size(self);
    return &self->codec;
}
