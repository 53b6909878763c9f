// Makes the pictures that D1 to D8 decode, the same ones on every machine with the same encoders:
//
//     bench-pictures FOLDER
//
// The folder comes to be when all are written, so that it is whole or not there at all.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writers.h"

static const char *folder;

void *allocate(size_t count) {
    void *memory = malloc(count ? count : 1);
    if (!memory) fail("malloc");
    return memory;
}

void fail(const char *what) {
    perror(what);
    exit(2);
}

static const char *path_of(const char *name) {
    static char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) errno = ENAMETOOLONG, fail(name);
    return path;
}

static FILE *create(const char *name) {
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    if (!file) fail(path);
    return file;
}

static void finish(FILE *file, const char *name) {
    if (ferror(file) || fclose(file)) fail(name);
}

static void jpeg(const char *name, const struct image *image, struct jpeg_layout layout) {
    FILE *file = create(name);
    write_jpeg(file, image, layout);
    finish(file, name);
}

static void png(const char *name, const struct image *image, bool interlaced) {
    FILE *file = create(name);
    write_png(file, image, interlaced);
    finish(file, name);
}

static void webp(const char *name, const struct image *image, bool lossless) {
    FILE *file = create(name);
    write_webp(file, image, lossless);
    finish(file, name);
}

static void gif(const char *name, const struct image *image) {
    FILE *file = create(name);
    write_gif(file, image);
    finish(file, name);
}

static void avif(const char *name, const struct image *image, int columns, int rows) {
    FILE *file = create(name);
    write_avif(file, image, columns, rows);
    finish(file, name);
}

static void make_12_megapixels(void) {
    struct image photo = scene_photo(4000, 3000, 20240601);
    jpeg("j12_base.jpg", &photo, (struct jpeg_layout){.quality = 90});
    jpeg("j12_rst.jpg", &photo, (struct jpeg_layout){.quality = 90, .restarts = true});
    jpeg("j12_444q95.jpg", &photo, (struct jpeg_layout){.quality = 95, .full_colour = true});
    jpeg("j12_prog.jpg", &photo, (struct jpeg_layout){.quality = 90, .progressive = true});
    write_heic(path_of("h12.heic"), &photo);
    avif("a12.avif", &photo, 1, 1);
    avif("a12_tiles.avif", &photo, 8, 6);
    struct image thumbnail = scene_shrunk(&photo, 25);
    struct jpeg_layout with_exif = {.quality = 90};
    uint8_t *exif = exif_with_thumbnail(&thumbnail, &with_exif.exif_count);
    with_exif.exif = exif;
    jpeg("j12_exif.jpg", &photo, with_exif);
    free(exif);
    image_free(&thumbnail);
    image_free(&photo);
}

static void make_2_megapixels(void) {
    struct image photo = scene_photo(1600, 1200, 20240602);
    jpeg("j2_base.jpg", &photo, (struct jpeg_layout){.quality = 88});
    jpeg("j2_prog.jpg", &photo, (struct jpeg_layout){.quality = 88, .progressive = true});
    png("p2_rgb.png", &photo, false);
    png("p2_adam7.png", &photo, true);
    struct image faded = scene_with_alpha(&photo);
    png("p2_rgba.png", &faded, false);
    image_free(&faded);
    struct image screen = scene_screen(1600, 1200, 20240603);
    png("p2_ui.png", &screen, false);
    image_free(&screen);
    webp("w2_lossy.webp", &photo, false);
    webp("w2_lossless.webp", &photo, true);
    write_heic(path_of("h2.heic"), &photo);
    avif("a2.avif", &photo, 1, 1);
    gif("g2.gif", &photo);
    image_free(&photo);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: bench-pictures FOLDER\n");
        return 64;
    }
    // Beside the one that is asked for, as a folder can't be renamed to another disk's.
    static char beside[4000];
    int length = snprintf(beside, sizeof beside, "%s.%d", arguments[1], (int)getpid());
    if (length < 0 || (size_t)length >= sizeof beside) errno = ENAMETOOLONG, fail(arguments[1]);
    if (mkdir(beside, 0777)) fail(beside);
    folder = beside;
    make_12_megapixels();
    make_2_megapixels();
    if (rename(beside, arguments[1])) fail(arguments[1]);
    return 0;
}
