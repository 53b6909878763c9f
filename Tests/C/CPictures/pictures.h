/* What the tests of lull-pictures.h have in common. */

#ifndef LULL_TEST_PICTURES_H
#define LULL_TEST_PICTURES_H

#include <lull-pictures.h>

#include "../CHosts/host.h"

/* The folder of photos, and one file. */
extern const char *photos;
char *photo(const char *name);

/* The bytes of a file. */
struct bytes {
    unsigned char *start;
    size_t count;
};
struct bytes read_bytes(const char *path);
/* A file in the tests' folder, which has these bytes. */
char *write_bytes(const char *name, const void *start, size_t count);
/* A PNG of one row of RGBA, or one that only claims to have a size. */
struct bytes make_png(const unsigned char *rgba, uint32_t width, uint32_t height);

/* A host with pictures, and what became of its loads. */
struct screen {
    struct host host;
    lull_pictures *pictures;
    int ends, closes; /* whether a load's end closes the pictures */
    uint64_t keys[16];
    lull_picture *picture; /* of the last load that gave one */
    lull_picture_info info;
    lull_end end;
    int error, system_error, is_transient;
    char text[300];
};

void open_screen(struct screen *screen, const lull_pictures_options *options);
void close_screen(struct screen *screen);
lull_pictures_options default_options(void);
lull_picture_request request_of(struct screen *screen, uint64_t key);
void done(const lull_picture_result *result, void *context);
/* Loads, and waits until that has ended: the picture is in the screen. */
void load_now(struct screen *screen, const lull_picture_request *request);
void free_picture(struct screen *screen);
lull_pictures_statistics counts(struct screen *screen);

void test_formats(void);
void test_errors(void);
void test_ends(void);
void test_cache(void);
void test_pictures_misuse(void);
void test_rows(const char *helper);
void test_helpers(const char *helper);
void test_heif(const char *pictures);

#endif
