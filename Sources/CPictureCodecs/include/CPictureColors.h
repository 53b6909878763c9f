// Turns the colours of a decoded picture into those of sRGB.

#ifndef C_PICTURE_COLORS_H
#define C_PICTURE_COLORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The kind of values that a picture's pixels have.
typedef enum __attribute__((enum_extensibility(closed))) {
    PictureColorModelRGB,
    /// Grey, given as RGB.
    PictureColorModelGrey,
    /// Cyan, magenta, yellow and black; 0 is no ink.
    PictureColorModelInks,
} PictureColorModel;

/// A colour space of red, green and blue.
typedef struct {
    /// The chromaticities of its white and its primaries.
    double white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
    /// The power of a value that its light is; 0 for the curve of sRGB.
    double gamma;
} PictureGamut;

/// The colours of a profile, ready to convert pixels. Any thread may use them at any time.
typedef struct PictureColors PictureColors;

/// Opens an ICC profile of at most 4 MB; null if it is sRGB's, damaged, or of no use for such a picture.
///
/// Takes a tenth of a millisecond for the profile of a camera or display, up to 4 milliseconds for one
/// that has tables.
PictureColors *picture_colors_open(
    const uint8_t *profile, size_t count, PictureColorModel model);

/// Opens colours that are described by a few numbers; null if they are those of sRGB.
PictureColors *picture_colors_open_gamut(PictureGamut gamut);

/// Converts pixels of four values, premultiplied unless they are inks, to premultiplied sRGB of 8 bits.
///
/// `pixels` has values of 16 bits in the machine's order if `deep`, else of 8. Without colours, inks are
/// mixed as light is and deep values rounded; others must have colours.
void picture_colors_convert(
    const PictureColors *colors, PictureColorModel model, bool deep, const uint8_t *pixels,
    uint8_t *result, size_t count);

void picture_colors_close(PictureColors *colors);

#endif
