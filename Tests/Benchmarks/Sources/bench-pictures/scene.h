#ifndef BENCH_PICTURES_SCENE_H
#define BENCH_PICTURES_SCENE_H

#include <stdint.h>

/// Packed rows of RGB or RGBA.
struct image {
    uint8_t *pixels;
    int width;
    int height;
    int channels;
};

/// What compresses as a photo does: clouds of every size, things in front of each other with edges
/// and shading, a sky, and the noise of a sensor.
struct image scene_photo(int width, int height, uint64_t seed);

/// What compresses as a picture of a screen does: flat ground, lines and blocks like words.
struct image scene_screen(int width, int height, uint64_t seed);

/// The picture with corners that fade away.
struct image scene_with_alpha(const struct image *image);

/// The picture `times` smaller, by the mean of each square.
struct image scene_shrunk(const struct image *image, int times);

void image_free(struct image *image);

#endif
