#include "resizer.h"

#include <stdlib.h>
#include <string.h>

void fit(int width, int height, int box, int *fitted_width, int *fitted_height) {
    int limit_x = box < width ? box : width;
    int limit_y = box < height ? box : height;
    if ((int64_t)limit_x * height <= (int64_t)limit_y * width) {
        int64_t scaled = (2 * (int64_t)height * limit_x + width) / (2 * (int64_t)width);
        *fitted_width = limit_x;
        *fitted_height = scaled > 1 ? (int)scaled : 1;
    } else {
        int64_t scaled = (2 * (int64_t)width * limit_y + height) / (2 * (int64_t)height);
        *fitted_width = scaled > 1 ? (int)scaled : 1;
        *fitted_height = limit_y;
    }
}

int eighths_to_fill(int width, int height, int box) {
    int fitted_width, fitted_height;
    fit(width, height, box, &fitted_width, &fitted_height);
    for (int n = 1; n < 8; n++) {
        if ((width * n + 7) / 8 >= fitted_width && (height * n + 7) / 8 >= fitted_height) return n;
    }
    return 8;
}

bool resizer_open(
    struct resizer *resizer, int width, int height, int channels, int fitted_width,
    int fitted_height, struct thumbnail *target) {
    *target = (struct thumbnail){
        .pixels = malloc(4 * (size_t)fitted_width * (size_t)fitted_height),
        .width = fitted_width,
        .height = fitted_height,
    };
    *resizer = (struct resizer){
        .width = width,
        .height = height,
        .channels = channels,
        .target = target,
        .sums = malloc((size_t)width * (size_t)channels * sizeof(uint32_t)),
        .is_fresh = true,
    };
    if (target->pixels && resizer->sums) return true;
    resizer_close(resizer);
    return false;
}

// A source row is as long as the target has rows, a target row as the source has; along a row
// likewise. So all lengths are whole.

static void add_length(struct resizer *resizer, const uint8_t *row, uint32_t length) {
    size_t count = (size_t)resizer->width * (size_t)resizer->channels;
    uint32_t *sums = resizer->sums;
    if (resizer->is_fresh) {
        for (size_t i = 0; i < count; i++) sums[i] = row[i] * length;
    } else {
        for (size_t i = 0; i < count; i++) sums[i] += row[i] * length;
    }
    resizer->is_fresh = false;
}

static inline __attribute__((always_inline)) void give_means(
    struct resizer *resizer, int channels) {
    int64_t sources = resizer->width;
    int64_t targets = resizer->target->width;
    double scale = 1 / (double)(sources * resizer->height);
    size_t offset = 4 * (size_t)resizer->rows_given * (size_t)targets;
    uint8_t *to = resizer->target->pixels + offset;
    for (int64_t target = 0; target < targets; target++, to += 4) {
        int64_t start = target * sources;
        int64_t end = start + sources;
        int64_t first = start / targets;
        int64_t last = (end - 1) / targets;
        int64_t before = start - first * targets;
        int64_t after = (last + 1) * targets - end;
        for (int c = 0; c < channels; c++) {
            const uint32_t *sums = resizer->sums + c;
            int64_t sum = 0;
            for (int64_t x = first; x <= last; x++) sum += sums[x * channels];
            sum = sum * targets - sums[first * channels] * before - sums[last * channels] * after;
            to[c] = (uint8_t)((double)sum * scale + (0.5 + 1e-11));
        }
        if (channels == 3) to[3] = 0xFF;
    }
}

static void give_row(struct resizer *resizer) {
    if (resizer->channels == 4) {
        give_means(resizer, 4);
    } else {
        give_means(resizer, 3);
    }
    resizer->rows_given++;
    resizer->is_fresh = true;
}

void resizer_add(struct resizer *resizer, const uint8_t *row) {
    int64_t targets = resizer->target->height;
    int64_t sources = resizer->height;
    int64_t end = ++resizer->rows_taken * targets;
    int64_t boundary = (resizer->rows_given + 1) * sources;
    int64_t below = end > boundary ? end - boundary : 0;
    add_length(resizer, row, (uint32_t)(targets - below));
    if (end < boundary) return;
    give_row(resizer);
    if (below) add_length(resizer, row, (uint32_t)below);
}

bool resizer_is_complete(const struct resizer *resizer) {
    return resizer->rows_taken == resizer->height;
}

bool resizer_close(struct resizer *resizer) {
    bool is_complete = resizer->sums && resizer_is_complete(resizer);
    free(resizer->sums);
    resizer->sums = NULL;
    if (!is_complete) {
        free(resizer->target->pixels);
        resizer->target->pixels = NULL;
    }
    return is_complete;
}

bool resize(
    const uint8_t *pixels, int width, int height, int channels, size_t row_bytes, int fitted_width,
    int fitted_height, struct thumbnail *target) {
    struct resizer resizer;
    if (!resizer_open(
            &resizer, width, height, channels, fitted_width, fitted_height, target)) {
        return false;
    }
    for (int y = 0; y < height; y++) resizer_add(&resizer, pixels + (size_t)y * row_bytes);
    return resizer_close(&resizer);
}

void premultiply(uint8_t *row, size_t width) {
    for (size_t x = 0; x < width; x++, row += 4) {
        unsigned alpha = row[3];
        if (alpha == 0xFF) continue;
        for (int c = 0; c < 3; c++) row[c] = (uint8_t)((row[c] * alpha + 127) / 255);
    }
}
