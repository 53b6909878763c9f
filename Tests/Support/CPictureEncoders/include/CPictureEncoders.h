// Pictures for tests, written by the libraries that the tested code reads with.

#ifndef C_PICTURE_ENCODERS_H
#define C_PICTURE_ENCODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int width;
    int height;
    /// Values a pixel: 1 grey, 3 RGB, 4 CMYK.
    int channels;
    bool progressive;
    /// A scan for each component, each in full detail.
    bool separate;
    /// Arithmetic coding in place of Huffman's.
    bool arithmetic;
    /// Stores inks as YCCK instead of CMYK.
    bool ycck;
    /// Rows of blocks between restart markers; 0 for none.
    int restart_rows;
} JPEGLayout;

typedef struct {
    int width;
    int height;
    /// As in the IHDR chunk: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
    int color_type;
    int bit_depth;
    bool interlaced;
    /// The first palette entry, or the colour (1, 1, 1), is transparent.
    bool has_transparent;
} PNGLayout;

typedef struct {
    int width;
    int height;
    bool lossless;
    /// Of colours coded with loss, 0 to 100.
    float quality;
} WebPLayout;

/// Encodes rows of packed values; *bytes is the caller's to free. Gives the count of bytes.
size_t encode_jpeg(const uint8_t *pixels, JPEGLayout layout, uint8_t **bytes);

/// Encodes rows as PNG packs them: big-endian if 16 bits, palette indices if below 8.
/// Palette entry i is (i, 255 - i, i / 2).
size_t encode_png(const uint8_t *rows, PNGLayout layout, uint8_t **bytes);

/// Encodes rows of RGBA as a WebP of the simplest kind that holds them.
size_t encode_webp(const uint8_t *pixels, WebPLayout layout, uint8_t **bytes);

/// ICC profiles.
typedef enum __attribute__((enum_extensibility(closed))) {
    TestProfileStandard,
    TestProfileDisplayP3,
    TestProfileAdobeRGB,
    /// Values are light itself.
    TestProfileLinear,
    /// Adobe's RGB, by a table.
    TestProfileTable,
    /// The same, by a table that is larger than any camera's.
    TestProfileLargeTable,
    TestProfileGrey,
    TestProfileInks,
    /// From one device to another.
    TestProfileLink,
    TestProfileNamedColors,
} TestProfile;

/// Makes a profile; *bytes is the caller's to free. Gives the count of bytes.
size_t make_profile(TestProfile kind, uint8_t **bytes);

/// What Little CMS makes of values from 0 to 1, as those of sRGB: red, green, blue.
void convert_values(
    const uint8_t *profile, size_t count, const double *values, int channels, double *result);

#endif
