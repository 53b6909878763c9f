#include "pictures.h"

#include <fcntl.h>
#include <sys/stat.h>

const char *photos;

char *photo(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", photos, name);
    return path;
}

struct bytes read_bytes(const char *path) {
    struct bytes bytes = {NULL, 0};
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        perror(path);
        exit(1);
    }
    bytes.count = (size_t)status.st_size;
    bytes.start = (unsigned char *)malloc(bytes.count);
    CHECK(fread(bytes.start, 1, bytes.count, file) == bytes.count);
    fclose(file);
    return bytes;
}

char *write_bytes(const char *name, const void *start, size_t count) {
    static char path[4096];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", getenv("TMPDIR"), name);
    file = fopen(path, "wb");
    CHECK(file != NULL && (count == 0 || fwrite(start, 1, count, file) == count));
    fclose(file);
    return path;
}

static void put(struct bytes *bytes, const void *start, size_t count) {
    memcpy(bytes->start + bytes->count, start, count);
    bytes->count += count;
}

static void put_number(struct bytes *bytes, uint32_t number) {
    unsigned char big[4];
    for (int i = 0; i < 4; i++) big[i] = (unsigned char)(number >> (24 - 8 * i));
    put(bytes, big, 4);
}

static void put_chunk(struct bytes *bytes, const char *name, const unsigned char *data, uint32_t size) {
    uint32_t sum = 0xFFFFFFFF;
    size_t start = bytes->count + 4;
    put_number(bytes, size);
    put(bytes, name, 4);
    put(bytes, data, size);
    for (size_t i = start; i < bytes->count; i++) {
        sum ^= bytes->start[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    put_number(bytes, ~sum);
}

struct bytes make_png(const unsigned char *rgba, uint32_t width, uint32_t height) {
    struct bytes png = {(unsigned char *)malloc(70000), 0}, part = {(unsigned char *)malloc(70000), 0};
    uint32_t a = 1, b = 0, count = rgba ? 4 * width + 1 : 0;
    unsigned char length[5];
    put(&png, "\x89PNG\r\n\x1A\n", 8);
    put_number(&part, width);
    put_number(&part, height);
    put(&part, "\x08\x06\0\0\0", 5);
    put_chunk(&png, "IHDR", part.start, 13);
    /* One stored block, and the sum of what is in it. */
    part.count = 0;
    length[0] = 1;
    length[1] = (unsigned char)count;
    length[2] = (unsigned char)(count >> 8);
    length[3] = (unsigned char)~count;
    length[4] = (unsigned char)(~count >> 8);
    put(&part, "\x78\x01", 2);
    put(&part, length, 5);
    if (rgba) {
        put(&part, "", 1);
        put(&part, rgba, 4 * width);
    }
    for (uint32_t i = 0; i < count; i++) {
        a = (a + part.start[7 + i]) % 65521;
        b = (b + a) % 65521;
    }
    put_number(&part, b << 16 | a);
    put_chunk(&png, "IDAT", part.start, (uint32_t)part.count);
    put_chunk(&png, "IEND", part.start, 0);
    free(part.start);
    return png;
}

lull_pictures_options default_options(void) {
    lull_pictures_options options;
    lull_pictures_options_init(&options, sizeof options);
    return options;
}

void open_screen(struct screen *screen, const lull_pictures_options *options) {
    memset(screen, 0, sizeof *screen);
    open_host(&screen->host);
    CHECK(lull_pictures_new(screen->host.loop, options, &screen->pictures) == LULL_OK);
}

void free_picture(struct screen *screen) {
    if (!screen->picture) return;
    CHECK(lull_picture_free(screen->picture) == LULL_OK);
    CHECK(lull_picture_free(screen->picture) == LULL_STALE);
    screen->picture = NULL;
}

void close_screen(struct screen *screen) {
    free_picture(screen);
    CHECK(lull_pictures_close(screen->pictures) == LULL_OK);
    close_host(&screen->host);
}

lull_picture_request request_of(struct screen *screen, uint64_t key) {
    lull_picture_request request;
    lull_picture_request_init(&request, sizeof request);
    request.key = key;
    request.width = request.height = 64;
    request.done = done;
    request.context = screen;
    return request;
}

void done(const lull_picture_result *result, void *context) {
    struct screen *screen = (struct screen *)context;
    CHECK_THREAD();
    CHECK(result->size == sizeof *result && result->text != NULL);
    CHECK((result->picture != NULL) == (result->end == LULL_END_DONE));
    CHECK((result->error != LULL_PICTURE_NO_ERROR) == (result->end == LULL_END_FAILED));
    if (screen->ends < 16) screen->keys[screen->ends] = result->key;
    screen->ends++;
    screen->end = result->end;
    screen->error = (int)result->error;
    screen->system_error = result->system_error;
    screen->is_transient = result->is_transient;
    snprintf(screen->text, sizeof screen->text, "%s", result->text);
    free_picture(screen);
    screen->picture = result->picture;
    if (result->picture) {
        CHECK(lull_picture_get(result->picture, &screen->info, sizeof screen->info) == LULL_OK);
        CHECK(screen->info.stride == 4 * (size_t)screen->info.width);
    }
    if (screen->closes) {
        screen->closes = 0;
        CHECK(lull_close(screen->host.loop) == LULL_BUSY);
        CHECK(lull_pictures_close(screen->pictures) == LULL_OK);
    }
}

void load_now(struct screen *screen, const lull_picture_request *request) {
    int ends = screen->ends;
    CHECK(lull_picture_load(screen->pictures, request) == LULL_OK);
    while (screen->ends == ends) {
        if (event_base_loop(screen->host.base, EVLOOP_ONCE) < 0) break;
    }
}

lull_pictures_statistics counts(struct screen *screen) {
    lull_pictures_statistics counts;
    CHECK(lull_pictures_get_statistics(screen->pictures, &counts, sizeof counts) == LULL_OK);
    return counts;
}
