#include "CPictureEncoders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>

// MARK: JPEG. The library's default error handler ends the process, which suits a test.

size_t encode_jpeg(const uint8_t *pixels, JPEGLayout layout, uint8_t **bytes) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned long count = 0;
    *bytes = NULL;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, &count);
    info.image_width = (JDIMENSION)layout.width;
    info.image_height = (JDIMENSION)layout.height;
    info.input_components = layout.channels;
    info.in_color_space = layout.channels == 1 ? JCS_GRAYSCALE
        : layout.channels == 3                 ? JCS_RGB
                                               : JCS_CMYK;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (layout.ycck) jpeg_set_colorspace(&info, JCS_YCCK);
    if (layout.progressive) jpeg_simple_progression(&info);
    jpeg_scan_info scans[4] = {0};
    for (int i = 0; layout.separate && i < info.num_components; i++) {
        scans[i] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {i}, .Se = 63};
        info.scan_info = scans;
        info.num_scans = i + 1;
    }
    info.arith_code = layout.arithmetic;
    info.restart_in_rows = layout.restart_rows;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        size_t offset = (size_t)info.next_scanline * layout.width * layout.channels;
        JSAMPROW rows[] = {(JSAMPROW)pixels + offset};
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return count;
}

// MARK: PNG

typedef struct {
    uint8_t *bytes;
    size_t count;
} Buffer;

static void append(png_structp png, png_bytep bytes, size_t count) {
    Buffer *buffer = png_get_io_ptr(png);
    buffer->bytes = realloc(buffer->bytes, buffer->count + count);
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static void flush(png_structp png) { (void)png; }

static void set_palette(png_structp png, png_infop info, int count) {
    png_color palette[256];
    for (int i = 0; i < count; i++) {
        palette[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i / 2)};
    }
    png_set_PLTE(png, info, palette, count);
}

size_t encode_png(const uint8_t *rows, PNGLayout layout, uint8_t **bytes) {
    Buffer buffer = {NULL, 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &buffer, append, flush);
    png_set_IHDR(
        png, info, (png_uint_32)layout.width, (png_uint_32)layout.height, layout.bit_depth,
        layout.color_type, layout.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (layout.color_type == PNG_COLOR_TYPE_PALETTE) set_palette(png, info, 1 << layout.bit_depth);
    if (layout.has_transparent) {
        png_byte alpha[] = {0};
        png_color_16 color = {0, 1, 1, 1, 1};
        png_set_tRNS(png, info, alpha, 1, &color);
    }
    png_write_info(png, info);
    size_t row_bytes = png_get_rowbytes(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < layout.height; y++) png_write_row(png, rows + y * row_bytes);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    *bytes = buffer.bytes;
    return buffer.count;
}

// MARK: WebP

size_t encode_webp(const uint8_t *pixels, WebPLayout layout, uint8_t **bytes) {
    int stride = layout.width * 4;
    uint8_t *encoded = NULL;
    size_t count = layout.lossless
        ? WebPEncodeLosslessRGBA(pixels, layout.width, layout.height, stride, &encoded)
        : WebPEncodeRGBA(
              pixels, layout.width, layout.height, stride, layout.quality, &encoded);
    // What the library gives may only be freed by the library.
    *bytes = malloc(count);
    if (count > 0) memcpy(*bytes, encoded, count);
    WebPFree(encoded);
    return count;
}
