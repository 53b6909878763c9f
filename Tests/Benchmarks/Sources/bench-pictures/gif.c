#include "writers.h"

#include <stdlib.h>

#include <gif_lib.h>

/// How many values each colour has: 6 × 7 × 6 = 252 in all.
static const int levels[] = {6, 7, 6};

static int write_bytes(GifFileType *gif, const GifByteType *bytes, int count) {
    return (int)fwrite(bytes, 1, (size_t)count, gif->UserData);
}

static ColorMapObject *palette(void) {
    ColorMapObject *palette = GifMakeMapObject(256, NULL);
    if (!palette) fail("giflib");
    for (int i = 0; i < levels[0] * levels[1] * levels[2]; i++) {
        int blue = i % levels[2];
        int green = i / levels[2] % levels[1];
        int red = i / levels[2] / levels[1];
        palette->Colors[i] = (GifColorType){
            (GifByteType)(red * 255 / (levels[0] - 1)),
            (GifByteType)(green * 255 / (levels[1] - 1)),
            (GifByteType)(blue * 255 / (levels[2] - 1))};
    }
    return palette;
}

/// The palette's colour for a pixel, by Bayer's ordered dither.
static GifPixelType index_of(const uint8_t *pixel, int x, int y) {
    static const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    int index = 0;
    for (int c = 0; c < 3; c++) {
        int threshold = (2 * bayer[y & 3][x & 3] + 1) * 255 / 32;
        int level = (pixel[c] * (levels[c] - 1) + threshold) / 255;
        index = index * levels[c] + level;
    }
    return (GifPixelType)index;
}

void write_gif(FILE *file, const struct image *image) {
    int error;
    GifFileType *gif = EGifOpen(file, write_bytes, &error);
    GifPixelType *row = allocate((size_t)image->width);
    if (!gif) fail("giflib");
    ColorMapObject *colours = palette();
    if (EGifPutScreenDesc(gif, image->width, image->height, 8, 0, colours) != GIF_OK
        || EGifPutImageDesc(gif, 0, 0, image->width, image->height, false, NULL) != GIF_OK) {
        fail("a GIF's header");
    }
    const uint8_t *pixel = image->pixels;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++, pixel += 3) row[x] = index_of(pixel, x, y);
        if (EGifPutLine(gif, row, image->width) != GIF_OK) fail("a GIF's row");
    }
    if (EGifCloseFile(gif, &error) != GIF_OK) fail("a GIF");
    GifFreeMapObject(colours);
    free(row);
}
