// Still pictures of HEVC and AV1, decoded by libde265 and libavif, given as rows of RGBA.
//
// What comes in holds nothing but one coded picture: whoever calls this has looked at the boxes of
// the file that it is from, and at how many pixels are coded in it, before.
//
// HEVC is given to libde265, the decoder that libheif has, and not to libheif, which starts a thread
// for each picture, and makes RGB of all pixels in its slow way, whatever is asked for.

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
    /// Its colours are multiplied by alpha already.
    bool is_premultiplied;
    /// How its colours are to be understood, as ITU-T H.273 counts; where these are -1, as what is
    /// coded says.
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

/// Bytes in memory.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} HEIFBytes;

/// Decodes a picture in the calling thread; nothing of the bytes is used afterwards.
///
/// Of AV1 the bytes are a file, which has its transparency in it. HEVC are units, each behind four
/// bytes of its length, and the same of a picture that is its transparency, if it has any.
HEIFStatus heif_pixels_decode(
    HEIFPixels *pixels, HEIFBytes coded, HEIFBytes alpha, HEIFExpectation expectation);

/// Writes rows of 4 bytes a pixel, premultiplied, the next row `row_bytes` after each.
HEIFStatus heif_pixels_write(
    HEIFPixels *pixels, HEIFPart part, uint8_t *rgba, uint32_t row_bytes);

/// What the library said about a failure.
const char *heif_pixels_message(const HEIFPixels *pixels);

void heif_pixels_free(HEIFPixels *pixels);

#endif
