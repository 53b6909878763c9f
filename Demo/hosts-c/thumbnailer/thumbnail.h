// The thumbnail of one file, after the freedesktop Thumbnail Managing Standard: a PNG file whose name is
// the MD5 of the URI, written under another name and then renamed, a line at a time.

#ifndef THUMBNAIL_H
#define THUMBNAIL_H

#include <lull-pictures.h>
#include <stdbool.h>
#include <stddef.h>

struct thumbnail;

/// The codes of Thumbnailer1's Error signal, as tumbler has them.
enum thumbnail_error {
    THUMBNAIL_UNSUPPORTED = 0,
    THUMBNAIL_INVALID_FORMAT = 2,
    THUMBNAIL_IS_THUMBNAIL = 3,
    THUMBNAIL_SAVE_FAILED = 4,
    THUMBNAIL_UNSUPPORTED_FLAVOR = 5
};

enum thumbnail_progress { THUMBNAIL_MORE, THUMBNAIL_DONE, THUMBNAIL_FAILED };

/// A file of which a thumbnail is to be made.
struct original {
    char path[4096];
    /// When it was written, in seconds since 1970.
    char modified[32];
    /// Why there is no thumbnail of it.
    enum thumbnail_error error;
    const char *message;
};

/// Finds the file of a URI, if it may have a thumbnail in this folder; returns whether it does.
bool thumbnail_find(const char *uri, const char *folder, struct original *original);

/// Prepares to write a thumbnail into a folder that exists, of pixels that aren't multiplied by alpha; it
/// owns the picture. Returns NULL if there is no memory for it.
struct thumbnail *thumbnail_new(
    const char *uri, const char *folder, const struct original *original, lull_picture *picture);

/// Writes some more: a line.
enum thumbnail_progress thumbnail_step(struct thumbnail *thumbnail);

/// Why it has failed.
const char *thumbnail_message(const struct thumbnail *thumbnail);

/// Frees it; if it isn't done, nothing of it is left in the folder.
void thumbnail_free(struct thumbnail *thumbnail);

#endif
