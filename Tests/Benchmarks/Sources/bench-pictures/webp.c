#include "writers.h"

#include <webp/encode.h>

void write_webp(FILE *file, const struct image *image, bool lossless) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter output;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) fail("libwebp's version");
    config.quality = 80;
    config.method = 4;
    config.lossless = lossless;
    picture.use_argb = lossless;
    picture.width = image->width;
    picture.height = image->height;
    WebPMemoryWriterInit(&output);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &output;
    if (!WebPPictureImportRGB(&picture, image->pixels, 3 * image->width)) fail("libwebp");
    if (!WebPEncode(&config, &picture)) fail("libwebp");
    if (fwrite(output.mem, 1, output.size, file) != output.size) fail("a WebP file");
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&output);
}
