#include "CLullHEIF.h"

#include <dlfcn.h>
#include <pthread.h>

// Of programs that link the codecs.
#pragma weak lull_heif_codecs_1

static const HEIFCodecs *codecs;

static void find_codecs(void) {
    const HEIFCodecs *(*find)(void) = lull_heif_codecs_1;
    if (!find) {
        void *library = dlopen("liblull-pictures-heif.so.0", RTLD_NOW | RTLD_LOCAL);
        if (!library) return;
        *(void **)&find = dlsym(library, "lull_heif_codecs_1");
    }
    if (find) codecs = find();
}

bool heif_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_codecs);
    return codecs;
}

HEIFPixels *heif_pixels_new(void) { return heif_is_available() ? codecs->create() : NULL; }

HEIFStatus heif_pixels_decode(
    HEIFPixels *pixels, HEIFBytes coded, HEIFBytes alpha, HEIFExpectation expectation) {
    return codecs->decode(pixels, coded, alpha, expectation);
}

HEIFStatus heif_pixels_write(
    HEIFPixels *pixels, HEIFPart part, uint8_t *rgba, uint32_t row_bytes) {
    return codecs->write(pixels, part, rgba, row_bytes);
}

const char *heif_pixels_message(const HEIFPixels *pixels) { return codecs->message(pixels); }

void heif_pixels_free(HEIFPixels *pixels) { codecs->free(pixels); }
