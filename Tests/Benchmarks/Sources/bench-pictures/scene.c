#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "writers.h"

static struct image image_make(int width, int height, int channels) {
    size_t count = (size_t)width * (size_t)height * (size_t)channels;
    return (struct image){allocate(count), width, height, channels};
}

void image_free(struct image *image) {
    free(image->pixels);
    image->pixels = NULL;
}

// MARK: Clouds

/// Adds noise that varies over `cell` pixels to a plane, smoothly in between.
static void add_octave(
    float *plane, int width, int height, int cell, float amplitude, struct random *random) {
    int columns = width / cell + 2;
    int rows = height / cell + 2;
    float *grid = allocate((size_t)columns * (size_t)rows * sizeof *grid);
    for (int i = 0; i < columns * rows; i++) grid[i] = amplitude * random_normal(random);
    for (int y = 0; y < height; y++) {
        float v = (float)(y % cell) / (float)cell;
        v = v * v * (3 - 2 * v);
        const float *above = grid + (size_t)(y / cell) * (size_t)columns;
        const float *below = above + columns;
        float *row = plane + (size_t)y * (size_t)width;
        for (int column = 0; column * cell < width; column++) {
            float left = above[column] + v * (below[column] - above[column]);
            float right = above[column + 1] + v * (below[column + 1] - above[column + 1]);
            int first = column * cell;
            int end = first + cell < width ? first + cell : width;
            for (int x = first; x < end; x++) {
                float u = (float)(x - first) / (float)cell;
                row[x] += left + u * u * (3 - 2 * u) * (right - left);
            }
        }
    }
    free(grid);
}

/// A plane of noise with deviation 1 whose amplitude falls as 1/f^steepness, f being the frequency
/// in two dimensions.
static float *clouds(int width, int height, double steepness, struct random *random) {
    size_t count = (size_t)width * (size_t)height;
    float *plane = allocate(count * sizeof *plane);
    memset(plane, 0, count * sizeof *plane);
    // The power in a ring that is twice as wide as the last: f^(1 - 2 steepness) over the ring.
    double fall = pow(2, 1 - steepness);
    double amplitude = 1;
    for (int cell = 1 << 9; cell >= 1; cell /= 2) {
        add_octave(plane, width, height, cell, (float)amplitude, random);
        amplitude *= fall;
    }
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += plane[i];
        squares += (double)plane[i] * plane[i];
    }
    double mean = sum / (double)count;
    float scale = (float)(1 / sqrt(squares / (double)count - mean * mean));
    for (size_t i = 0; i < count; i++) plane[i] = (plane[i] - (float)mean) * scale;
    return plane;
}

static float *textured(int width, int height, struct random *random) {
    float *light = clouds(width, height, 1.1, random);
    float *blue = clouds(width, height, 1.5, random);
    float *red = clouds(width, height, 1.5, random);
    size_t count = (size_t)width * (size_t)height;
    float *pixels = allocate(3 * count * sizeof *pixels);
    for (size_t i = 0; i < count; i++) {
        pixels[3 * i] = 110 + 22 * light[i] + 18 * red[i];
        pixels[3 * i + 1] = 112 + 22 * light[i] - 8 * red[i] - 6 * blue[i];
        pixels[3 * i + 2] = 108 + 22 * light[i] + 20 * blue[i];
    }
    free(light);
    free(blue);
    free(red);
    return pixels;
}

// MARK: Things

static int descending(const void *a, const void *b) {
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x < y) - (x > y);
}

static void paint_disc(
    float *pixels, int width, int height, float radius, struct random *random) {
    float center_x = random_share(random) * (float)width;
    float center_y = random_share(random) * (float)height;
    float colour[3];
    for (int c = 0; c < 3; c++) colour[c] = 118 + 48 * random_normal(random);
    int first_x = (int)fmaxf(0, center_x - radius);
    int first_y = (int)fmaxf(0, center_y - radius);
    int end_x = (int)fminf((float)width, center_x + radius + 1);
    int end_y = (int)fminf((float)height, center_y + radius + 1);
    for (int y = first_y; y < end_y; y++) {
        for (int x = first_x; x < end_x; x++) {
            float distance = hypotf((float)x - center_x, (float)y - center_y);
            float share = fminf(1, radius - distance);
            if (share <= 0) continue;
            float shade = 1.1f - 0.35f * distance / radius;
            float *pixel = pixels + 3 * ((size_t)y * (size_t)width + (size_t)x);
            for (int c = 0; c < 3; c++) {
                float thing = colour[c] * shade + 0.55f * (pixel[c] - 110);
                pixel[c] += share * (thing - pixel[c]);
            }
        }
    }
}

/// Discs with a power law's radii, the large ones behind: "dead leaves" (Lee, Mumford and Huang,
/// 2001), which have edges at every scale as photos do.
static void paint_leaves(float *pixels, int width, int height, struct random *random) {
    enum { count = 900 };
    static float radii[count];
    float smallest = 6 * (float)width / 1600;
    float largest = 0.16f * (float)width;
    for (int i = 0; i < count; i++) {
        float u = random_share(random);
        radii[i] = 1 / sqrtf(u / (smallest * smallest) + (1 - u) / (largest * largest));
    }
    qsort(radii, count, sizeof *radii, descending);
    for (int i = 0; i < count; i++) paint_disc(pixels, width, height, radii[i], random);
}

static void paint_sky(float *pixels, int width, int height) {
    static const float colour[] = {140, 175, 225};
    for (int y = 0; 3 * y < height; y++) {
        float share = sqrtf(1 - 3 * (float)y / (float)height);
        float *pixel = pixels + 3 * (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++, pixel += 3) {
            float light = 0.8f + 0.2f * (float)x / (float)width;
            for (int c = 0; c < 3; c++) {
                pixel[c] += share * (colour[c] * light - pixel[c]);
            }
        }
    }
}

// MARK: Pictures

struct image scene_photo(int width, int height, uint64_t seed) {
    const float sensor_noise = 1.6f;
    struct random random = {seed};
    float *pixels = textured(width, height, &random);
    paint_leaves(pixels, width, height, &random);
    paint_sky(pixels, width, height);
    struct image image = image_make(width, height, 3);
    size_t count = 3 * (size_t)width * (size_t)height;
    for (size_t i = 0; i < count; i++) {
        float value = pixels[i] + sensor_noise * random_normal(&random);
        image.pixels[i] = (uint8_t)fminf(255, fmaxf(0, value));
    }
    free(pixels);
    return image;
}

static void fill(struct image *image, int x, int y, int width, int height, uint8_t grey) {
    for (int row = y; row < y + height; row++) {
        size_t first = (size_t)row * (size_t)image->width + (size_t)x;
        memset(image->pixels + 3 * first, grey, 3 * (size_t)width);
    }
}

struct image scene_screen(int width, int height, uint64_t seed) {
    struct random random = {seed};
    struct image image = image_make(width, height, 3);
    fill(&image, 0, 0, width, height, 245);
    for (int y = 0; y + 20 <= height; y += 20) {
        fill(&image, 0, y, width, 1, 220);
        for (int x = 30; x + 90 <= width; x += 60) {
            int shift = (int)(20 * random_share(&random));
            int length = 8 + (int)(42 * random_share(&random));
            uint8_t grey = (uint8_t)(20 + 70 * random_share(&random));
            fill(&image, x + shift, y + 5, length, 9, grey);
        }
    }
    return image;
}

struct image scene_with_alpha(const struct image *image) {
    struct image result = image_make(image->width, image->height, 4);
    float reach_x = (float)image->width / 2;
    float reach_y = (float)image->height / 2;
    const uint8_t *from = image->pixels;
    uint8_t *to = result.pixels;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++, from += 3, to += 4) {
            float distance = hypotf((float)x / reach_x - 1, (float)y / reach_y - 1);
            memcpy(to, from, 3);
            to[3] = (uint8_t)(255 * fminf(1, fmaxf(0, (1.3f - distance) / 0.3f)));
        }
    }
    return result;
}

struct image scene_shrunk(const struct image *image, int times) {
    struct image result = image_make(image->width / times, image->height / times, 3);
    uint8_t *to = result.pixels;
    for (int y = 0; y < result.height; y++) {
        for (int x = 0; x < result.width; x++) {
            for (int c = 0; c < 3; c++) {
                int sum = 0;
                for (int i = 0; i < times * times; i++) {
                    size_t row = (size_t)(y * times + i / times);
                    size_t column = (size_t)(x * times + i % times);
                    sum += image->pixels[3 * (row * (size_t)image->width + column) + (size_t)c];
                }
                *to++ = (uint8_t)((sum + times * times / 2) / (times * times));
            }
        }
    }
    return result;
}
