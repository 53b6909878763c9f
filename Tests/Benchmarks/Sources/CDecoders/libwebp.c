#include "decoders.h"

#include <webp/decode.h>

#include "contents.h"
#include "resizer.h"

static bool decode_bytes(
    const struct contents *contents, int box, bool is_scaled, struct thumbnail *thumbnail) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)
        || WebPGetFeatures(contents->bytes, contents->count, &config.input) != VP8_STATUS_OK) {
        return false;
    }
    int width, height;
    fit(config.input.width, config.input.height, box, &width, &height);
    // Scaled, the result is small; else three values a pixel are less work where they do.
    bool has_alpha = config.input.has_alpha;
    config.output.colorspace = has_alpha ? MODE_rgbA : is_scaled ? MODE_RGBA : MODE_RGB;
    config.options.use_scaling = is_scaled;
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    if (WebPDecode(contents->bytes, contents->count, &config) != VP8_STATUS_OK) return false;
    bool is_whole = resize(
        config.output.u.RGBA.rgba, config.output.width, config.output.height,
        has_alpha || is_scaled ? 4 : 3, (size_t)config.output.u.RGBA.stride, width, height,
        thumbnail);
    WebPFreeDecBuffer(&config.output);
    return is_whole;
}

static bool decode(const char *path, int box, bool is_scaled, struct thumbnail *thumbnail) {
    struct contents contents;
    if (!contents_read(&contents, path, SIZE_MAX)) return false;
    bool is_whole = decode_bytes(&contents, box, is_scaled, thumbnail);
    contents_free(&contents);
    return is_whole;
}

static bool decode_scaled(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, true, thumbnail);
}

static bool decode_full(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, false, thumbnail);
}

const struct decoder libwebp = {.name = "libwebp", .decode = decode_scaled, .tolerance = 4};
const struct decoder libwebp_full = {
    .name = "libwebp-full", .decode = decode_full, .tolerance = 4};
