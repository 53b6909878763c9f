// Decodes JPEG, PNG and WebP in small steps, by one interface.
//
// libjpeg and libpng report errors by longjmp. It starts and ends inside the functions below: each
// sets its own target, so that no stack frame of the caller is ever skipped. The functions return a
// status. After a failure, only picture_codec_message, picture_codec_read_error and
// picture_codec_close may be called.

#ifndef C_PICTURE_CODECS_H
#define C_PICTURE_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CPictureColors.h"
#include "CPictureEncoder.h"

/// The result of a call.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// More steps are needed; make the call again.
    PictureCodecStatusMore,
    /// The requested result is complete.
    PictureCodecStatusDone,
    /// As Done, but the row is one of a preview, after which rows start again from the top.
    PictureCodecStatusPreview,
    /// The bytes ended before the picture did.
    PictureCodecStatusTruncated,
    /// The bytes violate the format; picture_codec_message gives details.
    PictureCodecStatusCorrupt,
    /// The library doesn't support this kind of picture; picture_codec_message gives details.
    PictureCodecStatusUnsupported,
    /// The library needs more memory than the limit.
    PictureCodecStatusTooMuchMemory,
    /// The picture has more scans than the limit.
    PictureCodecStatusTooManyScans,
    /// The system has no memory left.
    PictureCodecStatusOutOfMemory,
    /// The file could not be read; picture_codec_read_error gives the reason.
    PictureCodecStatusCannotRead,
} PictureCodecStatus;

/// Memory for a buffer, of at least the size that was asked for.
typedef struct {
    void *start;
    int64_t size;
} PictureCodecMemory;

/// Tells the address sanitizer that only the first bytes of a block are in use, of so many that it
/// has.
void picture_memory_use(void *start, size_t used, size_t size);

/// The input of a codec: a part of a file, read as the library needs it.
typedef struct {
    /// Reads bytes from `offset` on into a buffer, and returns their number, 0 only at the end of
    /// the file, or a negative errno: -EAGAIN if they have not arrived yet. It is called by the
    /// functions below.
    int64_t (*read)(void *file, int64_t offset, uint8_t *room, int64_t count);
    void *file;
    /// Takes memory for a large buffer, with arbitrary content, and puts it back. Another thread may
    /// close the codec than the one that opened it, so that it isn't that of malloc. Its start is null if
    /// there is none.
    PictureCodecMemory (*take)(int64_t size);
    void (*put)(PictureCodecMemory memory);
    /// The range of the picture. The file may end before it does.
    int64_t offset;
    int64_t end;
} PictureCodecSource;

/// The limits on the cost of a codec.
typedef struct {
    /// The maximum number of bytes that the library keeps for a picture not decoded row by row.
    int64_t memory;
    /// The maximum number of scans in a progressive JPEG.
    int32_t scans;
    /// The maximum number of warnings about damaged data that are ignored.
    int32_t warnings;
} PictureCodecLimits;

/// The properties at the start of a file.
typedef struct {
    int64_t width;
    int64_t height;
    /// The number of bytes kept while decoding a picture not decoded row by row; else 0.
    int64_t memory;
} PictureCodecHeader;

/// A decoder of one picture.
typedef struct PictureCodec PictureCodec;

/// A frame of a WebP on the canvas that is shown.
typedef struct {
    int32_t width;
    int32_t height;
    int32_t x;
    int32_t y;
    int32_t canvas_width;
    int32_t canvas_height;
    /// Whether it is lossless, which takes memory for all pixels.
    bool lossless;
    /// Whether it is lossy with an alpha channel.
    bool has_alpha_plane;
} PictureCodecFrame;

/// Opens a codec for a whole file of its format; returns null without memory. The source's file
/// must remain valid until the codec is closed.
PictureCodec *picture_codec_open_jpeg(PictureCodecSource source, PictureCodecLimits limits);
PictureCodec *picture_codec_open_png(PictureCodecSource source, PictureCodecLimits limits);

/// Opens a codec for the chunks of one WebP frame: VP8 or VP8L, after ALPH if there is one.
PictureCodec *picture_codec_open_webp(
    PictureCodecSource source, PictureCodecFrame frame, PictureCodecLimits limits);

/// Reads the data before the pixels: call until it returns Done.
PictureCodecStatus picture_codec_read_header(PictureCodec *codec, PictureCodecHeader *header);

/// The requested properties of the rows.
typedef struct {
    /// The size to which they will be scaled down. A format that can scale down while it decodes
    /// does so, but never below this.
    int64_t width;
    int64_t height;
    /// Whether a preview is requested.
    bool previews;
    /// Whether 16-bit values are requested if the file has them.
    bool deep;
} PictureCodecTarget;

/// The properties of the rows.
typedef struct {
    int64_t width;
    int64_t height;
    /// The number of values for each pixel: 4 for RGBA or CMYK; 3 for RGB if all are opaque.
    int32_t channels;
    /// The colour model; grey is given as RGB, too.
    PictureColorModel model;
    /// Whether values have 15 bits, each in two bytes in native order.
    bool deep;
} PictureCodecRows;

/// Prepares for rows: call until it returns Done.
PictureCodecStatus picture_codec_start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows);

/// Decodes a small part. If it returns Done, *row is the next row, premultiplied unless it is CMYK,
/// valid until the next call; if More, there is no row yet. Must not be called after the last row.
PictureCodecStatus picture_codec_read_row(PictureCodec *codec, const uint8_t **row);

/// Returns the first damage to the picture that was passed over, Truncated or Corrupt; else Done.
/// Without a failure, picture_codec_message gives its details.
PictureCodecStatus picture_codec_damage(const PictureCodec *codec);

/// Returns the library's message about a failure; empty if there is none.
const char *picture_codec_message(const PictureCodec *codec);

/// Returns the errno of a failed read.
int32_t picture_codec_read_error(const PictureCodec *codec);

/// Frees a codec, at any stage.
void picture_codec_close(PictureCodec *codec);

#endif
