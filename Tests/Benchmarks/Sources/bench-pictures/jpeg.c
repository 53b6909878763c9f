#include "writers.h"

// jpeglib.h uses FILE and size_t without including what declares them.
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// libjpeg's own handler for errors ends the program, which is right here.

void write_jpeg(FILE *file, const struct image *image, struct jpeg_layout layout) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, file);
    info.image_width = (JDIMENSION)image->width;
    info.image_height = (JDIMENSION)image->height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, layout.quality, TRUE);
    if (layout.full_colour) {
        info.comp_info[0].h_samp_factor = 1;
        info.comp_info[0].v_samp_factor = 1;
    }
    if (layout.progressive) jpeg_simple_progression(&info);
    if (layout.restarts) info.restart_in_rows = 1;
    jpeg_start_compress(&info, TRUE);
    if (layout.exif) {
        jpeg_write_marker(&info, JPEG_APP0 + 1, layout.exif, (unsigned)layout.exif_count);
    }
    while (info.next_scanline < info.image_height) {
        size_t offset = 3 * (size_t)info.next_scanline * (size_t)image->width;
        JSAMPROW row = image->pixels + offset;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
}

// MARK: EXIF

static uint8_t *put16(uint8_t *to, unsigned value) {
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    return to + 2;
}

static uint8_t *put32(uint8_t *to, size_t value) {
    return put16(put16(to, (unsigned)value & 0xFFFF), (unsigned)(value >> 16));
}

/// One value of a directory: its tag, its type (3 for 16 bits, 4 for 32), and itself.
static uint8_t *put_entry(uint8_t *to, unsigned tag, unsigned type, size_t value) {
    return put32(put32(put16(put16(to, tag), type), 1), value);
}

uint8_t *exif_with_thumbnail(const struct image *thumbnail, size_t *count) {
    char *jpeg;
    size_t jpeg_count;
    FILE *file = open_memstream(&jpeg, &jpeg_count);
    if (!file) fail("open_memstream");
    write_jpeg(file, thumbnail, (struct jpeg_layout){.quality = 80});
    if (fclose(file)) fail("a thumbnail in memory");

    // "Exif", a TIFF header, two directories of one and three entries, the thumbnail.
    enum { name = 6, header = 8, first = 2 + 12 + 4, second = 2 + 3 * 12 + 4 };
    *count = name + header + first + second + jpeg_count;
    uint8_t *exif = allocate(*count);
    memcpy(exif, "Exif\0\0II*\0", 10);
    uint8_t *to = put32(exif + 10, header);
    to = put_entry(put16(to, 1), 0x0112, 3, 6);
    to = put32(to, header + first);
    to = put_entry(put16(to, 3), 0x0103, 3, 6);
    to = put_entry(to, 0x0201, 4, header + first + second);
    to = put_entry(to, 0x0202, 4, jpeg_count);
    to = put32(to, 0);
    memcpy(to, jpeg, jpeg_count);
    free(jpeg);
    return exif;
}
