#include "thumbnail.h"

#include <errno.h>
#include <limits.h>
#include <md5.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../photo.h"

struct thumbnail {
    char *uri;
    const char *folder;
    int size;
    enum { OPENING, DECODING, WRITING } stage;
    struct photo *photo;
    char path[PATH_MAX], temporary[PATH_MAX];
    /// The file that is being written, if any, its next line, and the source's time.
    FILE *file;
    png_structp png;
    png_infop info;
    int row;
    char modified[32];
    enum thumbnail_error error;
    const char *message;
};

struct thumbnail *thumbnail_new(const char *uri, const char *folder, int size) {
    struct thumbnail *thumbnail = calloc(1, sizeof *thumbnail);
    if (!thumbnail) return NULL;
    thumbnail->uri = strdup(uri);
    thumbnail->folder = folder;
    thumbnail->size = size;
    if (thumbnail->uri) return thumbnail;
    free(thumbnail);
    return NULL;
}

static enum thumbnail_progress fail(
    struct thumbnail *thumbnail, enum thumbnail_error error, const char *message) {
    thumbnail->error = error;
    thumbnail->message = message;
    return THUMBNAIL_FAILED;
}

// MARK: - Opening

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
static bool is_thumbnail(const struct thumbnail *thumbnail, const char *path) {
    const char *end = strrchr(thumbnail->folder, '/');
    return strncmp(path, thumbnail->folder, (size_t)(end - thumbnail->folder) + 1) == 0;
}

static enum thumbnail_progress open_source(struct thumbnail *thumbnail) {
    char path[PATH_MAX];
    struct stat status;
    if (!get_path(thumbnail->uri, path, sizeof path)) {
        return fail(thumbnail, THUMBNAIL_UNSUPPORTED, "Not the URI of a local file");
    }
    if (is_thumbnail(thumbnail, path)) {
        return fail(thumbnail, THUMBNAIL_IS_THUMBNAIL, "The file is a thumbnail");
    }
    // A pipe would never come to its end.
    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode)) {
        return fail(thumbnail, THUMBNAIL_INVALID_FORMAT, "The file doesn't exist");
    }
    snprintf(thumbnail->modified, sizeof thumbnail->modified, "%lld", (long long)status.st_mtime);
    thumbnail->photo = photo_open(path, thumbnail->size, thumbnail->size);
    if (!thumbnail->photo) {
        const char *message =
            errno == EINVAL ? "The file isn't a JPEG image" : "The file can't be read";
        return fail(thumbnail, THUMBNAIL_INVALID_FORMAT, message);
    }
    thumbnail->stage = DECODING;
    return THUMBNAIL_MORE;
}

// MARK: - Writing

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
    png_uint_32 width = (png_uint_32)photo_width(thumbnail->photo);
    png_uint_32 height = (png_uint_32)photo_height(thumbnail->photo);
    png_text texts[3];
    memset(texts, 0, sizeof texts);
    add_text(&texts[0], "Thumb::URI", thumbnail->uri);
    add_text(&texts[1], "Thumb::MTime", thumbnail->modified);
    add_text(&texts[2], "Thumb::Mimetype", "image/jpeg");
    png_init_io(thumbnail->png, thumbnail->file);
    png_set_IHDR(
        thumbnail->png, thumbnail->info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_text(thumbnail->png, thumbnail->info, texts, 3);
    png_write_info(thumbnail->png, thumbnail->info);
    png_set_bgr(thumbnail->png);
}

static void write_row(struct thumbnail *thumbnail) {
    size_t bytes = (size_t)photo_width(thumbnail->photo) * 4;
    png_write_row(
        thumbnail->png, photo_pixels(thumbnail->photo) + (size_t)thumbnail->row * bytes);
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
        return fail(thumbnail, THUMBNAIL_SAVE_FAILED, "The thumbnail can't be saved");
    }
    thumbnail->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    thumbnail->info = thumbnail->png ? png_create_info_struct(thumbnail->png) : NULL;
    if (!thumbnail->info || setjmp(png_jmpbuf(thumbnail->png))) {
        return fail(thumbnail, THUMBNAIL_SAVE_FAILED, "The thumbnail can't be written");
    }
    write_head(thumbnail);
    thumbnail->stage = WRITING;
    return THUMBNAIL_MORE;
}

static enum thumbnail_progress write_some(struct thumbnail *thumbnail) {
    if (setjmp(png_jmpbuf(thumbnail->png))) {
        return fail(thumbnail, THUMBNAIL_SAVE_FAILED, "The thumbnail can't be written");
    }
    if (thumbnail->row < photo_height(thumbnail->photo)) {
        write_row(thumbnail);
        return THUMBNAIL_MORE;
    }
    png_write_end(thumbnail->png, NULL);
    if (save(thumbnail)) return THUMBNAIL_DONE;
    return fail(thumbnail, THUMBNAIL_SAVE_FAILED, "The thumbnail can't be saved");
}

// MARK: - All steps

enum thumbnail_progress thumbnail_step(struct thumbnail *thumbnail) {
    switch (thumbnail->stage) {
    case OPENING: return open_source(thumbnail);
    case WRITING: return write_some(thumbnail);
    case DECODING: break;
    }
    switch (photo_decode(thumbnail->photo)) {
    case PHOTO_FAILED:
        return fail(thumbnail, THUMBNAIL_INVALID_FORMAT, "The file can't be decoded");
    case PHOTO_DONE: return begin_to_write(thumbnail);
    case PHOTO_MORE: break;
    }
    return THUMBNAIL_MORE;
}

enum thumbnail_error thumbnail_error(const struct thumbnail *thumbnail) {
    return thumbnail->error;
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
    photo_free(thumbnail->photo);
    free(thumbnail->uri);
    free(thumbnail);
}
