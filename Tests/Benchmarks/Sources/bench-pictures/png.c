#include "writers.h"

#include <png.h>

// libpng's own handler for errors ends the program when nobody has set a jump, which is right here.

void write_png(FILE *file, const struct image *image, bool interlaced) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) fail("libpng");
    png_init_io(png, file);
    png_set_compression_level(png, 6);
    png_set_IHDR(
        png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
        image->channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
        interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    size_t row = (size_t)image->width * (size_t)image->channels;
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < image->height; y++) {
            png_write_row(png, image->pixels + (size_t)y * row);
        }
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}
