// A picture of the Mandelbrot set, drawn in the lulls of a host's loop: a job for each of its rows.

#ifndef EMBED_C_DRAWING_H
#define EMBED_C_DRAWING_H

#include <lull.h>
#include <stdbool.h>
#include <stddef.h>

/// As many rows as jobs.
#define DRAWING_ROWS 1000

struct drawing;

/// Hands in all rows; NULL if there is no memory or the loop is not one.
struct drawing *drawing_start(lull_loop *loop);

/// How many rows are there.
int drawing_rows(const struct drawing *drawing);

/// The rows' slices so far.
int drawing_slices(const struct drawing *drawing);

bool drawing_is_done(const struct drawing *drawing);

/// The picture as a PGM file, NULL while rows are missing.
const unsigned char *drawing_file(const struct drawing *drawing, size_t *size);

/// To be called when the loop is closed.
void drawing_free(struct drawing *drawing);

#endif
