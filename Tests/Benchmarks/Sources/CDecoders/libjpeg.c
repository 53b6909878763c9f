#include "decoders.h"

#include <setjmp.h>
// jpeglib.h uses FILE and size_t without including what declares them.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "contents.h"
#include "resizer.h"

/// A file being decoded. It outlives the jump that an error makes, in which locals would be lost.
struct decoding {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    struct contents contents;
    struct resizer resizer;
    uint8_t *row;
    int box;
    bool is_open;
};

static void fail(j_common_ptr info) {
    struct decoding *decoding = info->client_data;
    longjmp(decoding->jump, 1);
}

static void pass_over(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

static void read_header(struct decoding *decoding) {
    struct jpeg_decompress_struct *info = &decoding->info;
    jpeg_mem_src(info, decoding->contents.bytes, decoding->contents.count);
    jpeg_read_header(info, TRUE);
}

static void entropy_only(struct decoding *decoding, struct thumbnail *thumbnail) {
    (void)thumbnail;
    jpeg_read_coefficients(&decoding->info);
}

static void read_rows(struct decoding *decoding, struct thumbnail *thumbnail) {
    struct jpeg_decompress_struct *info = &decoding->info;
    int width = (int)info->output_width;
    int fitted_width, fitted_height;
    fit((int)info->image_width, (int)info->image_height, decoding->box, &fitted_width,
        &fitted_height);
    decoding->row = malloc(3 * (size_t)width);
    if (!decoding->row) longjmp(decoding->jump, 1);
    if (!resizer_open(
            &decoding->resizer, width, (int)info->output_height, 3, fitted_width, fitted_height,
            thumbnail)) {
        longjmp(decoding->jump, 1);
    }
    decoding->is_open = true;
    while (info->output_scanline < info->output_height) {
        jpeg_read_scanlines(info, &decoding->row, 1);
        resizer_add(&decoding->resizer, decoding->row);
    }
}

static void scale(struct decoding *decoding) {
    struct jpeg_decompress_struct *info = &decoding->info;
    info->scale_num = (unsigned)eighths_to_fill(
        (int)info->image_width, (int)info->image_height, decoding->box);
    info->scale_denom = 8;
    info->out_color_space = JCS_RGB;
}

static void rows(struct decoding *decoding, struct thumbnail *thumbnail) {
    scale(decoding);
    jpeg_start_decompress(&decoding->info);
    read_rows(decoding, thumbnail);
}

static bool has_first_values(const struct jpeg_decompress_struct *info) {
    for (int i = 0; i < info->num_components; i++) {
        if (!info->coef_bits || info->coef_bits[i][0] < 0) return false;
    }
    return true;
}

static void first_picture(struct decoding *decoding, struct thumbnail *thumbnail) {
    struct jpeg_decompress_struct *info = &decoding->info;
    scale(decoding);
    info->buffered_image = TRUE;
    info->do_block_smoothing = FALSE;
    jpeg_start_decompress(info);
    int progress;
    do {
        progress = jpeg_consume_input(info);
    } while (progress != JPEG_REACHED_EOI
        && !(progress == JPEG_SCAN_COMPLETED && has_first_values(info)));
    jpeg_start_output(info, info->input_scan_number);
    read_rows(decoding, thumbnail);
}

/// Reads a file, goes with it as far as `body` does, and frees everything.
static bool decode(
    const char *path, int box, struct thumbnail *thumbnail,
    void (*body)(struct decoding *, struct thumbnail *)) {
    static struct decoding decoding;
    decoding = (struct decoding){.box = box};
    if (!contents_read(&decoding.contents, path, SIZE_MAX)) return false;
    decoding.info.err = jpeg_std_error(&decoding.errors);
    decoding.errors.error_exit = fail;
    decoding.errors.emit_message = pass_over;
    decoding.info.client_data = &decoding;
    volatile bool is_whole = false;
    if (!setjmp(decoding.jump)) {
        jpeg_create_decompress(&decoding.info);
        read_header(&decoding);
        body(&decoding, thumbnail);
        is_whole = true;
    }
    if (decoding.is_open) is_whole = resizer_close(&decoding.resizer) && is_whole;
    jpeg_destroy_decompress(&decoding.info);
    free(decoding.row);
    contents_free(&decoding.contents);
    return is_whole;
}

static bool decode_entropy(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, thumbnail, entropy_only);
}

static bool decode_rows(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, thumbnail, rows);
}

static bool decode_first(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, thumbnail, first_picture);
}

const struct decoder huffman = {.name = "huffman", .decode = decode_entropy};
const struct decoder libjpeg = {.name = "libjpeg", .decode = decode_rows, .tolerance = 1};
const struct decoder libjpeg_first = {
    .name = "libjpeg-first", .decode = decode_first, .tolerance = 8};
