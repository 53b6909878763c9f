#include "decoders.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "contents.h"
#include "resizer.h"

static int supply(GifFileType *gif, GifByteType *to, int count) {
    struct contents *contents = gif->UserData;
    size_t left = contents->count - contents->position;
    size_t got = (size_t)count < left ? (size_t)count : left;
    memcpy(to, contents->bytes + contents->position, got);
    contents->position += got;
    return (int)got;
}

/// Passes over what stands before the first frame.
static bool find_frame(GifFileType *gif) {
    GifRecordType type;
    while (DGifGetRecordType(gif, &type) == GIF_OK) {
        if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif) == GIF_OK;
        if (type != EXTENSION_RECORD_TYPE) return false;
        int code;
        GifByteType *block;
        int status = DGifGetExtension(gif, &code, &block);
        while (status == GIF_OK && block) status = DGifGetExtensionNext(gif, &block);
        if (status != GIF_OK) return false;
    }
    return false;
}

/// The frame fills the screen and its rows come in order: that is how these pictures were written.
static bool read_rows(GifFileType *gif, int box, struct thumbnail *thumbnail) {
    const ColorMapObject *colours = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
    int width = gif->Image.Width;
    int height = gif->Image.Height;
    if (!colours || colours->ColorCount < 256 || gif->Image.Interlace || width != gif->SWidth
        || height != gif->SHeight) {
        return false;
    }
    int fitted_width, fitted_height;
    fit(width, height, box, &fitted_width, &fitted_height);
    struct resizer resizer;
    if (!resizer_open(
            &resizer, width, height, 3, fitted_width, fitted_height, thumbnail)) {
        return false;
    }
    GifPixelType *indices = malloc((size_t)width);
    uint8_t *row = malloc(3 * (size_t)width);
    for (int y = 0; indices && row && y < height; y++) {
        if (DGifGetLine(gif, indices, width) != GIF_OK) break;
        for (int x = 0; x < width; x++) {
            GifColorType colour = colours->Colors[indices[x]];
            row[3 * x] = colour.Red;
            row[3 * x + 1] = colour.Green;
            row[3 * x + 2] = colour.Blue;
        }
        resizer_add(&resizer, row);
    }
    free(indices);
    free(row);
    return resizer_close(&resizer);
}

static bool decode(const char *path, int box, struct thumbnail *thumbnail) {
    struct contents contents;
    if (!contents_read(&contents, path, SIZE_MAX)) return false;
    int error;
    GifFileType *gif = DGifOpen(&contents, supply, &error);
    bool is_whole = gif && find_frame(gif) && read_rows(gif, box, thumbnail);
    if (gif) DGifCloseFile(gif, &error);
    contents_free(&contents);
    return is_whole;
}

const struct decoder giflib = {.name = "giflib", .decode = decode, .tolerance = 0.05};
