#include "decoders.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "contents.h"
#include "resizer.h"

/// A file being decoded. It outlives the jump that an error makes, in which locals would be lost.
struct decoding {
    png_structp png;
    png_infop info;
    struct contents contents;
    struct resizer resizer;
    uint8_t *pixels;
    bool is_open;
};

static void supply(png_structp png, png_bytep to, size_t count) {
    struct contents *contents = png_get_io_ptr(png);
    if (count > contents->count - contents->position) png_error(png, "the file ends");
    memcpy(to, contents->bytes + contents->position, count);
    contents->position += count;
}

static void read_rows(
    struct decoding *decoding, int box, bool adds_alpha, struct thumbnail *thumbnail) {
    png_structp png = decoding->png;
    png_infop info = decoding->info;
    png_set_read_fn(png, &decoding->contents, supply);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    if (adds_alpha) png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    int width = (int)png_get_image_width(png, info);
    int height = (int)png_get_image_height(png, info);
    int channels = png_get_channels(png, info);
    size_t row_bytes = png_get_rowbytes(png, info);
    int fitted_width, fitted_height;
    fit(width, height, box, &fitted_width, &fitted_height);
    decoding->pixels = malloc(row_bytes * (passes > 1 ? (size_t)height : 1));
    decoding->is_open = decoding->pixels
        && resizer_open(
            &decoding->resizer, width, height, channels, fitted_width, fitted_height, thumbnail);
    if (!decoding->is_open) png_error(png, "no memory");
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < height; y++) {
            uint8_t *row = decoding->pixels + (passes > 1 ? (size_t)y * row_bytes : 0);
            png_read_row(png, row, NULL);
            if (pass < passes - 1) continue;
            if (channels == 4) premultiply(row, (size_t)width);
            resizer_add(&decoding->resizer, row);
        }
    }
}

static bool decode(const char *path, int box, bool adds_alpha, struct thumbnail *thumbnail) {
    static struct decoding decoding;
    decoding = (struct decoding){0};
    if (!contents_read(&decoding.contents, path, SIZE_MAX)) return false;
    decoding.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    decoding.info = decoding.png ? png_create_info_struct(decoding.png) : NULL;
    volatile bool is_whole = false;
    if (decoding.info && !setjmp(png_jmpbuf(decoding.png))) {
        read_rows(&decoding, box, adds_alpha, thumbnail);
        is_whole = true;
    }
    if (decoding.is_open) is_whole = resizer_close(&decoding.resizer) && is_whole;
    png_destroy_read_struct(&decoding.png, &decoding.info, NULL);
    free(decoding.pixels);
    contents_free(&decoding.contents);
    return is_whole;
}

static bool decode_as_stored(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, false, thumbnail);
}

static bool decode_with_alpha(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, true, thumbnail);
}

const struct decoder libpng = {.name = "libpng", .decode = decode_as_stored, .tolerance = 0.05};
const struct decoder libpng_rgba = {
    .name = "libpng-rgba", .decode = decode_with_alpha, .tolerance = 0.05};
