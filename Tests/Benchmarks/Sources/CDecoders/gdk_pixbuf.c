#include "decoders.h"

#include <stdlib.h>
#include <string.h>

#include "optional.h"

typedef struct gdk_pixbuf GdkPixbuf;

static GdkPixbuf *(*new_from_file_at_scale)(
    const char *path, int width, int height, int keeps_shape, void **error);
static int (*get_width)(const GdkPixbuf *pixbuf);
static int (*get_height)(const GdkPixbuf *pixbuf);
static int (*get_channels)(const GdkPixbuf *pixbuf);
static int (*get_row_bytes)(const GdkPixbuf *pixbuf);
static const uint8_t *(*read_pixels)(const GdkPixbuf *pixbuf);
static void (*unref)(void *object);

static const char *open_gdk_pixbuf(void) {
    const struct wanted_function wanted[] = {
        {"gdk_pixbuf_new_from_file_at_scale", (void **)&new_from_file_at_scale},
        {"gdk_pixbuf_get_width", (void **)&get_width},
        {"gdk_pixbuf_get_height", (void **)&get_height},
        {"gdk_pixbuf_get_n_channels", (void **)&get_channels},
        {"gdk_pixbuf_get_rowstride", (void **)&get_row_bytes},
        {"gdk_pixbuf_read_pixels", (void **)&read_pixels},
        {"g_object_unref", (void **)&unref},
    };
    return optional_open(
               "libgdk_pixbuf-2.0.so.0", wanted, sizeof wanted / sizeof *wanted)
        ? NULL : "libgdk-pixbuf-2.0-0";
}

static bool decode(const char *path, int box, struct thumbnail *thumbnail) {
    GdkPixbuf *pixbuf = new_from_file_at_scale(path, box, box, 1, NULL);
    if (!pixbuf) return false;
    int width = get_width(pixbuf);
    int height = get_height(pixbuf);
    size_t channels = (size_t)get_channels(pixbuf);
    uint8_t *result = malloc(4 * (size_t)width * (size_t)height);
    for (int y = 0; result && y < height; y++) {
        const uint8_t *from = read_pixels(pixbuf) + (size_t)y * (size_t)get_row_bytes(pixbuf);
        uint8_t *to = result + 4 * (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++, from += channels, to += 4) {
            memcpy(to, from, 3);
            to[3] = channels == 4 ? from[3] : 0xFF;
        }
    }
    *thumbnail = (struct thumbnail){result, width, height};
    unref(pixbuf);
    return result;
}

const struct decoder gdk_pixbuf = {
    .name = "gdk-pixbuf", .decode = decode, .open = open_gdk_pixbuf, .tolerance = 8,
    .is_straight = true};
