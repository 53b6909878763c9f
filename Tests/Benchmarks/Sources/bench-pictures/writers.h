#ifndef BENCH_PICTURES_WRITERS_H
#define BENCH_PICTURES_WRITERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scene.h"

/// Memory, or the end of the program.
void *allocate(size_t count);

/// Says what went wrong, and ends the program.
_Noreturn void fail(const char *what);

struct jpeg_layout {
    int quality;
    /// Full resolution for colours, not half of it.
    bool full_colour;
    bool progressive;
    /// A restart marker after each row of blocks.
    bool restarts;
    /// The body of an APP1 segment, if there is one.
    const uint8_t *exif;
    size_t exif_count;
};

void write_jpeg(FILE *file, const struct image *image, struct jpeg_layout layout);

/// The body of an APP1 segment: the picture is to be turned clockwise by a quarter (orientation 6),
/// and has a thumbnail. The caller frees it.
uint8_t *exif_with_thumbnail(const struct image *thumbnail, size_t *count);

void write_png(FILE *file, const struct image *image, bool interlaced);

void write_webp(FILE *file, const struct image *image, bool lossless);

void write_heic(const char *path, const struct image *image);

/// In as many tiles, at most 64, which must be of equal sizes.
void write_avif(FILE *file, const struct image *image, int columns, int rows);

/// With a fixed palette of 252 colours, dithered.
void write_gif(FILE *file, const struct image *image);

#endif
