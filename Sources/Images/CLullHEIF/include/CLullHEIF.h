// Decodes still pictures of HEVC and AV1 by libde265 and libavif, to rows of RGBA.
//
// The input holds only one coded picture: the caller has checked the boxes of its file, and the
// number of pixels coded in it, before.
//
// HEVC is decoded by libde265, the decoder in libheif, and not by libheif, which starts a thread
// for each picture and slowly converts all pixels to RGB, whatever is requested.

#ifndef C_HEIF_H
#define C_HEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Swift has a case for each of its constants; other compilers needn't know.
#ifdef __clang__
#define HEIF_CLOSED __attribute__((enum_extensibility(closed)))
#else
#define HEIF_CLOSED
#endif

/// The result of a call.
typedef enum HEIF_CLOSED {
    HEIFStatusDone,
    /// The bytes violate the format; heif_pixels_message gives details.
    HEIFStatusCorrupt,
    /// The library doesn't support this kind of picture; heif_pixels_message gives details.
    HEIFStatusUnsupported,
    /// The system has no memory left.
    HEIFStatusOutOfMemory,
} HEIFStatus;

/// The expected properties of a picture, from its file.
typedef struct {
    int32_t width;
    int32_t height;
    /// Whether it is coded as AV1, not as HEVC.
    bool is_av1;
    /// Whether its colours are premultiplied by alpha.
    bool is_premultiplied;
    /// The colour space as code points of ITU-T H.273; -1 for that of the coded picture.
    int32_t matrix;
    int32_t primaries;
    bool is_full_range;
} HEIFExpectation;

/// A part of a picture: rows from an even one on, and a number of their pixels.
typedef struct {
    int32_t first;
    int32_t count;
    int32_t width;
    /// Whether subsampled chroma is interpolated, within these rows.
    bool is_smooth;
} HEIFPart;

/// The decoded pixels of a picture: planes of luma and chroma.
typedef struct HEIFPixels HEIFPixels;

/// Whether the program has the codecs: those of CLullHEIFCodecs, if it is linked, or else the library
/// liblull-pictures-heif.so.0, which is loaded here, if it is installed.
bool heif_is_available(void);

/// Allocates empty pixels; returns null without memory, or without codecs.
HEIFPixels *heif_pixels_new(void);

/// Bytes in memory.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} HEIFBytes;

/// Decodes a picture in the calling thread; the bytes are not used afterwards.
///
/// For AV1 the bytes are an AVIF file, which includes the alpha. For HEVC they are NAL units, each
/// after four bytes of its length, and `alpha` has those of the alpha picture, if there is one.
HEIFStatus heif_pixels_decode(
    HEIFPixels *pixels, HEIFBytes coded, HEIFBytes alpha, HEIFExpectation expectation);

/// Writes premultiplied rows of 4 bytes a pixel, each `row_bytes` after the previous one.
HEIFStatus heif_pixels_write(
    HEIFPixels *pixels, HEIFPart part, uint8_t *rgba, uint32_t row_bytes);

/// Returns the library's message about a failure, or about damage that it has passed over; else an
/// empty text.
const char *heif_pixels_message(const HEIFPixels *pixels);

void heif_pixels_free(HEIFPixels *pixels);

/// The functions above, as the codecs have them.
typedef struct {
    HEIFPixels *(*create)(void);
    HEIFStatus (*decode)(HEIFPixels *, HEIFBytes, HEIFBytes, HEIFExpectation);
    HEIFStatus (*write)(HEIFPixels *, HEIFPart, uint8_t *, uint32_t);
    const char *(*message)(const HEIFPixels *);
    void (*free)(HEIFPixels *);
} HEIFCodecs;

/// Returns the functions of the codecs. The number in its name is that of this header's types.
const HEIFCodecs *lull_heif_codecs_1(void);

#endif
