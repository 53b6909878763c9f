#include "thumbnail.h"

#include <limits.h>
#include <md5.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct thumbnail {
    const char *uri, *folder;
    lull_picture *picture;
    lull_picture_info pixels;
    char modified[32], path[PATH_MAX], temporary[PATH_MAX];
    /// The file that is being written, if any, and its next line.
    FILE *file;
    png_structp png;
    png_infop info;
    int row;
    const char *message;
};

struct thumbnail *thumbnail_new(
    const char *uri, const char *folder, const struct original *original, lull_picture *picture) {
    struct thumbnail *thumbnail = calloc(1, sizeof *thumbnail);
    if (!thumbnail) return NULL;
    thumbnail->uri = uri;
    thumbnail->folder = folder;
    thumbnail->picture = picture;
    lull_picture_get(picture, &thumbnail->pixels, sizeof thumbnail->pixels);
    strcpy(thumbnail->modified, original->modified);
    return thumbnail;
}

// MARK: - The original

static int digit(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    if (character >= 'A' && character <= 'F') return character - 'A' + 10;
    return -1;
}

/// Decodes the path of a file's URI; returns whether it is one.
static bool get_path(const char *uri, char *path, size_t size) {
    size_t length = 0;
    if (strncmp(uri, "file:///", 8) != 0) return false;
    for (const char *p = uri + 7; *p; p++) {
        int high = *p == '%' ? digit(p[1]) : -1, low = high >= 0 ? digit(p[2]) : -1;
        if (*p == '%' && (low < 0 || high + low == 0)) return false;
        if (length + 1 >= size) return false;
        path[length++] = low < 0 ? *p : (char)(16 * high + low);
        if (low >= 0) p += 2;
    }
    path[length] = 0;
    return true;
}

/// Whether a file is below the folder of all thumbnails, of which none are made.
static bool is_thumbnail(const char *folder, const char *path) {
    const char *end = strrchr(folder, '/');
    return strncmp(path, folder, (size_t)(end - folder) + 1) == 0;
}

static bool refuse(struct original *original, enum thumbnail_error error, const char *message) {
    original->error = error;
    original->message = message;
    return false;
}

bool thumbnail_find(const char *uri, const char *folder, struct original *original) {
    struct stat status;
    if (!get_path(uri, original->path, sizeof original->path)) {
        return refuse(original, THUMBNAIL_UNSUPPORTED, "Not the URI of a local file");
    }
    if (is_thumbnail(folder, original->path)) {
        return refuse(original, THUMBNAIL_IS_THUMBNAIL, "The file is a thumbnail");
    }
    if (stat(original->path, &status) < 0 || !S_ISREG(status.st_mode)) {
        return refuse(original, THUMBNAIL_INVALID_FORMAT, "The file doesn't exist");
    }
    snprintf(
        original->modified, sizeof original->modified, "%lld", (long long)status.st_mtime);
    return true;
}

// MARK: - Writing

static enum thumbnail_progress fail(struct thumbnail *thumbnail, const char *message) {
    thumbnail->message = message;
    return THUMBNAIL_FAILED;
}

static void add_text(png_text *text, char *key, char *value) {
    text->compression = PNG_TEXT_COMPRESSION_NONE;
    text->key = key;
    text->text = value;
}

static bool open_target(struct thumbnail *thumbnail) {
    char name[33];
    MD5Data((const uint8_t *)thumbnail->uri, strlen(thumbnail->uri), name);
    int count = snprintf(
        thumbnail->path, sizeof thumbnail->path, "%s/%s.png", thumbnail->folder, name);
    if (count >= (int)sizeof thumbnail->path) return false;
    count = snprintf(
        thumbnail->temporary, sizeof thumbnail->temporary, "%s/.lull-XXXXXX", thumbnail->folder);
    int descriptor = count < (int)sizeof thumbnail->temporary ? mkstemp(thumbnail->temporary) : -1;
    if (descriptor < 0) return false;
    thumbnail->file = fdopen(descriptor, "wb");
    if (!thumbnail->file) {
        close(descriptor);
        unlink(thumbnail->temporary);
    }
    return thumbnail->file != NULL;
}

/// Writes the head of the file, which says of what it is a thumbnail.
static void write_head(struct thumbnail *thumbnail) {
    png_uint_32 width = (png_uint_32)thumbnail->pixels.width;
    png_uint_32 height = (png_uint_32)thumbnail->pixels.height;
    png_text texts[2];
    memset(texts, 0, sizeof texts);
    add_text(&texts[0], "Thumb::URI", (char *)(uintptr_t)thumbnail->uri);
    add_text(&texts[1], "Thumb::MTime", thumbnail->modified);
    png_init_io(thumbnail->png, thumbnail->file);
    png_set_IHDR(
        thumbnail->png, thumbnail->info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_text(thumbnail->png, thumbnail->info, texts, 2);
    png_write_info(thumbnail->png, thumbnail->info);
}

static void write_row(struct thumbnail *thumbnail) {
    png_write_row(
        thumbnail->png,
        thumbnail->pixels.pixels + (size_t)thumbnail->row * thumbnail->pixels.stride);
    thumbnail->row++;
}

static bool save(struct thumbnail *thumbnail) {
    FILE *file = thumbnail->file;
    thumbnail->file = NULL;
    bool is_saved = fclose(file) == 0 && rename(thumbnail->temporary, thumbnail->path) == 0;
    if (!is_saved) unlink(thumbnail->temporary);
    return is_saved;
}

static enum thumbnail_progress begin_to_write(struct thumbnail *thumbnail) {
    if (!open_target(thumbnail)) {
        return fail(thumbnail, "The thumbnail can't be saved");
    }
    thumbnail->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    thumbnail->info = thumbnail->png ? png_create_info_struct(thumbnail->png) : NULL;
    if (!thumbnail->info || setjmp(png_jmpbuf(thumbnail->png))) {
        return fail(thumbnail, "The thumbnail can't be written");
    }
    write_head(thumbnail);
    return THUMBNAIL_MORE;
}

static enum thumbnail_progress write_some(struct thumbnail *thumbnail) {
    if (setjmp(png_jmpbuf(thumbnail->png))) {
        return fail(thumbnail, "The thumbnail can't be written");
    }
    if (thumbnail->row < thumbnail->pixels.height) {
        write_row(thumbnail);
        return THUMBNAIL_MORE;
    }
    png_write_end(thumbnail->png, NULL);
    if (save(thumbnail)) return THUMBNAIL_DONE;
    return fail(thumbnail, "The thumbnail can't be saved");
}

enum thumbnail_progress thumbnail_step(struct thumbnail *thumbnail) {
    return thumbnail->png ? write_some(thumbnail) : begin_to_write(thumbnail);
}

const char *thumbnail_message(const struct thumbnail *thumbnail) {
    return thumbnail->message;
}

void thumbnail_free(struct thumbnail *thumbnail) {
    if (!thumbnail) return;
    if (thumbnail->png) png_destroy_write_struct(&thumbnail->png, &thumbnail->info);
    if (thumbnail->file) {
        fclose(thumbnail->file);
        unlink(thumbnail->temporary);
    }
    lull_picture_free(thumbnail->picture);
    free(thumbnail);
}
