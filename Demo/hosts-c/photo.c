#include "photo.h"

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#define MOST_PIXELS 100000000

struct photo {
    FILE *file;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    enum { READING_SCANS, READING_LINES, FINISHED } state;
    int width, height;
    /// The line that libjpeg has decoded, and the sums of those that make up one of the result.
    uint8_t *line;
    uint32_t *sums;
    uint8_t *pixels;
    /// The number of the next line of the result, and of lines in its sums.
    int row, lines;
};

static void fail(j_common_ptr jpeg) {
    longjmp(((struct photo *)jpeg->client_data)->failed, 1);
}

static void say_nothing(j_common_ptr jpeg) {
    (void)jpeg;
}

static int at_least_one(double value) {
    return value < 1 ? 1 : (int)(value + 0.5);
}

/// Chooses the size, and has libjpeg decode no more than it takes.
static void choose_size(struct photo *photo, int width, int height) {
    struct jpeg_decompress_struct *jpeg = &photo->jpeg;
    double across = (double)width / jpeg->image_width, down = (double)height / jpeg->image_height;
    double scale = across < down ? across : down;
    if (scale > 1) scale = 1;
    photo->width = at_least_one(jpeg->image_width * scale);
    photo->height = at_least_one(jpeg->image_height * scale);
    jpeg->scale_num = 1;
    jpeg->scale_denom = 8;
    do {
        jpeg_calc_output_dimensions(jpeg);
        if ((int)jpeg->output_width >= photo->width && (int)jpeg->output_height >= photo->height) {
            break;
        }
        jpeg->scale_num *= 2;
    } while (jpeg->scale_num <= 8);
}

static void *check(struct photo *photo, void *memory) {
    if (!memory) longjmp(photo->failed, ENOMEM);
    return memory;
}

static void begin(struct photo *photo, int width, int height) {
    struct jpeg_decompress_struct *jpeg = &photo->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg_stdio_src(jpeg, photo->file);
    jpeg_read_header(jpeg, TRUE);
    if ((double)jpeg->image_width * jpeg->image_height > MOST_PIXELS) longjmp(photo->failed, 1);
    jpeg->out_color_space = JCS_EXT_BGRA;
    choose_size(photo, width, height);
    // A file in several scans would be read as a whole otherwise, before the first line.
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    photo->state = jpeg->buffered_image ? READING_SCANS : READING_LINES;
    jpeg_start_decompress(jpeg);
    photo->line = check(photo, malloc((size_t)jpeg->output_width * 4));
    photo->sums = check(photo, calloc((size_t)photo->width, 3 * sizeof *photo->sums));
    photo->pixels = check(photo, malloc((size_t)photo->width * (size_t)photo->height * 4));
}

/// Returns 0, or the value with which it has failed.
static int try_to_begin(struct photo *photo, int width, int height) {
    int reason = setjmp(photo->failed);
    if (reason == 0) begin(photo, width, height);
    return reason;
}

struct photo *photo_open(const char *path, int width, int height) {
    struct photo *photo = calloc(1, sizeof *photo);
    if (!photo) return NULL;
    photo->file = fopen(path, "rbe");
    if (!photo->file) {
        free(photo);
        return NULL;
    }
    photo->jpeg.err = jpeg_std_error(&photo->errors);
    photo->jpeg.client_data = photo;
    photo->errors.error_exit = fail;
    photo->errors.output_message = say_nothing;
    int reason = try_to_begin(photo, width, height);
    if (reason == 0) return photo;
    photo_free(photo);
    errno = reason == ENOMEM ? ENOMEM : EINVAL;
    return NULL;
}

int photo_width(const struct photo *photo) {
    return photo->width;
}

int photo_height(const struct photo *photo) {
    return photo->height;
}

/// Adds a line of libjpeg's to the sums of the result's.
static void add_line(struct photo *photo) {
    int from = (int)photo->jpeg.output_width;
    for (int x = 0, i = 0; x < photo->width; x++) {
        uint32_t *sum = photo->sums + 3 * x;
        for (int end = (int)((int64_t)(x + 1) * from / photo->width); i < end; i++) {
            for (int c = 0; c < 3; c++) sum[c] += photo->line[4 * i + c];
        }
    }
    photo->lines++;
}

/// Divides the sums by the number of their pixels.
static void finish_row(struct photo *photo) {
    int from = (int)photo->jpeg.output_width;
    uint8_t *pixel = photo->pixels + (size_t)photo->row * (size_t)photo->width * 4;
    for (int x = 0; x < photo->width; x++, pixel += 4) {
        uint32_t *sum = photo->sums + 3 * x;
        int begin = (int)((int64_t)x * from / photo->width);
        int end = (int)((int64_t)(x + 1) * from / photo->width);
        uint32_t count = (uint32_t)((end - begin) * photo->lines);
        for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)((sum[c] + count / 2) / count);
        pixel[3] = 255;
        sum[0] = sum[1] = sum[2] = 0;
    }
    photo->lines = 0;
    photo->row++;
}

static void read_scans(struct photo *photo) {
    if (jpeg_consume_input(&photo->jpeg) != JPEG_REACHED_EOI) return;
    jpeg_start_output(&photo->jpeg, photo->jpeg.input_scan_number);
    photo->state = READING_LINES;
}

static void read_line(struct photo *photo) {
    struct jpeg_decompress_struct *jpeg = &photo->jpeg;
    JSAMPROW lines[] = {photo->line};
    jpeg_read_scanlines(jpeg, lines, 1);
    add_line(photo);
    int64_t end = (int64_t)(photo->row + 1) * jpeg->output_height / photo->height;
    if (jpeg->output_scanline >= end) finish_row(photo);
    if (photo->row == photo->height) photo->state = FINISHED;
}

enum photo_progress photo_decode(struct photo *photo) {
    if (setjmp(photo->failed)) return PHOTO_FAILED;
    if (photo->state == READING_SCANS) {
        read_scans(photo);
    } else if (photo->state == READING_LINES) {
        read_line(photo);
    }
    return photo->state == FINISHED ? PHOTO_DONE : PHOTO_MORE;
}

double photo_share(const struct photo *photo) {
    return (double)photo->row / photo->height;
}

const uint8_t *photo_pixels(const struct photo *photo) {
    return photo->pixels;
}

uint8_t *photo_take_pixels(struct photo *photo) {
    uint8_t *pixels = photo->pixels;
    photo->pixels = NULL;
    return pixels;
}

void photo_free(struct photo *photo) {
    if (!photo) return;
    jpeg_destroy_decompress(&photo->jpeg);
    fclose(photo->file);
    free(photo->line);
    free(photo->sums);
    free(photo->pixels);
    free(photo);
}
