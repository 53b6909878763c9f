// Still pictures of HEVC and AV1, decoded by libheif and libavif, given as rows of RGBA.
//
// What comes in is one file in memory that holds nothing but the picture: whoever calls this has
// looked at its boxes, and at how many pixels are coded in it, before.

#ifndef C_HEIF_H
#define C_HEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a call went.
typedef enum __attribute__((enum_extensibility(closed))) {
    HEIFStatusDone,
    /// The bytes are not what the format says; heif_pixels_message tells more.
    HEIFStatusCorrupt,
    /// A kind of picture that the library does not read; heif_pixels_message tells more.
    HEIFStatusUnsupported,
    /// The system has no memory left.
    HEIFStatusOutOfMemory,
} HEIFStatus;

/// What a picture must be, by the file that it comes from.
typedef struct {
    int32_t width;
    int32_t height;
    /// Coded as AV1, not as HEVC.
    bool is_av1;
    /// How many colours HEVC stores: none, or at a quarter, at half or at all of the places.
    int32_t chroma_format;
    /// Its colours are multiplied by alpha already.
    bool is_premultiplied;
    /// How its colours are to be understood, as ITU-T H.273 counts; where these are -1, as AV1
    /// says, or in the way of most HEVC pictures.
    int32_t matrix;
    int32_t primaries;
    bool is_full_range;
} HEIFExpectation;

/// Rows of a picture, from an even one on, and as many of their pixels.
typedef struct {
    int32_t first;
    int32_t count;
    int32_t width;
    /// Whether colours that are stored at half the resolution are interpolated, within these rows.
    bool is_smooth;
} HEIFPart;

/// The pixels of a picture as they are coded: brightness and colours in planes.
typedef struct HEIFPixels HEIFPixels;

/// Without memory, null.
HEIFPixels *heif_pixels_new(void);

/// Decodes the file's picture; nothing of the bytes is used afterwards.
HEIFStatus heif_pixels_decode(
    HEIFPixels *pixels, const uint8_t *bytes, size_t count, HEIFExpectation expectation);

/// Writes rows of 4 bytes a pixel, premultiplied, the next row `row_bytes` after each.
HEIFStatus heif_pixels_write(
    HEIFPixels *pixels, HEIFPart part, uint8_t *rgba, uint32_t row_bytes);

/// What the library said about a failure.
const char *heif_pixels_message(const HEIFPixels *pixels);

void heif_pixels_free(HEIFPixels *pixels);

#endif
