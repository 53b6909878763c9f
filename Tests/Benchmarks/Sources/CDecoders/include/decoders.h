// From a file to a thumbnail, by other libraries: what Lull is compared with.

#ifndef CDECODERS_DECODERS_H
#define CDECODERS_DECODERS_H

#include <stdbool.h>
#include <stdint.h>

/// Rows of RGBA. The pixels are the caller's to free; NULL if a decoder only goes part of the way.
struct thumbnail {
    uint8_t *pixels;
    int width;
    int height;
};

/// Decodes a file to fit a square; says whether that went well.
typedef bool decode_function(const char *path, int box, struct thumbnail *thumbnail);

struct decoder {
    /// As it is called in the figures.
    const char *name;
    decode_function *decode;
    /// How far, on average over all values of all pixels, its thumbnail may be from another's.
    double tolerance;
};

// MARK: JPEG

/// Entropy decoding of the whole file, nothing else: the coefficients, as libjpeg keeps them.
extern const struct decoder huffman;
/// TurboJPEG at full size, then an area resize.
extern const struct decoder turbojpeg;
/// TurboJPEG scaled by its transform, then an area resize.
extern const struct decoder turbojpeg_scaled;
/// libjpeg's rows, scaled by its transform, resized as they come.
extern const struct decoder libjpeg;
/// The same of a progressive file as soon as there is a value for each block.
extern const struct decoder libjpeg_first;
/// The thumbnail in a camera's file, by a walk through its segments, and TurboJPEG.
extern const struct decoder exif;

// MARK: PNG, WebP, GIF

/// libpng's rows, resized as they come: three values a pixel where nothing is transparent.
extern const struct decoder libpng;
/// The same with four values a pixel always, as Lull's pictures have.
extern const struct decoder libpng_rgba;
/// The pixel data of a PNG file inflated by zlib, nothing else.
extern const struct decoder inflation;
/// libwebp, scaled while it decodes.
extern const struct decoder libwebp;
/// libwebp at full size, then an area resize.
extern const struct decoder libwebp_full;
/// giflib's lines, resized as they come.
extern const struct decoder giflib;

// MARK: HEIC, AVIF

/// libheif at full size, then an area resize.
extern const struct decoder libheif;
/// libavif at full size, then an area resize.
extern const struct decoder libavif;

// MARK: Memory

/// The memory of this process that is resident now, and the most that ever was; in KiB.
long resident_kib(void);
long peak_resident_kib(void);

/// Has this process keep what it frees, so that who decodes next finds it there.
void keep_freed_memory(void);

// MARK: Time

/// The CPU time that the calling thread has used, in nanoseconds.
uint64_t thread_cpu_ns(void);

/// Runs a program with one argument and waits for it; says whether it ended well.
bool run_program(const char *path, const char *argument);

#endif
