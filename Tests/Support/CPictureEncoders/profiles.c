#include "CPictureEncoders.h"

#include <stdlib.h>

#include <lcms2.h>

static cmsToneCurve *curve(double gamma) {
    double srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    return gamma > 0 ? cmsBuildGamma(NULL, gamma) : cmsBuildParametricToneCurve(NULL, 4, srgb);
}

static cmsHPROFILE rgb(cmsCIExyYTRIPLE primaries, double gamma) {
    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsToneCurve *tone = curve(gamma);
    cmsToneCurve *curves[] = {tone, tone, tone};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(tone);
    return profile;
}

static cmsHPROFILE adobe(void) {
    cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    return rgb(primaries, 563.0 / 256);
}

static int sample(const cmsUInt16Number in[], cmsUInt16Number out[], void *transform) {
    cmsUInt16Number values[3] = {in[0], in[1], in[2]};
    cmsDoTransform(transform, values, out, 1);
    return 1;
}

static int sample_inks(const cmsUInt16Number in[], cmsUInt16Number out[], void *transform) {
    cmsUInt16Number values[3];
    // Inks that leave a little of what they should take, as real ones do.
    for (int c = 0; c < 3; c++) {
        double light = (1 - in[c] / 65535.0 * 0.9) * (1 - in[3] / 65535.0 * 0.95);
        values[c] = (cmsUInt16Number)(light * 65535);
    }
    cmsDoTransform(transform, values, out, 1);
    return 1;
}

/// A profile of a device that is told by a table.
static cmsHPROFILE table(
    cmsColorSpaceSignature space, cmsProfileClassSignature class, cmsHPROFILE device,
    cmsUInt32Number steps) {
    int channels = space == cmsSigCmykData ? 4 : 3;
    cmsHPROFILE lab = cmsCreateLab2Profile(NULL);
    cmsHTRANSFORM transform = cmsCreateTransform(
        device, TYPE_RGB_16, lab, TYPE_LabV2_16, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    cmsPipeline *pipeline = cmsPipelineAlloc(NULL, (cmsUInt32Number)channels, 3);
    cmsStage *clut = cmsStageAllocCLut16bit(
        NULL, steps, (cmsUInt32Number)channels, 3, NULL);
    cmsStageSampleCLut16bit(clut, channels == 4 ? sample_inks : sample, transform, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END, clut);
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsSetProfileVersion(profile, 2.4);
    cmsSetDeviceClass(profile, class);
    cmsSetColorSpace(profile, space);
    cmsSetPCS(profile, cmsSigLabData);
    cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
    cmsPipelineFree(pipeline);
    cmsDeleteTransform(transform);
    cmsCloseProfile(lab);
    return profile;
}

static cmsHPROFILE made(TestProfile kind) {
    cmsCIExyYTRIPLE p3 = {{0.68, 0.32, 1}, {0.265, 0.69, 1}, {0.15, 0.06, 1}};
    cmsCIExyYTRIPLE srgb = {{0.64, 0.33, 1}, {0.3, 0.6, 1}, {0.15, 0.06, 1}};
    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsHPROFILE profile = NULL;
    cmsHPROFILE device = adobe();
    cmsToneCurve *grey = cmsBuildGamma(NULL, 1.5);
    cmsToneCurve *curves[] = {grey, grey, grey};
    switch (kind) {
    case TestProfileStandard: profile = cmsCreate_sRGBProfile(); break;
    case TestProfileDisplayP3: profile = rgb(p3, 0); break;
    case TestProfileAdobeRGB: profile = adobe(); break;
    case TestProfileLinear: profile = rgb(srgb, 1); break;
    case TestProfileTable: profile = table(cmsSigRgbData, cmsSigDisplayClass, device, 17); break;
    case TestProfileLargeTable:
        profile = table(cmsSigRgbData, cmsSigDisplayClass, device, 48);
        break;
    case TestProfileGrey: profile = cmsCreateGrayProfile(&white, grey); break;
    case TestProfileInks: profile = table(cmsSigCmykData, cmsSigOutputClass, device, 7); break;
    case TestProfileLink: profile = cmsCreateLinearizationDeviceLink(cmsSigRgbData, curves); break;
    case TestProfileNamedColors:
        profile = rgb(p3, 0);
        cmsSetDeviceClass(profile, cmsSigNamedColorClass);
        break;
    }
    cmsFreeToneCurve(grey);
    cmsCloseProfile(device);
    return profile;
}

size_t make_profile(TestProfile kind, uint8_t **bytes) {
    cmsHPROFILE profile = made(kind);
    cmsUInt32Number count = 0;
    if (!profile || !cmsSaveProfileToMem(profile, NULL, &count)) abort();
    *bytes = malloc(count);
    if (!cmsSaveProfileToMem(profile, *bytes, &count)) abort();
    cmsCloseProfile(profile);
    return count;
}

void convert_values(
    const uint8_t *profile, size_t count, const double *values, int channels, double *result) {
    cmsHPROFILE from = cmsOpenProfileFromMem(profile, (cmsUInt32Number)count);
    cmsHPROFILE to = cmsCreate_sRGBProfile();
    cmsUInt32Number format = channels == 4 ? TYPE_CMYK_DBL : channels == 3 ? TYPE_RGB_DBL : TYPE_GRAY_DBL;
    cmsHTRANSFORM transform = cmsCreateTransform(
        from, format, to, TYPE_RGB_DBL, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    if (!transform) abort();
    // Little CMS counts inks in hundredths.
    double scaled[4];
    for (int c = 0; c < channels; c++) scaled[c] = values[c] * (channels == 4 ? 100 : 1);
    cmsDoTransform(transform, scaled, result, 1);
    cmsDeleteTransform(transform);
    cmsCloseProfile(from);
    cmsCloseProfile(to);
}
