// A JPEG file that is decoded to a size, a line at a time, so that its reader can stop after any.

#ifndef PHOTO_H
#define PHOTO_H

#include <stdint.h>

/// A file that is being decoded.
struct photo;

enum photo_progress { PHOTO_MORE, PHOTO_DONE, PHOTO_FAILED };

/// Opens a file and reads its head. Its pixels will fit into a width and a height; a photo that is
/// smaller keeps its size. Returns NULL, with errno set, if the file can't be read, and with EINVAL
/// if it isn't a JPEG file, or one of more than 100 megapixels.
struct photo *photo_open(const char *path, int width, int height);

/// The size in pixels, after scaling.
int photo_width(const struct photo *photo);
int photo_height(const struct photo *photo);

/// Decodes some more: a line, or as much of a progressive file. That takes tens of microseconds, or
/// hundreds in a large file.
enum photo_progress photo_decode(struct photo *photo);

/// The finished part, from 0 to 1.
double photo_share(const struct photo *photo);

/// The pixels: blue, green, red and 255, in lines without padding.
const uint8_t *photo_pixels(const struct photo *photo);

/// Gives the pixels away, to be freed with `free`.
uint8_t *photo_take_pixels(struct photo *photo);

void photo_free(struct photo *photo);

#endif
