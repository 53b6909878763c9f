#ifndef CDECODERS_RESIZER_H
#define CDECODERS_RESIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decoders.h"

/// Shrinks a picture row by row by the mean over each target pixel's area: Lull's arithmetic to
/// the last bit, but with three values a pixel where nothing is transparent.
struct resizer {
    int width, height, channels;
    struct thumbnail *target;
    uint32_t *sums;
    int rows_taken, rows_given;
    bool is_fresh;
};

/// The size of a picture scaled to fit a square, never up.
void fit(int width, int height, int box, int *fitted_width, int *fitted_height);

/// The smallest n for which n/8 of a picture is not smaller than what fits the square.
int eighths_to_fill(int width, int height, int box);

/// Makes the target of the size that `fit` says for the whole picture, whose rows may be scaled
/// down already. False without memory; then nothing is to be closed.
bool resizer_open(
    struct resizer *resizer, int width, int height, int channels, int fitted_width,
    int fitted_height, struct thumbnail *target);

/// Takes the next row.
void resizer_add(struct resizer *resizer, const uint8_t *row);

/// Whether all rows have come.
bool resizer_is_complete(const struct resizer *resizer);

/// Lets go of all but a complete target, and says whether it is complete.
bool resizer_close(struct resizer *resizer);

/// Resizes a picture that is in memory.
bool resize(
    const uint8_t *pixels, int width, int height, int channels, size_t row_bytes, int fitted_width,
    int fitted_height, struct thumbnail *target);

/// Multiplies the colours of a row of RGBA by its alpha.
void premultiply(uint8_t *row, size_t width);

#endif
