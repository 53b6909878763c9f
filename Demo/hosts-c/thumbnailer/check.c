// A client of the thumbnailer, which asks for a folder's thumbnails and checks all that comes:
//
//     check FOLDER    status 1 if anything was wrong

#include <dirent.h>
#include <md5.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "thumbnail.h"

#define NAME "org.freedesktop.thumbnails.Thumbnailer1"
#define PATH "/org/freedesktop/thumbnails/Thumbnailer1"

#define URIS 200
#define MOST_CALLS 10000

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            failures++;                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
        }                                                                         \
    } while (0)

static int failures;
static sd_bus *bus;

/// The request that is waited for, and what came of it.
static struct {
    uint32_t handle;
    int started, ready, errors, finished;
    char ready_uris[URIS][4096];
    char error_uris[8][4096];
    int32_t codes[8];
} seen;

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int signal_came(sd_bus_message *signal, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    uint32_t handle = 0;
    const char *uri = NULL, *message = NULL;
    sd_bus_message_read(signal, "u", &handle);
    if (handle != seen.handle) return 0;
    CHECK(!seen.finished);
    if (sd_bus_message_is_signal(signal, NAME, "Started")) seen.started++;
    if (sd_bus_message_is_signal(signal, NAME, "Finished")) seen.finished++;
    if (sd_bus_message_is_signal(signal, NAME, "Ready")) {
        CHECK(sd_bus_message_read(signal, "as", 1, &uri) >= 0);
        if (seen.ready < URIS && uri) strcpy(seen.ready_uris[seen.ready], uri);
        seen.ready++;
    }
    if (sd_bus_message_is_signal(signal, NAME, "Error")) {
        int32_t code = -1;
        CHECK(sd_bus_message_read(signal, "asis", 1, &uri, &code, &message) >= 0);
        if (seen.errors < 8 && uri) {
            strcpy(seen.error_uris[seen.errors], uri);
            seen.codes[seen.errors] = code;
        }
        seen.errors++;
    }
    return 0;
}

/// Requests thumbnails; returns 0 or the error. Signals are those of this request from now on.
static int request(char **uris, const char *flavor) {
    sd_bus_message *call = NULL, *reply = NULL;
    CHECK(sd_bus_message_new_method_call(bus, &call, NAME, PATH, NAME, "Queue") >= 0);
    sd_bus_message_append_strv(call, uris);
    sd_bus_message_append(call, "asssu", 0, flavor, "default", 0);
    memset(&seen, 0, sizeof seen);
    int result = sd_bus_call(bus, call, 0, NULL, &reply);
    if (result >= 0) result = sd_bus_message_read(reply, "u", &seen.handle);
    sd_bus_message_unref(call);
    sd_bus_message_unref(reply);
    return result < 0 ? result : 0;
}

/// Processes what has come, and waits if that is nothing.
static void process(uint64_t most_us) {
    int result = sd_bus_process(bus, NULL);
    if (result == 0) sd_bus_wait(bus, most_us);
    if (result < 0) {
        fprintf(stderr, "check: %s\n", strerror(-result));
        exit(1);
    }
}

static void wait_until_finished(void) {
    double until = now_ms() + 600000;
    while (!seen.finished && now_ms() < until) process(1000000);
    CHECK(seen.finished == 1);
}

static int call_get_supported(void) {
    sd_bus_message *reply = NULL;
    int result = sd_bus_call_method(bus, NAME, PATH, NAME, "GetSupported", NULL, &reply, "");
    sd_bus_message_unref(reply);
    return result;
}

// MARK: - Thumbnails

static const char *text_of(png_structp png, png_infop info, const char *key) {
    png_textp texts;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    for (int i = 0; i < count; i++) {
        if (!strcmp(texts[i].key, key)) return texts[i].text;
    }
    return "";
}

/// Checks a thumbnail's name, mode, size and texts.
static void check_thumbnail(const char *uri, const char *flavor, int size) {
    char path[4096], hex[33];
    struct stat status, source;
    MD5Data((const uint8_t *)uri, strlen(uri), hex);
    snprintf(path, sizeof path, "%s/thumbnails/%s/%s.png", getenv("XDG_CACHE_HOME"), flavor, hex);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fstat(fileno(file), &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(stat(uri + strlen("file://"), &source) == 0);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        CHECK(!"a PNG file");
    } else {
        png_init_io(png, file);
        png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
        int width = (int)png_get_image_width(png, info);
        int height = (int)png_get_image_height(png, info);
        CHECK((width == size && height <= size) || (height == size && width <= size));
        CHECK(!strcmp(text_of(png, info, "Thumb::URI"), uri));
        CHECK(atoll(text_of(png, info, "Thumb::MTime")) == (long long)source.st_mtime);
    }
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// All thumbnails are made, and calls are answered meanwhile.
static void check_all(char **uris) {
    static double times[MOST_CALLS];
    int calls = 0;
    double start = now_ms();
    CHECK(request(uris, "normal") == 0);
    while (!seen.finished && calls < MOST_CALLS) {
        double called = now_ms();
        CHECK(call_get_supported() >= 0);
        times[calls++] = now_ms() - called;
        // At any moment of a slice, rather than always at its beginning.
        double until = now_ms() + 1 + calls % 7 * 0.3;
        while (!seen.finished && now_ms() < until) process(500);
    }
    wait_until_finished();
    double time = (now_ms() - start) / 1e3;
    CHECK(seen.started == 1 && seen.ready == URIS && seen.errors == 0);
    for (int i = 0; i < seen.ready && i < URIS; i++) {
        check_thumbnail(seen.ready_uris[i], "normal", 128);
    }
    qsort(times, (size_t)calls, sizeof *times, compare);
    printf(
        "%d thumbnails in %.1f s; GetSupported answered %d times meanwhile:\n"
        "    median %.2f ms, p99 %.2f ms, longest %.2f ms\n",
        seen.ready, time, calls, times[calls / 2], times[calls * 99 / 100], times[calls - 1]);
}

// MARK: - What goes wrong

static int32_t code_of(const char *uri) {
    for (int i = 0; i < seen.errors && i < 8; i++) {
        if (!strcmp(seen.error_uris[i], uri)) return seen.codes[i];
    }
    return -1;
}

static void check_errors(char *not_a_picture) {
    char *uris[] = {
        "file:///does/not/exist.jpg", not_a_picture, "http://localhost/a.jpg", "file:///a%zz.jpg",
        "file:///dev/null", "", NULL};
    CHECK(request(uris, "normal") == 0);
    wait_until_finished();
    CHECK(seen.ready == 0 && seen.errors == 6 && seen.started == 1);
    int32_t codes[] = {
        THUMBNAIL_INVALID_FORMAT, THUMBNAIL_INVALID_FORMAT, THUMBNAIL_UNSUPPORTED,
        THUMBNAIL_UNSUPPORTED, THUMBNAIL_INVALID_FORMAT, THUMBNAIL_UNSUPPORTED};
    for (int i = 0; i < 6; i++) CHECK(code_of(uris[i]) == codes[i]);

    char *one[] = {uris[0], NULL}, *none[] = {NULL};
    CHECK(request(one, "enormous") == 0);
    wait_until_finished();
    CHECK(seen.errors == 1 && seen.codes[0] == THUMBNAIL_UNSUPPORTED_FLAVOR);
    CHECK(request(none, "normal") == 0);
    wait_until_finished();
    CHECK(seen.ready == 0 && seen.errors == 0);

    static char *many[2001];
    for (int i = 0; i < 2000; i++) many[i] = uris[0];
    CHECK(request(many, "normal") < 0);
    printf("6 bad URIs, an unknown flavor and 2,000 URIs at once are refused, each in its way\n");
}

/// What isn't made yet is cancelled, and nothing is signalled after that.
static void check_dequeue(char **uris) {
    CHECK(request(uris, "large") == 0);
    while (seen.ready < 3) process(1000000);
    CHECK(sd_bus_call_method(bus, NAME, PATH, NAME, "Dequeue", NULL, NULL, "u", seen.handle) >= 0);
    wait_until_finished();
    CHECK(seen.ready < URIS && seen.errors == 0);
    for (int i = 0; i < seen.ready && i < URIS; i++) {
        check_thumbnail(seen.ready_uris[i], "large", 256);
    }
    CHECK(sd_bus_call_method(bus, NAME, PATH, NAME, "Dequeue", NULL, NULL, "u", seen.handle) >= 0);
    // A signal that came late would fail its check.
    for (int i = 0; i < 10; i++) {
        call_get_supported();
        process(10000);
    }
    printf("Dequeued after %d of %d\n", seen.ready, URIS);
}

/// The URIs of a folder's JPEG and PNG files, of which there must be enough.
static char **uris_of(const char *folder) {
    static char *uris[URIS + 1];
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0;
    while (dir && count < URIS && (entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".jpg") && strcmp(dot, ".png"))) continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 16;
        uris[count] = malloc(size);
        snprintf(uris[count++], size, "file://%s/%s", folder, entry->d_name);
    }
    if (dir) closedir(dir);
    return count == URIS ? uris : NULL;
}

int main(int argc, char **argv) {
    char **uris = argc == 2 ? uris_of(argv[1]) : NULL;
    if (!uris || !getenv("XDG_CACHE_HOME")) {
        fprintf(stderr, "check FOLDER: %d pictures, and XDG_CACHE_HOME, are needed\n", URIS);
        return 64;
    }
    if (sd_bus_open_user(&bus) < 0 ||
        sd_bus_match_signal(bus, NULL, NAME, PATH, NAME, NULL, signal_came, NULL) < 0) {
        fprintf(stderr, "check: there is no session bus\n");
        return 1;
    }
    char not_a_picture[4096];
    snprintf(not_a_picture, sizeof not_a_picture, "file://%s/not-a-picture", argv[1]);
    check_all(uris);
    check_errors(not_a_picture);
    check_dequeue(uris);
    for (int i = 0; i < URIS; i++) free(uris[i]);
    sd_bus_flush_close_unref(bus);
    return failures ? 1 : 0;
}
