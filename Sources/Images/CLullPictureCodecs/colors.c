// Colour management by Little CMS, except for the profiles of cameras and displays: these amount to
// a table and a 3x3 matrix, which convert a picture in less time than the library's preparation.

#include "CPictureColors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>
#include <lcms2_plugin.h>

/// The number of steps of linear light in the table that encodes it as sRGB.
enum { light_steps = 1 << 14 };

struct PictureColors {
    cmsContext context;
    cmsHPROFILE profile;
    /// The transform of a profile with tables; else null.
    cmsHTRANSFORM transform;
    /// The curves from values to linear light, and their results for all 8-bit values.
    const cmsToneCurve *curves[3];
    float light[3][256];
    /// The matrix to linear sRGB, and the table from there to sRGB values.
    float matrix[3][3];
    uint8_t values[light_steps + 1];
};

// MARK: Bounds

enum {
    // A profile of some kilobytes may claim a table of gigabytes.
    max_allocation = 4 << 20,
    // 17 steps for each channel of CMYK, as the most exact profiles have; 4 milliseconds.
    max_table = 560 << 10,
};

static void *allocate(cmsContext context, cmsUInt32Number count) {
    (void)context;
    return count <= max_allocation ? malloc(count) : NULL;
}

static void *reallocate(cmsContext context, void *memory, cmsUInt32Number count) {
    (void)context;
    return count <= max_allocation ? realloc(memory, count) : NULL;
}

static void release(cmsContext context, void *memory) {
    (void)context;
    free(memory);
}

/// Returns whether a profile can describe the colours of such pictures.
static bool is_suitable(cmsHPROFILE profile, PictureColorModel model) {
    cmsProfileClassSignature class = cmsGetDeviceClass(profile);
    bool is_device = class == cmsSigInputClass || class == cmsSigDisplayClass
        || class == cmsSigOutputClass || class == cmsSigColorSpaceClass;
    cmsColorSpaceSignature inner = cmsGetPCS(profile);
    if (!is_device || (inner != cmsSigXYZData && inner != cmsSigLabData)) return false;
    // Chains of calculations, which hardly any profile has, may take any time for each pixel.
    static const cmsTagSignature chains[] = {
        cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        if (cmsIsTag(profile, chains[i])) return false;
    }
    if (cmsReadRawTag(profile, cmsSigAToB0Tag, NULL, 0) > max_table) return false;
    cmsColorSpaceSignature space = cmsGetColorSpace(profile);
    static const cmsColorSpaceSignature spaces[] = {
        [PictureColorModelRGB] = cmsSigRgbData,
        [PictureColorModelGrey] = cmsSigGrayData,
        [PictureColorModelInks] = cmsSigCmykData};
    return space == spaces[model];
}

// MARK: Curves and a matrix

static bool find_grey(PictureColors *self) {
    if (cmsGetPCS(self->profile) != cmsSigXYZData) return false;
    for (int c = 0; c < 3; c++) {
        self->curves[c] = cmsReadTag(self->profile, cmsSigGrayTRCTag);
        self->matrix[c][c] = 1;
    }
    return self->curves[0];
}

static bool find_primaries(PictureColors *self) {
    static const cmsTagSignature curves[] = {
        cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    static const cmsTagSignature colorants[] = {
        cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    // The matrix from the profiles' XYZ, relative to D50, to linear sRGB.
    static const double rows[3][3] = {
        {3.1338561, -1.6168667, -0.4906146},
        {-0.9787684, 1.9161415, 0.0334540},
        {0.0719453, -0.2289914, 1.4052427},
    };
    for (int from = 0; from < 3; from++) {
        self->curves[from] = cmsReadTag(self->profile, curves[from]);
        const cmsCIEXYZ *xyz = cmsReadTag(self->profile, colorants[from]);
        if (!self->curves[from] || !xyz) return false;
        for (int to = 0; to < 3; to++) {
            self->matrix[to][from] =
                (float)(rows[to][0] * xyz->X + rows[to][1] * xyz->Y + rows[to][2] * xyz->Z);
            if (!isfinite(self->matrix[to][from])) return false;
        }
    }
    return true;
}

/// Returns the linear light of an sRGB value, both from 0 to 1.
static double srgb_light(double value) {
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static void make_tables(PictureColors *self) {
    for (int c = 0; c < 3; c++) {
        for (int value = 0; value < 256; value++) {
            float light = cmsEvalToneCurveFloat(self->curves[c], (float)value / 255);
            self->light[c][value] = light;
        }
    }
    size_t start = 0;
    for (int value = 0; value < 256; value++) {
        double end = value < 255 ? srgb_light((value + 0.5) / 255) * light_steps : light_steps + 1;
        for (; (double)start < end; start++) self->values[start] = (uint8_t)value;
    }
}

static inline uint8_t encoded(
    const PictureColors *self, int to, float red, float green, float blue) {
    const float *row = self->matrix[to];
    float light = row[0] * red + row[1] * green + row[2] * blue;
    // NaN, which a damaged curve may give, becomes black.
    if (!(light > 0)) return 0;
    return light < 1 ? self->values[(int)(light * light_steps + 0.5f)] : 255;
}

static inline void convert_value(
    const PictureColors *self, const uint8_t *straight, uint8_t *result) {
    float red = self->light[0][straight[0]];
    float green = self->light[1][straight[1]];
    float blue = self->light[2][straight[2]];
    for (int c = 0; c < 3; c++) result[c] = encoded(self, c, red, green, blue);
}

/// Returns whether values are unchanged within the last bit, by which profiles of sRGB differ.
static bool is_srgb(const PictureColors *self) {
    enum { levels = 6 };
    for (int i = 0; i < levels * levels * levels + 256; i++) {
        int grey = i - levels * levels * levels;
        uint8_t value[] = {
            (uint8_t)(grey < 0 ? i % levels * 51 : grey),
            (uint8_t)(grey < 0 ? i / levels % levels * 51 : grey),
            (uint8_t)(grey < 0 ? i / levels / levels * 51 : grey)};
        uint8_t result[3];
        convert_value(self, value, result);
        for (int c = 0; c < 3; c++) {
            if (abs(result[c] - value[c]) > 1) return false;
        }
    }
    return true;
}

// MARK: Opening

static bool prepare(PictureColors *self, PictureColorModel model) {
    if (!self->profile || !is_suitable(self->profile, model)) return false;
    bool is_grey = cmsGetColorSpace(self->profile) == cmsSigGrayData;
    bool has_tables = cmsIsTag(self->profile, cmsSigAToB0Tag);
    if (is_grey || (!has_tables && cmsIsMatrixShaper(self->profile))) {
        if (!(is_grey ? find_grey(self) : find_primaries(self))) return false;
        make_tables(self);
        return !is_srgb(self);
    }
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(self->context);
    cmsUInt32Number format = model == PictureColorModelInks ? TYPE_CMYK_8 : TYPE_RGB_16;
    // Optimising takes longer than converting a thumbnail.
    self->transform = cmsCreateTransformTHR(
        self->context, self->profile, format, srgb, TYPE_RGB_8, INTENT_PERCEPTUAL,
        cmsFLAGS_NOOPTIMIZE);
    if (srgb) cmsCloseProfile(srgb);
    cmsCloseProfile(self->profile);
    self->profile = NULL;
    return self->transform;
}

static PictureColors *opened(void) {
    PictureColors *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    cmsPluginMemHandler memory = {
        .base = {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL},
        .MallocPtr = allocate,
        .FreePtr = release,
        .ReallocPtr = reallocate,
    };
    // Errors are ignored, as is the default of a separate context.
    self->context = cmsCreateContext(&memory, NULL);
    if (self->context) return self;
    free(self);
    return NULL;
}

PictureColors *picture_colors_open(
    const uint8_t *profile, size_t count, PictureColorModel model) {
    PictureColors *self = opened();
    if (!self) return NULL;
    self->profile = cmsOpenProfileFromMemTHR(self->context, profile, (cmsUInt32Number)count);
    if (prepare(self, model)) return self;
    picture_colors_close(self);
    return NULL;
}

PictureColors *picture_colors_open_gamut(PictureGamut gamut) {
    PictureColors *self = opened();
    if (!self) return NULL;
    cmsCIExyY white = {gamut.white_x, gamut.white_y, 1};
    cmsCIExyYTRIPLE primaries = {
        {gamut.red_x, gamut.red_y, 1},
        {gamut.green_x, gamut.green_y, 1},
        {gamut.blue_x, gamut.blue_y, 1}};
    double srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = gamut.gamma > 0
        ? cmsBuildGamma(self->context, gamut.gamma)
        : cmsBuildParametricToneCurve(self->context, 4, srgb);
    cmsToneCurve *curves[] = {curve, curve, curve};
    if (curve) {
        self->profile = cmsCreateRGBProfileTHR(self->context, &white, &primaries, curves);
        cmsFreeToneCurve(curve);
    }
    if (prepare(self, PictureColorModelRGB)) return self;
    picture_colors_close(self);
    return NULL;
}

void picture_colors_close(PictureColors *self) {
    if (self->transform) cmsDeleteTransform(self->transform);
    if (self->profile) cmsCloseProfile(self->profile);
    cmsDeleteContext(self->context);
    free(self);
}

// MARK: Converting

/// Returns a premultiplied value divided by alpha; 0 if the pixel is fully transparent.
static inline unsigned straight(unsigned value, unsigned alpha, unsigned full) {
    if (alpha == full) return value;
    if (alpha == 0) return 0;
    unsigned result = (value * full + alpha / 2) / alpha;
    return result < full ? result : full;
}

static inline void premultiply(uint8_t *pixel, unsigned alpha) {
    for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)((pixel[c] * alpha + 127) / 255);
    pixel[3] = (uint8_t)alpha;
}

static inline void convert_bytes(
    const PictureColors *self, const uint8_t *pixel, uint8_t *result) {
    unsigned alpha = pixel[3];
    uint8_t value[3];
    for (int c = 0; c < 3; c++) value[c] = (uint8_t)straight(pixel[c], alpha, 0xFF);
    if (self->transform) {
        uint16_t words[] = {
            (uint16_t)(value[0] * 257), (uint16_t)(value[1] * 257), (uint16_t)(value[2] * 257)};
        cmsDoTransform(self->transform, words, result, 1);
    } else {
        convert_value(self, value, result);
    }
    premultiply(result, alpha);
}

static void convert_words(const PictureColors *self, const uint8_t *pixel, uint8_t *result) {
    uint16_t words[4];
    memcpy(words, pixel, sizeof words);
    unsigned alpha = (words[3] + 128U) / 257;
    if (!self) {
        for (int c = 0; c < 3; c++) result[c] = (uint8_t)((words[c] + 128) / 257);
        result[3] = (uint8_t)alpha;
        return;
    }
    for (int c = 0; c < 3; c++) words[c] = (uint16_t)straight(words[c], words[3], 0xFFFF);
    if (self->transform) {
        cmsDoTransform(self->transform, words, result, 1);
    } else {
        float light[3];
        for (int c = 0; c < 3; c++) {
            light[c] = cmsEvalToneCurveFloat(self->curves[c], (float)words[c] / 65535);
        }
        for (int c = 0; c < 3; c++) result[c] = encoded(self, c, light[0], light[1], light[2]);
    }
    premultiply(result, alpha);
}

static void convert_inks(const PictureColors *self, const uint8_t *inks, uint8_t *result) {
    if (self) {
        cmsDoTransform(self->transform, inks, result, 1);
    } else {
        unsigned light = 0xFFU - inks[3];
        for (int c = 0; c < 3; c++) {
            result[c] = (uint8_t)(((0xFFU - inks[c]) * light + 127) / 255);
        }
    }
    result[3] = 0xFF;
}

void picture_colors_convert(
    const PictureColors *colors, PictureColorModel model, bool deep, const uint8_t *pixels,
    uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += deep ? 8 : 4, result += 4) {
        if (model == PictureColorModelInks) {
            convert_inks(colors, pixels, result);
        } else if (deep) {
            convert_words(colors, pixels, result);
        } else {
            convert_bytes(colors, pixels, result);
        }
    }
}

void picture_md5(const uint8_t *bytes, size_t count, uint8_t *digest) {
    cmsHANDLE sum = cmsMD5alloc(NULL);
    if (!sum) abort();
    cmsMD5add(sum, bytes, (cmsUInt32Number) count);
    cmsProfileID id;
    cmsMD5finish(&id, sum);
    memcpy(digest, id.ID8, sizeof id.ID8);
}
