#include "CHEIF.h"

#include <avif/avif.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>

struct HEIFPixels {
    /// Of AV1, which owns the planes.
    avifDecoder *decoder;
    /// Of HEVC, which owns the planes.
    struct heif_image *decoded;
    /// Shows the planes of either.
    avifImage *image;
    /// Shows a part of them.
    avifImage *part;
    char message[200];
};

static HEIFStatus fail(HEIFPixels *self, HEIFStatus status, const char *message) {
    snprintf(self->message, sizeof self->message, "%s", message);
    return status;
}

HEIFPixels *heif_pixels_new(void) { return calloc(1, sizeof(HEIFPixels)); }

const char *heif_pixels_message(const HEIFPixels *self) { return self->message; }

void heif_pixels_free(HEIFPixels *self) {
    if (self->part) avifImageDestroy(self->part);
    // The decoder's own image goes with the decoder.
    if (self->image && !self->decoder) avifImageDestroy(self->image);
    if (self->decoder) avifDecoderDestroy(self->decoder);
    if (self->decoded) heif_image_release(self->decoded);
    free(self);
}

// AV1.

static HEIFStatus av1_failure(HEIFPixels *self, avifResult result) {
    const char *detail = self->decoder ? self->decoder->diag.error : "";
    const char *message = *detail ? detail : avifResultToString(result);
    switch (result) {
    case AVIF_RESULT_OUT_OF_MEMORY: return HEIFStatusOutOfMemory;
    case AVIF_RESULT_UNSUPPORTED_DEPTH:
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
    case AVIF_RESULT_REFORMAT_FAILED:
    case AVIF_RESULT_NOT_IMPLEMENTED: return fail(self, HEIFStatusUnsupported, message);
    default: return fail(self, HEIFStatusCorrupt, message);
    }
}

static HEIFStatus decode_av1(
    HEIFPixels *self, const uint8_t *bytes, size_t count, HEIFExpectation expectation) {
    avifDecoder *decoder = self->decoder = avifDecoderCreate();
    if (!decoder) return HEIFStatusOutOfMemory;
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    decoder->imageSizeLimit = (uint32_t)expectation.width * (uint32_t)expectation.height;
    decoder->imageDimensionLimit = UINT16_MAX;
    decoder->imageCountLimit = 1;
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_PRIMARY_ITEM);
    avifResult result = avifDecoderSetIOMemory(decoder, bytes, count);
    if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
    if (result == AVIF_RESULT_OK) result = avifDecoderNextImage(decoder);
    if (result != AVIF_RESULT_OK) return av1_failure(self, result);
    self->image = decoder->image;
    return HEIFStatusDone;
}

// HEVC.

static HEIFStatus hevc_failure(HEIFPixels *self, struct heif_error error) {
    switch (error.code) {
    case heif_error_Memory_allocation_error:
        if (error.subcode == heif_suberror_Unspecified) return HEIFStatusOutOfMemory;
        return fail(self, HEIFStatusCorrupt, error.message);
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return fail(self, HEIFStatusUnsupported, error.message);
    default: return fail(self, HEIFStatusCorrupt, error.message);
    }
}

static struct heif_error decode_hevc_image(
    struct heif_context *context, const uint8_t *bytes, size_t count, int32_t chroma_format,
    struct heif_image **image) {
    struct heif_image_handle *handle = NULL;
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    options->ignore_transformations = 1;
    heif_context_set_max_decoding_threads(context, 0);
    struct heif_error error =
        heif_context_read_from_memory_without_copy(context, bytes, count, NULL);
    if (error.code == heif_error_Ok) {
        error = heif_context_get_primary_image_handle(context, &handle);
    }
    if (error.code == heif_error_Ok) {
        // As it is stored: the library's own way to RGB is slow.
        error = heif_decode_image(
            handle, image,
            chroma_format == 0 ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
            (enum heif_chroma)chroma_format, options);
    }
    if (handle) heif_image_handle_release(handle);
    heif_decoding_options_free(options);
    return error;
}

/// A plane of libheif's, if it has the size and depth that it should have.
static uint8_t *plane(
    const HEIFPixels *self, enum heif_channel channel, uint32_t width, uint32_t height,
    uint32_t *row_bytes) {
    struct heif_image *image = self->decoded;
    int stride = 0;
    uint8_t *bytes = heif_image_get_plane(image, channel, &stride);
    bool fits = bytes && heif_image_get_width(image, channel) >= (int)width
        && heif_image_get_height(image, channel) >= (int)height
        && heif_image_get_bits_per_pixel_range(image, channel) == (int)self->image->depth;
    *row_bytes = (uint32_t)stride;
    return fits ? bytes : NULL;
}

static avifPixelFormat pixel_format(enum heif_chroma chroma) {
    switch (chroma) {
    case heif_chroma_monochrome: return AVIF_PIXEL_FORMAT_YUV400;
    case heif_chroma_420: return AVIF_PIXEL_FORMAT_YUV420;
    case heif_chroma_422: return AVIF_PIXEL_FORMAT_YUV422;
    case heif_chroma_444: return AVIF_PIXEL_FORMAT_YUV444;
    default: return AVIF_PIXEL_FORMAT_NONE;
    }
}

/// Has the image show libheif's planes.
static HEIFStatus show_planes(HEIFPixels *self) {
    avifImage *image = self->image = avifImageCreateEmpty();
    if (!image) return HEIFStatusOutOfMemory;
    const struct heif_image *decoded = self->decoded;
    image->width = (uint32_t)heif_image_get_primary_width(decoded);
    image->height = (uint32_t)heif_image_get_primary_height(decoded);
    image->depth = (uint32_t)heif_image_get_bits_per_pixel_range(decoded, heif_channel_Y);
    image->yuvFormat = pixel_format(heif_image_get_chroma_format(decoded));
    image->yuvRange = AVIF_RANGE_FULL;
    image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
    avifPixelFormatInfo format;
    avifGetPixelFormatInfo(image->yuvFormat, &format);
    bool fits = image->yuvFormat != AVIF_PIXEL_FORMAT_NONE;
    for (int i = 0; fits && i < (format.monochrome ? 1 : 3); i++) {
        uint32_t right = i ? (uint32_t)format.chromaShiftX : 0;
        uint32_t down = i ? (uint32_t)format.chromaShiftY : 0;
        image->yuvPlanes[i] = plane(
            self, (enum heif_channel)(heif_channel_Y + i), (image->width + right) >> right,
            (image->height + down) >> down, &image->yuvRowBytes[i]);
        fits = image->yuvPlanes[i];
    }
    if (fits && heif_image_has_channel(decoded, heif_channel_Alpha)) {
        image->alphaPlane = plane(
            self, heif_channel_Alpha, image->width, image->height, &image->alphaRowBytes);
        fits = image->alphaPlane;
    }
    return fits ? HEIFStatusDone : fail(self, HEIFStatusUnsupported, "planes of different kinds");
}

static HEIFStatus decode_hevc(
    HEIFPixels *self, const uint8_t *bytes, size_t count, HEIFExpectation expectation) {
    struct heif_context *context = heif_context_alloc();
    if (!context) return HEIFStatusOutOfMemory;
    struct heif_error error = decode_hevc_image(
        context, bytes, count, expectation.chroma_format, &self->decoded);
    // The message may be the context's.
    HEIFStatus status =
        error.code == heif_error_Ok ? show_planes(self) : hevc_failure(self, error);
    heif_context_free(context);
    return status;
}

HEIFStatus heif_pixels_decode(
    HEIFPixels *self, const uint8_t *bytes, size_t count, HEIFExpectation expectation) {
    HEIFStatus status = expectation.is_av1 ? decode_av1(self, bytes, count, expectation)
                                           : decode_hevc(self, bytes, count, expectation);
    if (status != HEIFStatusDone) return status;
    avifImage *image = self->image;
    image->alphaPremultiplied = expectation.is_premultiplied && image->alphaPlane;
    if (expectation.matrix >= 0) {
        image->matrixCoefficients = (avifMatrixCoefficients)expectation.matrix;
        image->colorPrimaries = (avifColorPrimaries)expectation.primaries;
        image->yuvRange = expectation.is_full_range ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED;
    }
    if (image->width != (uint32_t)expectation.width
        || image->height != (uint32_t)expectation.height) {
        return fail(self, HEIFStatusCorrupt, "a picture of another size than it says");
    }
    self->part = avifImageCreateEmpty();
    return self->part ? HEIFStatusDone : HEIFStatusOutOfMemory;
}

HEIFStatus heif_pixels_write(
    HEIFPixels *self, HEIFPart part, uint8_t *rgba, uint32_t row_bytes) {
    const avifCropRect rect = {
        .y = (uint32_t)part.first, .width = (uint32_t)part.width, .height = (uint32_t)part.count};
    avifResult result = avifImageSetViewRect(self->part, self->image, &rect);
    if (result != AVIF_RESULT_OK) return av1_failure(self, result);
    avifRGBImage rows;
    avifRGBImageSetDefaults(&rows, self->part);
    rows.depth = 8;
    rows.format = AVIF_RGB_FORMAT_RGBA;
    rows.chromaUpsampling =
        part.is_smooth ? AVIF_CHROMA_UPSAMPLING_AUTOMATIC : AVIF_CHROMA_UPSAMPLING_FASTEST;
    rows.alphaPremultiplied = AVIF_TRUE;
    rows.pixels = rgba;
    rows.rowBytes = row_bytes;
    result = avifImageYUVToRGB(self->part, &rows);
    return result == AVIF_RESULT_OK ? HEIFStatusDone : av1_failure(self, result);
}
