// The thumbnail of one file, made step by step, after the freedesktop Thumbnail Managing Standard:
// a PNG file whose name is the MD5 of the URI, written under another name and then renamed.

#ifndef THUMBNAIL_H
#define THUMBNAIL_H

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

/// Prepares a thumbnail of at most `size` by `size` px in a folder that exists. Returns NULL if
/// there is no memory for it.
struct thumbnail *thumbnail_new(const char *uri, const char *folder, int size);

/// Does some more: opens the file, decodes a line, or writes one.
enum thumbnail_progress thumbnail_step(struct thumbnail *thumbnail);

/// Why it has failed.
enum thumbnail_error thumbnail_error(const struct thumbnail *thumbnail);
const char *thumbnail_message(const struct thumbnail *thumbnail);

/// Frees it; if it isn't done, nothing of it is left in the folder.
void thumbnail_free(struct thumbnail *thumbnail);

#endif
