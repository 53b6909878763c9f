#include "drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 1000
#define MOST_STEPS 1000

struct drawing {
    lull_queue *queue;
    int rows;
    int slices;
    /// Where each row goes on.
    int next_column[DRAWING_ROWS];
    /// The file: a header, and a byte for each pixel.
    size_t header;
    unsigned char file[32 + DRAWING_ROWS * COLUMNS];
};

/// How many steps a point takes to leave, as a grey.
static unsigned char grey(int row, int column) {
    double x0 = -2.2 + 3.0 * column / COLUMNS, y0 = -1.5 + 3.0 * row / DRAWING_ROWS;
    double x = 0, y = 0;
    int step = 0;
    while (step < MOST_STEPS && x * x + y * y < 4) {
        double next = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = next;
        step++;
    }
    return step == MOST_STEPS ? 0 : (unsigned char)(255 - step * 8 % 256);
}

/// Draws as much of a row as the lull has time for.
static lull_progress draw(const lull_slot *slot, uint64_t row, void *context) {
    struct drawing *drawing = context;
    drawing->slices++;
    int *column = &drawing->next_column[row];
    unsigned char *pixels = drawing->file + drawing->header + row * COLUMNS;
    while (*column < COLUMNS) {
        pixels[*column] = grey((int)row, *column);
        ++*column;
        // A point takes some microseconds, and asking some nanoseconds.
        if (*column < COLUMNS && lull_slot_is_over(slot)) return LULL_AGAIN;
    }
    return LULL_DONE;
}

static void row_ended(uint64_t row, lull_end end, void *context) {
    struct drawing *drawing = context;
    if (end == LULL_END_DONE) {
        drawing->rows++;
    } else if (end != LULL_END_CANCELLED) {
        fprintf(stderr, "row %d: %s\n", (int)row, lull_end_text(end));
    }
}

struct drawing *drawing_start(lull_loop *loop) {
    struct drawing *drawing = calloc(1, sizeof *drawing);
    if (!drawing) return NULL;
    drawing->header = (size_t)snprintf(
        (char *)drawing->file, 32, "P5 %d %d 255\n", COLUMNS, DRAWING_ROWS);
    lull_queue_options options;
    lull_queue_options_init(&options, sizeof options);
    options.limit = DRAWING_ROWS;
    options.name = "rows";
    lull_status status = lull_queue_new(loop, &options, &drawing->queue);
    for (uint64_t row = 0; row < DRAWING_ROWS && status == LULL_OK; row++) {
        lull_job job;
        lull_job_init(&job, sizeof job);
        job.key = row;
        job.run = draw;
        job.end = row_ended;
        job.context = drawing;
        status = lull_submit(drawing->queue, &job);
    }
    if (status == LULL_OK) return drawing;
    fprintf(stderr, "lull: %s\n", lull_status_text(status));
    lull_queue_close(drawing->queue);
    free(drawing);
    return NULL;
}

int drawing_rows(const struct drawing *drawing) {
    return drawing->rows;
}

int drawing_slices(const struct drawing *drawing) {
    return drawing->slices;
}

bool drawing_is_done(const struct drawing *drawing) {
    return drawing->rows == DRAWING_ROWS;
}

const unsigned char *drawing_file(const struct drawing *drawing, size_t *size) {
    if (!drawing_is_done(drawing)) return NULL;
    *size = drawing->header + DRAWING_ROWS * COLUMNS;
    return drawing->file;
}

void drawing_free(struct drawing *drawing) {
    free(drawing);
}
