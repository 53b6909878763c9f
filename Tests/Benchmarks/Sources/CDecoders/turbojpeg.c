#include "decoders.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <turbojpeg.h>

#include "contents.h"
#include "resizer.h"

static bool decode_bytes(
    const uint8_t *bytes, size_t count, int box, bool is_scaled, struct thumbnail *thumbnail) {
    tjhandle handle = tjInitDecompress();
    if (!handle) return false;
    bool is_whole = false;
    int width, height, subsampling, colours;
    if (!tjDecompressHeader3(handle, bytes, count, &width, &height, &subsampling, &colours)) {
        int fitted_width, fitted_height;
        fit(width, height, box, &fitted_width, &fitted_height);
        tjscalingfactor factor = {is_scaled ? eighths_to_fill(width, height, box) : 8, 8};
        width = TJSCALED(width, factor);
        height = TJSCALED(height, factor);
        uint8_t *pixels = malloc(3 * (size_t)width * (size_t)height);
        is_whole = pixels
            && !tjDecompress2(handle, bytes, count, pixels, width, 0, height, TJPF_RGB, 0)
            && resize(
                pixels, width, height, 3, 3 * (size_t)width, fitted_width, fitted_height,
                thumbnail);
        free(pixels);
    }
    tjDestroy(handle);
    return is_whole;
}

static bool decode(const char *path, int box, bool is_scaled, struct thumbnail *thumbnail) {
    struct contents contents;
    if (!contents_read(&contents, path, SIZE_MAX)) return false;
    bool is_whole = decode_bytes(contents.bytes, contents.count, box, is_scaled, thumbnail);
    contents_free(&contents);
    return is_whole;
}

static bool decode_full(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, false, thumbnail);
}

static bool decode_scaled(const char *path, int box, struct thumbnail *thumbnail) {
    return decode(path, box, true, thumbnail);
}

// MARK: EXIF

/// A TIFF structure in a camera's file, little-endian: that is how these pictures were written.
struct tiff {
    const uint8_t *bytes;
    size_t count;
};

static size_t number(struct tiff tiff, size_t offset, int bytes) {
    size_t value = 0;
    if (offset + (size_t)bytes > tiff.count) return 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | tiff.bytes[offset + (size_t)i];
    return value;
}

static bool decode_thumbnail(struct tiff tiff, int box, struct thumbnail *thumbnail) {
    size_t first = number(tiff, 4, 4);
    size_t second = number(tiff, first + 2 + 12 * number(tiff, first, 2), 4);
    size_t offset = 0;
    size_t count = 0;
    for (size_t i = 0; second && i < number(tiff, second, 2); i++) {
        size_t entry = second + 2 + 12 * i;
        if (number(tiff, entry, 2) == 0x0201) offset = number(tiff, entry + 8, 4);
        if (number(tiff, entry, 2) == 0x0202) count = number(tiff, entry + 8, 4);
    }
    if (!offset || offset + count > tiff.count) return false;
    return decode_bytes(tiff.bytes + offset, count, box, true, thumbnail);
}

static bool decode_exif(const char *path, int box, struct thumbnail *thumbnail) {
    struct contents contents;
    // A segment is never longer than 64 KiB, and this one comes first or second.
    if (!contents_read(&contents, path, 128 << 10)) return false;
    bool is_whole = false;
    size_t position = 2;
    while (position + 10 <= contents.count && contents.bytes[position] == 0xFF) {
        const uint8_t *segment = contents.bytes + position;
        size_t length = (size_t)(segment[2] << 8 | segment[3]);
        bool is_exif = segment[1] == 0xE1 && !memcmp(segment + 4, "Exif\0", 6);
        if (is_exif && length > 8 && position + 2 + length <= contents.count) {
            struct tiff tiff = {segment + 10, length - 8};
            is_whole = decode_thumbnail(tiff, box, thumbnail);
        }
        if (is_exif || segment[1] == 0xDA || length < 2) break;
        position += 2 + length;
    }
    contents_free(&contents);
    return is_whole;
}

const struct decoder turbojpeg = {.name = "turbojpeg", .decode = decode_full, .tolerance = 4};
const struct decoder turbojpeg_scaled = {
    .name = "turbojpeg-scaled", .decode = decode_scaled, .tolerance = 1};
const struct decoder exif = {.name = "exif", .decode = decode_exif, .tolerance = 8};
