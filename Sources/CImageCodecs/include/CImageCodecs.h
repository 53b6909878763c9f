// JPEG and PNG decoding in small steps, behind one interface.
//
// libjpeg and libpng report errors by a jump. It starts and ends inside the functions below: each
// sets its own target, so that no frame of the caller is ever jumped over. What they give is a
// status; a codec that has given a failure takes no further call but image_codec_message and
// image_codec_close.

#ifndef C_IMAGE_CODECS_H
#define C_IMAGE_CODECS_H

#include <stddef.h>
#include <stdint.h>

/// How one call went.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// There is more to do before this call can give anything: make it again.
    ImageCodecStatusMore,
    /// What was asked for is there.
    ImageCodecStatusDone,
    /// The bytes ended before the picture did.
    ImageCodecStatusTruncated,
    /// The bytes are not what the format says; image_codec_message tells more.
    ImageCodecStatusCorrupt,
    /// A kind of JPEG or PNG that the library does not read; image_codec_message tells more.
    ImageCodecStatusUnsupported,
    /// The library needs more memory than it may use.
    ImageCodecStatusTooMuchMemory,
    /// More scans than the limit.
    ImageCodecStatusTooManyScans,
    /// The system has no memory left.
    ImageCodecStatusOutOfMemory,
} ImageCodecStatus;

/// What a codec may cost.
typedef struct {
    /// The bytes that the library may keep to decode a picture that does not come row by row.
    int64_t memory;
    /// The scans of a progressive JPEG.
    int32_t scans;
    /// The warnings about damaged data that are passed over.
    int32_t warnings;
} ImageCodecLimits;

/// What the start of a file tells.
typedef struct {
    int64_t width;
    int64_t height;
    /// The bytes kept while decoding, where the picture does not come row by row; else 0.
    int64_t memory;
} ImageCodecHeader;

/// One picture being decoded.
typedef struct ImageCodec ImageCodec;

/// A codec over bytes that stay where they are until it is closed, or null without memory.
ImageCodec *image_codec_open_jpeg(const uint8_t *bytes, size_t count, ImageCodecLimits limits);
ImageCodec *image_codec_open_png(const uint8_t *bytes, size_t count, ImageCodecLimits limits);

/// Reads what stands before the pixels: call until it gives Done.
ImageCodecStatus image_codec_read_header(ImageCodec *codec, ImageCodecHeader *header);

/// Prepares for rows, scaled by eighths/8 while decoding: call until it gives Done.
/// PNG cannot scale: its eighths are 8. Width and height are those of the rows to come.
ImageCodecStatus image_codec_start(
    ImageCodec *codec, int32_t eighths, int64_t *width, int64_t *height);

/// Decodes a little. Done: *row is the next row, RGBA, 8 bits, premultiplied, valid until the next
/// call. More: no row yet. Not to be called again after the last row.
ImageCodecStatus image_codec_read_row(ImageCodec *codec, const uint8_t **row);

/// What the library said about a failure; empty if it said nothing.
const char *image_codec_message(const ImageCodec *codec);

/// Frees all that belongs to a codec, at whatever point it is.
void image_codec_close(ImageCodec *codec);

#endif
