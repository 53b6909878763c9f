#include "decoders.h"

#include <stdlib.h>

#include "optional.h"
#include "resizer.h"

typedef void *Imlib_Image;

static void (*set_cache_size)(int bytes);
static void (*set_anti_alias)(char is_on);
static Imlib_Image (*load_image)(const char *path);
static void (*set_image)(Imlib_Image image);
static int (*get_width)(void);
static int (*get_height)(void);
static Imlib_Image (*create_scaled)(
    int x, int y, int width, int height, int new_width, int new_height);
static const uint32_t *(*get_data)(void);
static void (*free_image)(void);

static const char *open_imlib2(void) {
    const struct wanted_function wanted[] = {
        {"imlib_set_cache_size", (void **)&set_cache_size},
        {"imlib_context_set_anti_alias", (void **)&set_anti_alias},
        {"imlib_load_image_immediately_without_cache", (void **)&load_image},
        {"imlib_context_set_image", (void **)&set_image},
        {"imlib_image_get_width", (void **)&get_width},
        {"imlib_image_get_height", (void **)&get_height},
        {"imlib_create_cropped_scaled_image", (void **)&create_scaled},
        {"imlib_image_get_data_for_reading_only", (void **)&get_data},
        {"imlib_free_image_and_decache", (void **)&free_image},
    };
    if (!optional_open("libImlib2.so.1", wanted, sizeof wanted / sizeof *wanted)) {
        return "libimlib2";
    }
    set_cache_size(0);
    set_anti_alias(1);
    return NULL;
}

static bool decode(const char *path, int box, struct thumbnail *thumbnail) {
    Imlib_Image image = load_image(path);
    if (!image) return false;
    set_image(image);
    int width, height;
    fit(get_width(), get_height(), box, &width, &height);
    Imlib_Image scaled = create_scaled(0, 0, get_width(), get_height(), width, height);
    free_image();
    if (!scaled) return false;
    set_image(scaled);
    size_t count = (size_t)width * (size_t)height;
    const uint32_t *pixels = get_data();
    uint8_t *result = pixels ? malloc(4 * count) : NULL;
    for (size_t i = 0; result && i < count; i++) {
        result[4 * i] = (uint8_t)(pixels[i] >> 16);
        result[4 * i + 1] = (uint8_t)(pixels[i] >> 8);
        result[4 * i + 2] = (uint8_t)pixels[i];
        // What has no alpha has anything in its place.
        result[4 * i + 3] = 0xFF;
    }
    *thumbnail = (struct thumbnail){result, width, height};
    free_image();
    return result;
}

const struct decoder imlib2 = {
    .name = "imlib2", .decode = decode, .open = open_imlib2, .tolerance = 8,
    .is_straight = true};
