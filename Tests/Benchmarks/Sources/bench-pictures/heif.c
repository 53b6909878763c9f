#include "writers.h"

#include <avif/avif.h>
#include <libheif/heif.h>
#include <string.h>

static void check(struct heif_error error) {
    if (error.code != heif_error_Ok) fail(error.message);
}

void write_heic(const char *path, const struct image *image) {
    struct heif_image *picture;
    check(heif_image_create(
        image->width, image->height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &picture));
    check(heif_image_add_plane(
        picture, heif_channel_interleaved, image->width, image->height, 8));
    int row_bytes;
    uint8_t *rows = heif_image_get_plane(picture, heif_channel_interleaved, &row_bytes);
    size_t own = 3 * (size_t)image->width;
    for (int y = 0; y < image->height; y++) {
        memcpy(rows + (size_t)y * (size_t)row_bytes, image->pixels + (size_t)y * own, own);
    }
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder;
    check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder));
    check(heif_encoder_set_lossy_quality(encoder, 60));
    check(heif_encoder_set_parameter_string(encoder, "preset", "veryfast"));
    check(heif_context_encode_image(context, picture, encoder, NULL, NULL));
    check(heif_context_write_to_file(context, path));
    heif_encoder_release(encoder);
    heif_image_release(picture);
    heif_context_free(context);
}

/// An image that shares no memory with the picture: one tile of it.
static avifImage *tile(const struct image *image, int x, int y, int width, int height) {
    avifImage *tile = avifImageCreate((uint32_t)width, (uint32_t)height, 8, AVIF_PIXEL_FORMAT_YUV420);
    if (!tile) fail("libavif");
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, tile);
    rgb.format = AVIF_RGB_FORMAT_RGB;
    rgb.rowBytes = 3 * (uint32_t)image->width;
    rgb.pixels = image->pixels + (size_t)y * rgb.rowBytes + 3 * (size_t)x;
    if (avifImageRGBToYUV(tile, &rgb) != AVIF_RESULT_OK) fail("libavif");
    return tile;
}

void write_avif(FILE *file, const struct image *image, int columns, int rows) {
    avifEncoder *encoder = avifEncoderCreate();
    if (!encoder) fail("libavif");
    encoder->speed = 9;
    encoder->minQuantizer = 20;
    encoder->maxQuantizer = 30;
    avifImage *tiles[64];
    int width = image->width / columns, height = image->height / rows;
    for (int i = 0; i < columns * rows; i++) {
        tiles[i] = tile(image, i % columns * width, i / columns * height, width, height);
    }
    avifRWData output = AVIF_DATA_EMPTY;
    bool is_written =
        avifEncoderAddImageGrid(
            encoder, (uint32_t)columns, (uint32_t)rows, (const avifImage *const *)tiles,
            AVIF_ADD_IMAGE_FLAG_SINGLE) == AVIF_RESULT_OK
        && avifEncoderFinish(encoder, &output) == AVIF_RESULT_OK;
    if (!is_written) fail(encoder->diag.error);
    if (fwrite(output.data, 1, output.size, file) != output.size) fail("an AVIF file");
    for (int i = 0; i < columns * rows; i++) avifImageDestroy(tiles[i]);
    avifRWDataFree(&output);
    avifEncoderDestroy(encoder);
}
