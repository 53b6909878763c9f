// Encodes JPEG by libjpeg-turbo's scanline interface.

#include "CPictureEncoder.h"

#include <setjmp.h>
// jpeglib.h uses FILE and size_t without including their headers.
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

struct PictureEncoder {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    /// The output of the current call, in a buffer that grows as needed.
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    /// The jump target of the library's errors; each call sets it again.
    jmp_buf jump;
};

enum { first_capacity = 16 << 10 };

// MARK: Errors

/// Handles an error; sides and quality are valid, so there is no memory.
static void fail(j_common_ptr info) {
    PictureEncoder *encoder = info->client_data;
    longjmp(encoder->jump, 1);
}

static void pass_over(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

// MARK: Destination

static void give_room(PictureEncoder *encoder) {
    encoder->destination.next_output_byte = encoder->bytes + encoder->count;
    encoder->destination.free_in_buffer = encoder->capacity - encoder->count;
}

static void begin_call(PictureEncoder *encoder) {
    encoder->count = 0;
    give_room(encoder);
}

static bool end_call(PictureEncoder *encoder) {
    encoder->count = encoder->capacity - encoder->destination.free_in_buffer;
    return true;
}

static void init_destination(j_compress_ptr info) { (void)info; }

/// Grows the buffer; the library calls this only when it is completely full.
static boolean empty_output_buffer(j_compress_ptr info) {
    PictureEncoder *encoder = info->client_data;
    uint8_t *bytes = realloc(encoder->bytes, 2 * encoder->capacity);
    if (!bytes) ERREXIT(info, JERR_OUT_OF_MEMORY);
    encoder->bytes = bytes;
    encoder->count = encoder->capacity;
    encoder->capacity *= 2;
    give_room(encoder);
    return TRUE;
}

static void term_destination(j_compress_ptr info) { (void)info; }

// MARK: The interface

bool picture_encoder_start(PictureEncoder *encoder) {
    if (setjmp(encoder->jump)) return false;
    begin_call(encoder);
    jpeg_start_compress(&encoder->info, TRUE);
    return end_call(encoder);
}

bool picture_encoder_add_rows(PictureEncoder *encoder, const uint8_t *rows, int32_t count) {
    if (setjmp(encoder->jump)) return false;
    begin_call(encoder);
    size_t length = (size_t)encoder->info.image_width * 4;
    for (int32_t i = 0; i < count; i++) {
        JSAMPROW row[] = {(JSAMPROW)rows + (size_t)i * length};
        jpeg_write_scanlines(&encoder->info, row, 1);
    }
    return end_call(encoder);
}

bool picture_encoder_finish(PictureEncoder *encoder) {
    if (setjmp(encoder->jump)) return false;
    begin_call(encoder);
    jpeg_finish_compress(&encoder->info);
    return end_call(encoder);
}

const uint8_t *picture_encoder_bytes(const PictureEncoder *encoder, size_t *count) {
    *count = encoder->count;
    return encoder->bytes;
}

void picture_encoder_close(PictureEncoder *encoder) {
    jpeg_destroy_compress(&encoder->info);
    free(encoder->bytes);
    free(encoder);
}

PictureEncoder *picture_encoder_open_jpeg(int32_t width, int32_t height, int32_t quality) {
    PictureEncoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    struct jpeg_compress_struct *info = &encoder->info;
    info->err = jpeg_std_error(&encoder->errors);
    encoder->errors.error_exit = fail;
    encoder->errors.emit_message = pass_over;
    info->client_data = encoder;
    encoder->capacity = first_capacity;
    encoder->bytes = malloc(encoder->capacity);
    if (!encoder->bytes || setjmp(encoder->jump)) {
        picture_encoder_close(encoder);
        return NULL;
    }
    jpeg_create_compress(info);
    encoder->destination = (struct jpeg_destination_mgr){
        .init_destination = init_destination,
        .empty_output_buffer = empty_output_buffer,
        .term_destination = term_destination,
    };
    info->dest = &encoder->destination;
    info->image_width = (JDIMENSION)width;
    info->image_height = (JDIMENSION)height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, quality, TRUE);
    return encoder;
}
