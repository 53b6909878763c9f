// Converts the colours of a decoded picture to sRGB.

#ifndef C_PICTURE_COLORS_H
#define C_PICTURE_COLORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The colour model of a picture's pixels.
typedef enum __attribute__((enum_extensibility(closed))) {
    PictureColorModelRGB,
    /// Grey, stored as RGB.
    PictureColorModelGrey,
    /// CMYK: cyan, magenta, yellow and black; 0 is no ink.
    PictureColorModelInks,
} PictureColorModel;

/// An RGB colour space.
typedef struct {
    /// The chromaticities of its white point and primaries.
    double white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
    /// The exponent from values to light; 0 for the curve of sRGB.
    double gamma;
} PictureGamut;

/// A transform from a profile's colours to sRGB. Several threads may use it at the same time.
typedef struct PictureColors PictureColors;

/// Opens an ICC profile of at most 4 MB; returns null if it is sRGB's, damaged, or unsuitable for
/// such a picture.
///
/// It takes 0.1 ms for the profile of a camera or display, and up to 4 ms for one with tables.
PictureColors *picture_colors_open(
    const uint8_t *profile, size_t count, PictureColorModel model);

/// Opens a colour space that is described by a few numbers; returns null if it is sRGB.
PictureColors *picture_colors_open_gamut(PictureGamut gamut);

/// Converts pixels of four values, premultiplied unless they are CMYK, to premultiplied 8-bit sRGB.
///
/// `pixels` has 16-bit values in native order if `deep`, else 8-bit values. If `colors` is null,
/// CMYK is converted by multiplication, and deep values are rounded; other pixels require `colors`.
void picture_colors_convert(
    const PictureColors *colors, PictureColorModel model, bool deep, const uint8_t *pixels,
    uint8_t *result, size_t count);

void picture_colors_close(PictureColors *colors);

/// Writes the MD5 digest of some bytes, 16 bytes, by the library's code for profiles.
void picture_md5(const uint8_t *bytes, size_t count, uint8_t *digest);

#endif
