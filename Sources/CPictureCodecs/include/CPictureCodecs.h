// JPEG, PNG and WebP decoding in small steps, behind one interface.
//
// libjpeg and libpng report errors by a jump. It starts and ends inside the functions below: each
// sets its own target, so that no frame of the caller is ever jumped over. What they give is a
// status; a codec that has given a failure takes no further call but picture_codec_message and
// picture_codec_close.

#ifndef C_PICTURE_CODECS_H
#define C_PICTURE_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CPictureColors.h"
#include "CPictureEncoder.h"

/// How one call went.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// There is more to do before this call can give anything: make it again.
    PictureCodecStatusMore,
    /// What was asked for is there.
    PictureCodecStatusDone,
    /// As Done, but the row is one of a first picture, after which the rows begin anew.
    PictureCodecStatusPreview,
    /// The bytes ended before the picture did.
    PictureCodecStatusTruncated,
    /// The bytes are not what the format says; picture_codec_message tells more.
    PictureCodecStatusCorrupt,
    /// A kind of picture that the library does not read; picture_codec_message tells more.
    PictureCodecStatusUnsupported,
    /// The library needs more memory than it may use.
    PictureCodecStatusTooMuchMemory,
    /// More scans than the limit.
    PictureCodecStatusTooManyScans,
    /// The system has no memory left.
    PictureCodecStatusOutOfMemory,
    /// The file could not be read; picture_codec_read_error tells why.
    PictureCodecStatusCannotRead,
} PictureCodecStatus;

/// Where a codec gets its bytes from: a part of a file, read as the library needs it.
typedef struct {
    /// Fills the room with bytes from `offset` on and says how many there were, none only at the
    /// end of the file; or gives a negative errno, -EAGAIN if they are still to arrive. It is called
    /// inside the functions below.
    int64_t (*read)(void *file, int64_t offset, uint8_t *room, int64_t count);
    void *file;
    /// Where the picture begins and ends. A file that ends before does no harm.
    int64_t offset;
    int64_t end;
} PictureCodecSource;

/// What a codec may cost.
typedef struct {
    /// The bytes that the library may keep to decode a picture that does not come row by row.
    int64_t memory;
    /// The scans of a progressive JPEG.
    int32_t scans;
    /// The warnings about damaged data that are passed over.
    int32_t warnings;
} PictureCodecLimits;

/// What the start of a file tells.
typedef struct {
    int64_t width;
    int64_t height;
    /// The bytes kept while decoding, where the picture does not come row by row; else 0.
    int64_t memory;
} PictureCodecHeader;

/// One picture being decoded.
typedef struct PictureCodec PictureCodec;

/// A frame of a WebP on the canvas that is shown.
typedef struct {
    int32_t width;
    int32_t height;
    int32_t x;
    int32_t y;
    int32_t canvas_width;
    int32_t canvas_height;
    /// Coded without loss, which takes memory for all pixels.
    bool lossless;
    /// Has transparency beside colours that are coded with loss.
    bool has_alpha_plane;
} PictureCodecFrame;

/// A codec that reads a whole file of its format, or null without memory. The source's file must
/// stay until the codec is closed.
PictureCodec *picture_codec_open_jpeg(PictureCodecSource source, PictureCodecLimits limits);
PictureCodec *picture_codec_open_png(PictureCodecSource source, PictureCodecLimits limits);

/// A codec that reads the chunks of one WebP frame: VP8 or VP8L, with ALPH before it if it has one.
PictureCodec *picture_codec_open_webp(
    PictureCodecSource source, PictureCodecFrame frame, PictureCodecLimits limits);

/// Reads what stands before the pixels: call until it gives Done.
PictureCodecStatus picture_codec_read_header(PictureCodec *codec, PictureCodecHeader *header);

/// What the rows should be like.
typedef struct {
    /// The size that they will be shrunk to. A format that can shrink while it decodes does so,
    /// but never below this.
    int64_t width;
    int64_t height;
    /// Whether a first picture is welcome before the final one.
    bool previews;
    /// Whether values of 16 bits are welcome where they are stored.
    bool deep;
} PictureCodecTarget;

/// What the rows to come are like.
typedef struct {
    int64_t width;
    int64_t height;
    /// 4 for RGBA, or for inks; 3 for RGB, where all is opaque.
    int32_t channels;
    /// Cyan, magenta, yellow and black; 0 is no ink.
    bool inks;
    /// Values are of 15 bits, each in two bytes of the machine's order.
    bool deep;
} PictureCodecRows;

/// Prepares for rows: call until it gives Done.
PictureCodecStatus picture_codec_start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows);

/// Decodes a little. Done: *row is the next row, premultiplied unless it is of inks, valid until the
/// next call. More: no row yet. Not to be called again after the last row.
PictureCodecStatus picture_codec_read_row(PictureCodec *codec, const uint8_t **row);

/// What the library said about a failure; empty if it said nothing.
const char *picture_codec_message(const PictureCodec *codec);

/// Why the file could not be read, as errno.
int32_t picture_codec_read_error(const PictureCodec *codec);

/// Frees all that belongs to a codec, at whatever point it is.
void picture_codec_close(PictureCodec *codec);

#endif
