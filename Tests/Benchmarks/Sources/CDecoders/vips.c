#include "decoders.h"

#include <stdlib.h>

#include "optional.h"

enum { size_down = 2 };  // VIPS_SIZE_DOWN

typedef struct vips_image VipsImage;

static int (*init)(const char *name);
static void (*concurrency_set)(int threads);
static void (*cache_set_max)(int operations);
static int (*thumbnail_of)(const char *path, VipsImage **image, int width, ...);
static int (*get_width)(const VipsImage *image);
static int (*get_height)(const VipsImage *image);
static int (*get_bands)(const VipsImage *image);
static void *(*write_to_memory)(VipsImage *image, size_t *size);
static void (*unref)(void *object);
static void (*release)(void *memory);

static const char *open_vips(void) {
    const struct wanted_function wanted[] = {
        {"vips_init", (void **)&init},
        {"vips_concurrency_set", (void **)&concurrency_set},
        {"vips_cache_set_max", (void **)&cache_set_max},
        {"vips_thumbnail", (void **)&thumbnail_of},
        {"vips_image_get_width", (void **)&get_width},
        {"vips_image_get_height", (void **)&get_height},
        {"vips_image_get_bands", (void **)&get_bands},
        {"vips_image_write_to_memory", (void **)&write_to_memory},
        {"g_object_unref", (void **)&unref},
        {"g_free", (void **)&release},
    };
    if (!optional_open("libvips.so.42", wanted, sizeof wanted / sizeof *wanted)) {
        return "libvips42";
    }
    if (init("bench-decode")) return "a libvips that starts";
    // As one of many decoders in a program would: no results kept, one thread.
    concurrency_set(1);
    cache_set_max(0);
    return NULL;
}

static bool decode(const char *path, int box, struct thumbnail *thumbnail) {
    VipsImage *image = NULL;
    if (thumbnail_of(
            path, &image, box, "height", box, "size", size_down, "no_rotate", 1, NULL)) {
        return false;
    }
    int width = get_width(image);
    int height = get_height(image);
    int bands = get_bands(image);
    size_t size;
    uint8_t *pixels = write_to_memory(image, &size);
    size_t count = (size_t)width * (size_t)height;
    bool is_whole = pixels && (bands == 3 || bands == 4) && size == count * (size_t)bands;
    uint8_t *result = is_whole ? malloc(4 * count) : NULL;
    for (size_t i = 0; result && i < count; i++) {
        for (int c = 0; c < 4; c++) {
            result[4 * i + (size_t)c] = c < bands ? pixels[i * (size_t)bands + (size_t)c] : 0xFF;
        }
    }
    *thumbnail = (struct thumbnail){result, width, height};
    release(pixels);
    unref(image);
    return result;
}

const struct decoder vips = {
    .name = "vips", .decode = decode, .open = open_vips, .tolerance = 8,
    .is_straight = true};
