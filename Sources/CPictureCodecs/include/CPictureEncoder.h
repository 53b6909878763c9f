// JPEG encoding in small steps, with the library's errors caught as when decoding.

#ifndef C_PICTURE_ENCODER_H
#define C_PICTURE_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One picture being written as a JPEG. All that can go wrong is that there is no memory: an
/// encoder that has said so takes no further call but picture_encoder_close.
typedef struct PictureEncoder PictureEncoder;

/// An encoder of a baseline JPEG that keeps one colour for four pixels, or null without memory.
/// Sides are 1 to picture_encoder_longest_side, the quality is 1 to 100.
PictureEncoder *picture_encoder_open_jpeg(int32_t width, int32_t height, int32_t quality);

/// What libjpeg writes at most.
enum { picture_encoder_longest_side = 65500 };

/// The rows that are packed together: costs come by so many.
enum { picture_encoder_rows_at_once = 16 };

/// Writes what stands before the pixels; false without memory.
bool picture_encoder_start(PictureEncoder *encoder);

/// Takes the next rows from the top, of four bytes a pixel: red, green, blue, and one that is
/// passed over; false without memory.
bool picture_encoder_add_rows(PictureEncoder *encoder, const uint8_t *rows, int32_t count);

/// Writes what stands after the pixels, once all rows were added; false without memory.
bool picture_encoder_finish(PictureEncoder *encoder);

/// What the last of these three calls has written, valid until the next one.
const uint8_t *picture_encoder_bytes(const PictureEncoder *encoder, size_t *count);

/// Frees all that belongs to an encoder, at whatever point it is.
void picture_encoder_close(PictureEncoder *encoder);

#endif
