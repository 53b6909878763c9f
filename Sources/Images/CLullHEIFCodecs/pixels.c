#include <CLullHEIF.h>

#include <avif/avif.h>
#include <libde265/de265.h>
#include <stdio.h>
#include <stdlib.h>

struct HEIFPixels {
    /// The decoder of AV1, which owns the planes.
    avifDecoder *decoder;
    /// The decoders of HEVC and of its alpha, which own the planes.
    de265_decoder_context *hevc[2];
    /// A view of the planes of either.
    avifImage *image;
    /// A view of a part of them.
    avifImage *part;
    char message[200];
};

static HEIFStatus fail(HEIFPixels *self, HEIFStatus status, const char *message) {
    snprintf(self->message, sizeof self->message, "%.*s", (int)sizeof self->message - 1, message);
    return status;
}

static HEIFPixels *create(void) { return calloc(1, sizeof(HEIFPixels)); }

static const char *message(const HEIFPixels *self) { return self->message; }

static void free_pixels(HEIFPixels *self) {
    if (self->part) avifImageDestroy(self->part);
    // The decoder's own image is freed with the decoder.
    if (self->image && !self->decoder) avifImageDestroy(self->image);
    if (self->decoder) avifDecoderDestroy(self->decoder);
    for (int i = 0; i < 2; i++) {
        if (self->hevc[i]) de265_free_decoder(self->hevc[i]);
    }
    free(self);
}

// MARK: AV1

static HEIFStatus av1_failure(HEIFPixels *self, avifResult result) {
    const char *detail = self->decoder ? self->decoder->diag.error : "";
    const char *message = *detail ? detail : avifResultToString(result);
    switch (result) {
#if AVIF_VERSION >= 100000  // 0.10.0; Ubuntu 22.04 has 0.9.3
    case AVIF_RESULT_OUT_OF_MEMORY: return HEIFStatusOutOfMemory;
#endif
    case AVIF_RESULT_UNSUPPORTED_DEPTH:
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
    case AVIF_RESULT_REFORMAT_FAILED:
    case AVIF_RESULT_NOT_IMPLEMENTED: return fail(self, HEIFStatusUnsupported, message);
    default: return fail(self, HEIFStatusCorrupt, message);
    }
}

static HEIFStatus decode_av1(
    HEIFPixels *self, HEIFBytes coded, HEIFExpectation expectation) {
    avifDecoder *decoder = self->decoder = avifDecoderCreate();
    if (!decoder) return HEIFStatusOutOfMemory;
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    decoder->imageSizeLimit = (uint32_t)expectation.width * (uint32_t)expectation.height;
#if AVIF_VERSION >= 110000  // 0.11.0
    decoder->imageDimensionLimit = UINT16_MAX;
#endif
    decoder->imageCountLimit = 1;
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    avifResult result = avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_PRIMARY_ITEM);
    if (result == AVIF_RESULT_OK)
        result = avifDecoderSetIOMemory(decoder, coded.bytes, coded.count);
    if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
    if (result == AVIF_RESULT_OK) result = avifDecoderNextImage(decoder);
    if (result != AVIF_RESULT_OK) return av1_failure(self, result);
    self->image = decoder->image;
    return HEIFStatusDone;
}

// MARK: HEVC

static HEIFStatus hevc_failure(HEIFPixels *self, de265_error error) {
    switch (error) {
    case DE265_ERROR_OUT_OF_MEMORY: return HEIFStatusOutOfMemory;
    case DE265_ERROR_NOT_IMPLEMENTED_YET:
        return fail(self, HEIFStatusUnsupported, de265_get_error_text(error));
    default: return fail(self, HEIFStatusCorrupt, de265_get_error_text(error));
    }
}

static de265_error push_units(de265_decoder_context *decoder, HEIFBytes coded) {
    de265_error error = DE265_OK;
    size_t at = 0;
    while (error == DE265_OK && coded.count - at >= 4) {
        const uint8_t *head = coded.bytes + at;
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        at += 4;
        if (length > coded.count - at) return DE265_ERROR_PARAMETER_PARSING;
        error = de265_push_NAL(decoder, coded.bytes + at, (int)length, 0, NULL);
        at += length;
    }
    return error == DE265_OK ? de265_flush_data(decoder) : error;
}

/// Decodes a picture, which remains owned by the decoder.
static HEIFStatus decode_units(
    HEIFPixels *self, int index, HEIFBytes coded, const struct de265_image **picture) {
    de265_decoder_context *decoder = self->hevc[index] = de265_new_decoder();
    if (!decoder) return HEIFStatusOutOfMemory;
    *picture = NULL;
    de265_error error = push_units(decoder, coded);
    for (int more = 1; more && error == DE265_OK && !*picture;) {
        error = de265_decode(decoder, &more);
        *picture = de265_peek_next_picture(decoder);
    }
    if (!de265_isOK(error)) return hevc_failure(self, error);
    de265_error warning = de265_get_warning(decoder);
    if (warning != DE265_OK && warning != DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING) {
        snprintf(self->message, sizeof self->message, "%s", de265_get_error_text(warning));
    }
    return *picture ? HEIFStatusDone : fail(self, HEIFStatusCorrupt, "HEVC without a picture");
}

/// Returns a plane of a picture; null if it doesn't have the expected size and depth.
static uint8_t *plane(
    const struct de265_image *picture, int channel, uint32_t width, uint32_t height,
    uint32_t depth, uint32_t *row_bytes) {
    bool fits = de265_get_image_width(picture, channel) == (int)width
        && de265_get_image_height(picture, channel) == (int)height
        && de265_get_bits_per_pixel(picture, channel) == (int)depth;
    int stride = 0;
    uint8_t *bytes = (uint8_t *)de265_get_image_plane(picture, channel, &stride);
    *row_bytes = (uint32_t)stride;
    return fits ? bytes : NULL;
}

static avifPixelFormat pixel_format(enum de265_chroma chroma) {
    switch (chroma) {
    case de265_chroma_420: return AVIF_PIXEL_FORMAT_YUV420;
    case de265_chroma_422: return AVIF_PIXEL_FORMAT_YUV422;
    case de265_chroma_444: return AVIF_PIXEL_FORMAT_YUV444;
    default: return AVIF_PIXEL_FORMAT_YUV400;
    }
}

/// Makes the image a view of the planes of a picture.
static HEIFStatus show_planes(HEIFPixels *self, const struct de265_image *picture) {
    avifImage *image = self->image = avifImageCreateEmpty();
    if (!image) return HEIFStatusOutOfMemory;
    image->width = (uint32_t)de265_get_image_width(picture, 0);
    image->height = (uint32_t)de265_get_image_height(picture, 0);
    image->depth = (uint32_t)de265_get_bits_per_pixel(picture, 0);
    image->yuvFormat = pixel_format(de265_get_chroma_format(picture));
    // The same as in libheif, and the standard's default if a stream doesn't state it.
    bool is_full = de265_get_image_full_range_flag(picture);
    image->yuvRange = is_full ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED;
    image->matrixCoefficients =
        (avifMatrixCoefficients)de265_get_image_matrix_coefficients(picture);
    image->colorPrimaries = (avifColorPrimaries)de265_get_image_colour_primaries(picture);
    avifPixelFormatInfo format;
    avifGetPixelFormatInfo(image->yuvFormat, &format);
    for (int i = 0; i < (format.monochrome ? 1 : 3); i++) {
        uint32_t right = i ? (uint32_t)format.chromaShiftX : 0;
        uint32_t down = i ? (uint32_t)format.chromaShiftY : 0;
        image->yuvPlanes[i] = plane(
            picture, i, (image->width + right) >> right, (image->height + down) >> down,
            image->depth, &image->yuvRowBytes[i]);
        if (!image->yuvPlanes[i]) {
            return fail(self, HEIFStatusUnsupported, "colours of another size or depth");
        }
    }
    return HEIFStatusDone;
}

static HEIFStatus decode_hevc(HEIFPixels *self, HEIFBytes coded, HEIFBytes alpha) {
    const struct de265_image *picture;
    HEIFStatus status = decode_units(self, 0, coded, &picture);
    if (status == HEIFStatusDone) status = show_planes(self, picture);
    if (status != HEIFStatusDone || !alpha.bytes) return status;
    status = decode_units(self, 1, alpha, &picture);
    if (status != HEIFStatusDone) return status;
    avifImage *image = self->image;
    image->alphaPlane = plane(
        picture, 0, image->width, image->height, image->depth, &image->alphaRowBytes);
    return image->alphaPlane
        ? HEIFStatusDone
        : fail(self, HEIFStatusUnsupported, "transparency of another size or depth");
}

static HEIFStatus decode(
    HEIFPixels *self, HEIFBytes coded, HEIFBytes alpha, HEIFExpectation expectation) {
    HEIFStatus status = expectation.is_av1 ? decode_av1(self, coded, expectation)
                                           : decode_hevc(self, coded, alpha);
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

/// Limits colours to alpha: lossy coding may have made premultiplied colours brighter than it.
static void limit_to_alpha(HEIFPart part, uint8_t *rgba, uint32_t row_bytes) {
    for (int32_t y = 0; y < part.count; y++, rgba += row_bytes) {
        for (int32_t i = 0; i < 4 * part.width; i++) {
            uint8_t alpha = rgba[i | 3];
            if (rgba[i] > alpha) rgba[i] = alpha;
        }
    }
}

/// Returns where a plane's row starts; null without the plane.
static uint8_t *row(uint8_t *plane, uint32_t row_bytes, uint32_t number) {
    return plane ? plane + (size_t)row_bytes * number : NULL;
}

/// Makes `part` a view of rows of the image, which libavif does itself only in later versions.
static HEIFStatus show_part(HEIFPixels *self, HEIFPart part) {
    avifImage *image = self->image, *view = self->part;
    if (part.first < 0 || part.first % 2 != 0 || part.count < 0 || part.width < 0
        || (uint32_t)part.width > image->width
        || (uint64_t)part.first + (uint64_t)part.count > image->height) {
        return fail(self, HEIFStatusCorrupt, "rows outside of the picture");
    }
    view->width = (uint32_t)part.width;
    view->height = (uint32_t)part.count;
    view->depth = image->depth;
    view->yuvFormat = image->yuvFormat;
    view->yuvRange = image->yuvRange;
    view->yuvChromaSamplePosition = image->yuvChromaSamplePosition;
    view->colorPrimaries = image->colorPrimaries;
    view->transferCharacteristics = image->transferCharacteristics;
    view->matrixCoefficients = image->matrixCoefficients;
    view->alphaPremultiplied = image->alphaPremultiplied;
    avifPixelFormatInfo format;
    avifGetPixelFormatInfo(image->yuvFormat, &format);
    for (int i = 0; i < 3; i++) {
        uint32_t first = (uint32_t)part.first >> (i ? format.chromaShiftY : 0);
        view->yuvPlanes[i] = row(image->yuvPlanes[i], image->yuvRowBytes[i], first);
        view->yuvRowBytes[i] = image->yuvRowBytes[i];
    }
    view->alphaPlane = row(image->alphaPlane, image->alphaRowBytes, (uint32_t)part.first);
    view->alphaRowBytes = image->alphaRowBytes;
    return HEIFStatusDone;
}

static HEIFStatus write_rows(
    HEIFPixels *self, HEIFPart part, uint8_t *rgba, uint32_t row_bytes) {
    HEIFStatus status = show_part(self, part);
    if (status != HEIFStatusDone) return status;
    avifRGBImage rows;
    avifRGBImageSetDefaults(&rows, self->part);
    rows.depth = 8;
    rows.format = AVIF_RGB_FORMAT_RGBA;
    rows.chromaUpsampling =
        part.is_smooth ? AVIF_CHROMA_UPSAMPLING_AUTOMATIC : AVIF_CHROMA_UPSAMPLING_FASTEST;
    rows.alphaPremultiplied = AVIF_TRUE;
    rows.pixels = rgba;
    rows.rowBytes = row_bytes;
    avifResult result = avifImageYUVToRGB(self->part, &rows);
    if (result != AVIF_RESULT_OK) return av1_failure(self, result);
    if (self->image->alphaPremultiplied) limit_to_alpha(part, rgba, row_bytes);
    return HEIFStatusDone;
}

const HEIFCodecs *lull_heif_codecs_1(void) {
    static const HEIFCodecs codecs = {create, decode, write_rows, message, free_pixels};
    return &codecs;
}
