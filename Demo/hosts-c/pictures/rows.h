// A hundred thousand rows that show the photos of a folder again and again, each in another tint.

#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

#define ROWS 100000

/// The width of a row's picture, and its greatest height, in px.
#define PICTURE_WIDTH 96
#define PICTURE_HEIGHT 112

/// Finds the JPEG files of a folder and their sizes; returns whether there are any.
bool rows_open(const char *folder);

/// The file that a row shows.
const char *rows_path(int64_t row);

/// The height and the top of a row, in px; the top of `ROWS` is the height of all.
double rows_height(int64_t row);
double rows_top(int64_t row);

/// The row at an offset.
int64_t rows_at(double offset);

/// Tints a row's pixels, each of which has blue, green, red and alpha.
void rows_tint(int64_t row, uint8_t *pixels, int count);

#endif
