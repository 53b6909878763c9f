#include "rows.h"

#include <gio/gio.h>

#include "../photo.h"

#define MOST_FILES 1000
#define SPACING 8

static char *paths[MOST_FILES];
static double heights[MOST_FILES];
/// The tops of a cycle of the files, and its height.
static double tops[MOST_FILES + 1];
static int files;

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/// Whether a file is a JPEG, by the extension of its name.
static bool is_jpeg(const char *name) {
    static const char *const endings[] = {
        "jpg", "jpeg", "jpe", "jif", "jfif", "jfi", "pjp", "pjpeg",
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < G_N_ELEMENTS(endings); i++)
        if (!g_ascii_strcasecmp(dot + 1, endings[i])) return true;
    return false;
}

bool rows_open(const char *folder) {
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && files < MOST_FILES && (name = g_dir_read_name(dir))) {
        if (is_jpeg(name)) paths[files++] = g_build_filename(folder, name, NULL);
    }
    if (dir) g_dir_close(dir);
    qsort(paths, (size_t)files, sizeof *paths, compare);
    for (int i = 0; i < files; i++) {
        struct photo *photo = photo_open(paths[i], PICTURE_WIDTH, PICTURE_HEIGHT);
        heights[i] = (photo ? photo_height(photo) : 64) + SPACING;
        photo_free(photo);
        tops[i + 1] = tops[i] + heights[i];
    }
    return files > 0;
}

const char *rows_path(int64_t row) {
    return paths[row % files];
}

double rows_height(int64_t row) {
    return heights[row % files];
}

double rows_top(int64_t row) {
    return (double)(row / files) * tops[files] + tops[row % files];
}

int64_t rows_at(double offset) {
    int64_t cycle = (int64_t)(offset / tops[files]);
    int64_t row = cycle * files;
    while (row < ROWS - 1 && rows_top(row + 1) <= offset) row++;
    return row;
}

void rows_tint(int64_t row, uint8_t *pixels, int count) {
    // Three weights of 3/4 to 1, which together are different for many rows.
    unsigned weights[3];
    for (int c = 0; c < 3; c++) weights[c] = 192 + (unsigned)(row * (7 + 6 * c)) % 64;
    for (int i = 0; i < count; i++) {
        uint8_t *pixel = pixels + 4 * i;
        for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(pixel[c] * weights[c] / 255);
    }
}
