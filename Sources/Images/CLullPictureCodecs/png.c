// Decodes PNG by libpng's row interface.

#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct {
    PictureCodec codec;
    png_structp png;
    png_infop info;
    /// The number of bytes left in the signature or chunk that the library is reading.
    size_t left_in_chunk;
    /// The number of bytes that the current call may still read.
    size_t allowance;
    uint32_t hidden;
    uint32_t width;
    uint32_t height;
    /// One row, or the whole picture if it is interlaced, in the library's output: RGB or RGBA.
    uint8_t *pixels;
    PictureCodecMemory memory;
    size_t row_bytes;
    /// One row of RGBA.
    uint8_t *row;
    int passes;
    int pass;
    uint32_t y;
    /// Whether an interlaced picture ended early, and is shown as far as its passes go.
    bool is_cut;
    /// The end of the rows that can be shown of it, and of those that have come in the last pass.
    uint32_t end;
    uint32_t cut;
    bool has_alpha;
    /// Whether values have 16 bits.
    bool deep;
} PNG;

/// The bytes allowed for the data before the pixels, when text and profiles are hidden.
enum { small_allowance = 64 << 10 };

/// The number of pixels in a step, which takes about 0.1 ms.
enum { pixels_a_step = 4096 };

/// The number of bytes of the file that are read at once.
enum { buffer_size = 64 << 10 };

static void fail(png_structp png, png_const_charp message) {
    PNG *self = png_get_error_ptr(png);
    picture_codec_fail(&self->codec, PictureCodecStatusCorrupt, message);
}

static void pass_over(png_structp png, png_const_charp message) {
    PNG *self = png_get_error_ptr(png);
    if (strstr(message, "CRC error")) {
        picture_codec_note(&self->codec, PictureCodecStatusCorrupt, message);
    }
}

// MARK: Source

/// Returns whether a chunk is given to the library: only those that affect pixels are.
static bool is_visible(const uint8_t *type, uint32_t length) {
    if (!memcmp(type, "IDAT", 4)) return length > 0;
    bool critical = !(type[0] & 0x20);
    return critical || !memcmp(type, "tRNS", 4);
}

/// The bounds of hidden chunks, of which files have a dozen. They are skipped within one call, as
/// the library can't be suspended: their number and the bytes read to find the next are small.
enum { max_hidden_chunks = 1000, chunk_look = 4096 };

/// The number of bytes that the library reads at once of a chunk beyond the end of the file.
enum { cut_part = 16 };

/// Returns whether there is another chunk; reads little after it, as that may be hidden too.
static bool has_chunk(PictureCodec *codec) {
    if (!input_fill(&codec->input, 12, chunk_look)) {
        picture_codec_fail(codec, PictureCodecStatusCannotRead, "");
    }
    return input_count(&codec->input) >= 12;
}

/// Moves to the next chunk that is given to the library. Text, colour profiles and other chunks
/// that may be harmful are skipped without being read, as are empty data chunks.
static void hide_chunks(PNG *self) {
    PictureCodec *codec = &self->codec;
    Input *input = &codec->input;
    while (has_chunk(codec)) {
        const uint8_t *chunk = input->bytes + input->start;
        uint32_t length = png_get_uint_32(chunk);
        if (length > PNG_UINT_31_MAX || is_visible(chunk + 4, length)) {
            self->left_in_chunk = (size_t)length + 12;
            // What is left of a cut chunk is read in small parts, as the library loses the last.
            int64_t left = input->source.end - input->source.offset + (int64_t)input_count(input);
            if ((int64_t)self->left_in_chunk > left) {
                png_set_compression_buffer_size(self->png, cut_part);
            }
            return;
        }
        if (++self->hidden > max_hidden_chunks) {
            picture_codec_fail(codec, PictureCodecStatusCorrupt, "too many chunks without pixels");
        }
        input_skip(input, (size_t)length + 12);
    }
    picture_codec_fail(codec, PictureCodecStatusTruncated, "");
}

static void supply(png_structp png, png_bytep out, size_t wanted) {
    PNG *self = png_get_io_ptr(png);
    PictureCodec *codec = &self->codec;
    Input *input = &codec->input;
    if (self->left_in_chunk == 0) hide_chunks(self);
    if (wanted > self->left_in_chunk) fail(png, "a read beyond the chunk");
    if (wanted > self->allowance) fail(png, "far more data than pixels");
    self->allowance -= wanted;
    self->left_in_chunk -= wanted;
    while (wanted > 0) {
        if (input_count(input) == 0) picture_codec_refill(codec);
        if (input_count(input) == 0) picture_codec_fail(codec, PictureCodecStatusTruncated, "");
        size_t part = input_count(input) < wanted ? input_count(input) : wanted;
        memcpy(out, input->bytes + input->start, part);
        input->start += part;
        out += part;
        wanted -= part;
    }
}

// MARK: The interface

static PictureCodecStatus read_header(PictureCodec *codec, PictureCodecHeader *header) {
    PNG *self = (PNG *)codec;
    self->allowance = small_allowance;
    png_read_info(self->png, self->info);
    self->width = png_get_image_width(self->png, self->info);
    self->height = png_get_image_height(self->png, self->info);
    *header = (PictureCodecHeader){.width = self->width, .height = self->height};
    if (png_get_interlace_type(self->png, self->info) != PNG_INTERLACE_NONE) {
        header->memory = (int64_t)self->width * self->height * 4;
    }
    return PictureCodecStatusDone;
}

static PictureCodecStatus start(
    PictureCodec *codec, PictureCodecTarget target, PictureCodecRows *rows) {
    PNG *self = (PNG *)codec;
    // An interlaced picture, which is kept whole, would take twice the memory.
    self->deep = target.deep && png_get_bit_depth(self->png, self->info) == 16
        && png_get_interlace_type(self->png, self->info) == PNG_INTERLACE_NONE;
    self->has_alpha = png_get_color_type(self->png, self->info) & PNG_COLOR_MASK_ALPHA
        || png_get_valid(self->png, self->info, PNG_INFO_tRNS);
    bool is_grey = !(png_get_color_type(self->png, self->info) & PNG_COLOR_MASK_COLOR);
    rows->model = is_grey ? PictureColorModelGrey : PictureColorModelRGB;
    png_set_expand(self->png);
    if (!self->deep) png_set_scale_16(self->png);
    png_set_gray_to_rgb(self->png);
    self->passes = png_set_interlace_handling(self->png);
    self->allowance = small_allowance;
    png_read_update_info(self->png, self->info);
    self->row_bytes = (size_t)self->width * (self->has_alpha ? 4 : 3) * (self->deep ? 2 : 1);
    if (png_get_rowbytes(self->png, self->info) != self->row_bytes) {
        picture_codec_fail(codec, PictureCodecStatusUnsupported, "PNG rows that are not RGB");
    }
    size_t rows_kept = self->passes > 1 ? self->height : 1;
    self->memory = codec->input.source.take((int64_t)(rows_kept * self->row_bytes));
    self->pixels = self->memory.start;
    self->row = self->has_alpha ? malloc(self->row_bytes) : NULL;
    if (!self->pixels || (self->has_alpha && !self->row)) return PictureCodecStatusOutOfMemory;
    rows->width = self->width;
    rows->height = self->height;
    rows->channels = self->has_alpha ? 4 : 3;
    rows->deep = self->deep;
    return PictureCodecStatusDone;
}

// Two pixels at a time, as 8 values of 16 bits, which need no special instructions.
typedef uint8_t Bytes __attribute__((vector_size(8)));
typedef uint16_t Words __attribute__((vector_size(16)));

static void premultiply_two(uint8_t *out, const uint8_t *pixels) {
    const Words colors = {0xFFFF, 0xFFFF, 0xFFFF, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0};
    const Words one = {0, 0, 0, 255, 0, 0, 0, 255};
    Bytes bytes;
    memcpy(&bytes, pixels, sizeof bytes);
    Words values = __builtin_convertvector(bytes, Words);
    Words alpha = __builtin_shufflevector(values, values, 3, 3, 3, 3, 7, 7, 7, 7);
    Words product = values * ((alpha & colors) | one) + 127;
    // This divides by 255, exactly for all products.
    bytes = __builtin_convertvector((product + 1 + (product >> 8)) >> 8, Bytes);
    memcpy(out, &bytes, sizeof bytes);
}

static void premultiply(uint8_t *row, const uint8_t *pixels, size_t width) {
    for (size_t x = 0; x + 1 < width; x += 2) premultiply_two(row + x * 4, pixels + x * 4);
    if (width % 2 == 0) return;
    uint8_t last[8] = {0};
    memcpy(last, pixels + (width - 1) * 4, 4);
    premultiply_two(last, last);
    memcpy(row + (width - 1) * 4, last, 4);
}

/// Converts 16-bit values in the file's byte order to premultiplied 15-bit ones in native order,
/// whose sums don't overflow.
static void premultiply_deep(uint8_t *row, size_t width, bool has_alpha) {
    size_t channels = has_alpha ? 4 : 3;
    for (size_t x = 0; x < width; x++, row += 2 * channels) {
        uint16_t pixel[4] = {0, 0, 0, 0xFFFF};
        for (size_t c = 0; c < channels; c++) pixel[c] = (uint16_t)(row[2 * c] << 8 | row[2 * c + 1]);
        for (size_t c = 0; c < 3; c++) {
            pixel[c] = (uint16_t)(((uint32_t)pixel[c] * pixel[3] + 32767) / 65535 >> 1);
        }
        pixel[3] >>= 1;
        memcpy(row, pixel, 2 * channels);
    }
}

/// Reads a row of a pass; returns whether it's a row of the complete picture.
static bool read_pass_row(PNG *self, uint8_t *pixels) {
    // Each pass adds pixels to the rows, the first to those that have none.
    if (self->pass == 0) memset(pixels, 0, self->row_bytes);
    png_read_row(self->png, pixels, NULL);
    bool complete = self->pass == self->passes - 1;
    if (++self->y == self->height && !complete) {
        self->y = 0;
        self->pass += 1;
    }
    return complete;
}

/// Fills in a row of a cut picture: pixels that have not come are like those of earlier passes.
static void fill_in(PNG *self, uint8_t *row) {
    // After each pass, one pixel of so many columns and rows is there.
    static const uint8_t columns[] = {8, 8, 4, 4, 2, 2, 1}, rows[] = {8, 8, 8, 4, 4, 2, 2};
    int pass = self->pass + (self->y < self->cut ? 1 : 0);
    const uint8_t *known = self->pixels + (self->y - self->y % rows[pass]) * self->row_bytes;
    size_t size = self->row_bytes / self->width;
    for (uint32_t x = 0; x < self->width; x++) {
        memmove(row + x * size, known + (x - x % columns[pass]) * size, size);
    }
}

/// Shows an interlaced picture as far as there are passes.
static bool recover(PictureCodec *codec, PictureCodecStatus failure) {
    PNG *self = (PNG *)codec;
    if (self->passes < 2) return false;
    picture_codec_note(codec, failure, NULL);
    self->is_cut = true;
    self->cut = self->y;
    self->end = self->pass > 0 ? self->height : self->cut;
    // The rows before have been given if this is the last pass.
    if (self->pass < self->passes - 1) self->y = 0;
    return true;
}

/// Gives a row that the library has read.
static PictureCodecStatus give(PNG *self, uint8_t *pixels, const uint8_t **row) {
    if (self->deep) {
        premultiply_deep(pixels, self->width, self->has_alpha);
    } else if (self->has_alpha) {
        premultiply(self->row, pixels, self->width);
        pixels = self->row;
    }
    *row = pixels;
    return PictureCodecStatusDone;
}

static PictureCodecStatus read_row(PictureCodec *codec, const uint8_t **row) {
    PNG *self = (PNG *)codec;
    uint8_t *pixels = self->pixels;
    if (self->is_cut) {
        if (self->y >= self->end) return codec->damage;
        pixels = self->pixels + self->y * self->row_bytes;
        fill_in(self, pixels);
        self->y += 1;
        return give(self, pixels, row);
    }
    // A row of the file has at most 8 bytes a pixel. Deflate hardly expands data that it cannot
    // compress: far more bytes mean that there are empty blocks, which take time. The same holds
    // for all rows that are read at once.
    self->allowance = ((size_t)self->width + pixels_a_step) * 16 + small_allowance;
    // The rows of the early passes are short, and most are empty: a step reads several.
    for (size_t work = 0;; work += PNG_PASS_COLS(self->width, self->pass) + 64) {
        if (work > pixels_a_step) return PictureCodecStatusMore;
        if (self->passes > 1) pixels = self->pixels + self->y * self->row_bytes;
        if (read_pass_row(self, pixels)) break;
    }
    return give(self, pixels, row);
}

static void close_png(PictureCodec *codec) {
    PNG *self = (PNG *)codec;
    png_destroy_read_struct(&self->png, &self->info, NULL);
    if (self->pixels) codec->input.source.put(self->memory);
    free(self->row);
    input_close(&self->codec.input);
    free(self);
}

/// Sets the library's own limits, in case a chunk that should be hidden isn't.
static void set_limits(png_structp png) {
    static const png_byte dropped[] = "iCCP\0tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, dropped, sizeof dropped / 5);
    png_set_user_limits(png, 0xFFFF, 0xFFFF);
    png_set_chunk_malloc_max(png, 1 << 20);
    png_set_chunk_cache_max(png, 16);
}

PictureCodec *picture_codec_open_png(PictureCodecSource source, PictureCodecLimits limits) {
    static const PictureCodecFormat format = {
        read_header, start, read_row, recover, close_png};
    PNG *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->left_in_chunk = 8;
    if (!picture_codec_open(&self->codec, &format, source, buffer_size, limits)) {
        free(self);
        return NULL;
    }
    if (setjmp(self->codec.jump)) {
        close_png(&self->codec);
        return NULL;
    }
    self->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, fail, pass_over);
    self->info = self->png ? png_create_info_struct(self->png) : NULL;
    if (!self->info) {
        close_png(&self->codec);
        return NULL;
    }
    png_set_read_fn(self->png, self, supply);
#ifdef PNG_IGNORE_ADLER32  // Debian 13's libpng hasn't this option
    // The CRCs of the chunks cover the same bytes.
    png_set_option(self->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
    // Data with a wrong checksum are used, as far as they can be decompressed.
    png_set_crc_action(self->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    set_limits(self->png);
    return &self->codec;
}
