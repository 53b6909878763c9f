// Encodes JPEG in small steps; the library's errors are caught as in decoding.

#ifndef C_PICTURE_ENCODER_H
#define C_PICTURE_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An encoder of one picture as a JPEG. The only error is a lack of memory: after it, only
/// picture_encoder_close may be called.
typedef struct PictureEncoder PictureEncoder;

/// Opens an encoder of a baseline JPEG with one chroma sample for four pixels; returns null without
/// memory. Sides are 1 to picture_encoder_longest_side, the quality is 1 to 100.
PictureEncoder *picture_encoder_open_jpeg(int32_t width, int32_t height, int32_t quality);

/// The maximum number of pixels on a side that libjpeg writes.
enum { picture_encoder_longest_side = 65500 };

/// The number of rows that are compressed together.
enum { picture_encoder_rows_at_once = 16 };

/// Writes the data before the pixels; returns false without memory.
bool picture_encoder_start(PictureEncoder *encoder);

/// Adds the next rows from the top, of four bytes a pixel: red, green, blue, and one that is
/// ignored; returns false without memory.
bool picture_encoder_add_rows(PictureEncoder *encoder, const uint8_t *rows, int32_t count);

/// Writes the data after the pixels, when all rows have been added; returns false without memory.
bool picture_encoder_finish(PictureEncoder *encoder);

/// Returns the output of the last of these three calls, valid until the next one.
const uint8_t *picture_encoder_bytes(const PictureEncoder *encoder, size_t *count);

/// Frees an encoder, at any stage.
void picture_encoder_close(PictureEncoder *encoder);

#endif
