#include "decoders.h"

#include <avif/avif.h>
#include <libheif/heif.h>

#include "contents.h"
#include "resizer.h"

static bool resize_to_fit(
    const uint8_t *pixels, int width, int height, int channels, size_t row_bytes, int box,
    struct thumbnail *thumbnail) {
    int fitted_width, fitted_height;
    fit(width, height, box, &fitted_width, &fitted_height);
    return resize(
        pixels, width, height, channels, row_bytes, fitted_width, fitted_height, thumbnail);
}

static bool decode_heic(const char *path, int box, struct thumbnail *thumbnail) {
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    struct heif_context *context = heif_context_alloc();
    heif_context_set_max_decoding_threads(context, 0);
    bool is_whole =
        heif_context_read_from_file(context, path, NULL).code == heif_error_Ok
        && heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok
        && heif_decode_image(
               handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, NULL).code
            == heif_error_Ok;
    if (is_whole) {
        int row_bytes;
        const uint8_t *pixels =
            heif_image_get_plane_readonly(image, heif_channel_interleaved, &row_bytes);
        is_whole = resize_to_fit(
            pixels, heif_image_get_primary_width(image), heif_image_get_primary_height(image), 3,
            (size_t)row_bytes, box, thumbnail);
    }
    heif_image_release(image);
    heif_image_handle_release(handle);
    heif_context_free(context);
    return is_whole;
}

static bool decode_avif(const char *path, int box, struct thumbnail *thumbnail) {
    avifDecoder *decoder = avifDecoderCreate();
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    bool is_whole = avifDecoderSetIOFile(decoder, path) == AVIF_RESULT_OK
        && avifDecoderParse(decoder) == AVIF_RESULT_OK
        && avifDecoderNextImage(decoder) == AVIF_RESULT_OK;
    if (is_whole) {
        avifRGBImage rgb;
        avifRGBImageSetDefaults(&rgb, decoder->image);
        rgb.depth = 8;
        // To three values a pixel, which its fast conversion doesn't know, takes longer.
        rgb.format = AVIF_RGB_FORMAT_RGBA;
        avifRGBImageAllocatePixels(&rgb);
        is_whole = avifImageYUVToRGB(decoder->image, &rgb) == AVIF_RESULT_OK
            && resize_to_fit(
                rgb.pixels, (int)rgb.width, (int)rgb.height, 4, rgb.rowBytes, box, thumbnail);
        avifRGBImageFreePixels(&rgb);
    }
    avifDecoderDestroy(decoder);
    return is_whole;
}

const struct decoder libheif = {.name = "libheif", .decode = decode_heic, .tolerance = 4};
const struct decoder libavif = {.name = "libavif", .decode = decode_avif, .tolerance = 4};
