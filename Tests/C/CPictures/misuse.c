/* Handles, options and requests that make no sense, and calls from the wrong places. */

#include "pictures.h"

static void check_options(lull_loop *loop) {
    lull_pictures *pictures;
    lull_pictures_options options = default_options();
    lull_queue_options queue;
    union {
        lull_pictures_options known;
        char bytes[sizeof(lull_pictures_options) + 8];
    } later;
    CHECK(options.size == sizeof options && options.file_bytes == 64 << 20);
    CHECK(options.pixels == 128000000 && options.decoder_memory == 96000000);
    CHECK(options.time == 2000 * MS && !options.cache && !options.helper && !options.queue);
    CHECK(options.cache_bytes == LULL_NONE && options.cache_files == LULL_NONE);
    CHECK(options.format == LULL_PIXELS_RGBA_PREMULTIPLIED && options.helpers == 0);
#define BAD(member, value, problem)                                                    \
    options = default_options();                                                       \
    options.member = value;                                                            \
    REFUSED(lull_pictures_new(loop, &options, &pictures), "options->" problem);        \
    CHECK(pictures == NULL)
    BAD(size, 8, "size");
    BAD(file_bytes, 0, "file_bytes");
    BAD(pixels, 0, "pixels");
    BAD(decoder_memory, -5, "decoder_memory");
    BAD(time, 0, "time");
    BAD(cache, "thumbnails", "cache");
    BAD(cache, "/tmp/\xFF", "cache");
    BAD(cache_bytes, -2, "cache_bytes");
    BAD(cache_files, -2, "cache_files");
    BAD(helper, "lull-picture-helper", "helper");
    BAD(helpers, 65, "helpers");
    BAD(helpers, -1, "helpers");
    BAD(format, (lull_pixel_format)3, "format");
    lull_queue_options_init(&queue, sizeof queue);
    queue.limit = 0;
    BAD(queue, &queue, "queue->limit");
    REFUSED(lull_pictures_new(loop, NULL, NULL), "pictures");
    REFUSED(lull_pictures_new(NULL, NULL, NULL), "loop");
    REFUSED(lull_pictures_new((lull_loop *)&options, NULL, &pictures), "loop");
    memset(&later, 0, sizeof later);
    lull_pictures_options_init(&later.known, sizeof later);
    CHECK(lull_pictures_new(loop, &later.known, &pictures) == LULL_OK);
    CHECK(lull_pictures_close(pictures) == LULL_OK);
    later.bytes[sizeof later - 1] = 1;
    CHECK(lull_pictures_new(loop, &later.known, &pictures) == LULL_UNSUPPORTED);
    lull_pictures_options_init(NULL, sizeof options);
    lull_picture_request_init(NULL, sizeof options);
}

static void check_requests(struct screen *screen) {
    lull_picture_request request = request_of(screen, 1);
    CHECK(request.size == sizeof request && request.descriptor == -1 && !request.path);
    CHECK(request.priority == LULL_PRIORITY_NORMAL && request.rank == 0 && !request.bytes);
#define BAD_REQUEST(member, value, problem)                                            \
    request = request_of(screen, 1);                                                   \
    request.path = "a";                                                                \
    request.member = value;                                                            \
    REFUSED(lull_picture_load(screen->pictures, &request), "request" problem)
    BAD_REQUEST(size, 8, "->size");
    BAD_REQUEST(path, NULL, " has 0 of path, bytes and descriptor, not");
    BAD_REQUEST(descriptor, 0, " has 2 of path, bytes and descriptor, not");
    BAD_REQUEST(bytes, "a", " has 2 of path, bytes and descriptor, not");
    BAD_REQUEST(width, 0, "->width");
    BAD_REQUEST(width, 65536, "->width");
    BAD_REQUEST(height, -1, "->height");
    BAD_REQUEST(priority, (lull_priority)6, "->priority");
    BAD_REQUEST(byte_count, (size_t)-1, "->byte_count");
    REFUSED(lull_picture_load(screen->pictures, NULL), "request");
    CHECK(event_base_loop(screen->host.base, EVLOOP_NONBLOCK) >= 0 && screen->ends == 0);
}

static void *use_elsewhere(void *context) {
    struct screen *screen = (struct screen *)context;
    lull_queue *queue;
    lull_pictures_statistics counts;
    lull_picture_info info;
    CHECK(lull_pictures_close(screen->pictures) == LULL_WRONG_THREAD);
    CHECK(lull_pictures_get_queue(screen->pictures, &queue) == LULL_WRONG_THREAD && !queue);
    CHECK(lull_picture_load(screen->pictures, NULL) == LULL_WRONG_THREAD);
    CHECK(
        lull_pictures_get_statistics(screen->pictures, &counts, sizeof counts) ==
        LULL_WRONG_THREAD);
    CHECK(lull_picture_get(screen->picture, &info, sizeof info) == LULL_OK && info.width == 64);
    CHECK(lull_picture_free(screen->picture) == LULL_OK);
    return NULL;
}

static lull_progress use_inside(const lull_slot *slot, uint64_t key, void *context) {
    struct screen *screen = (struct screen *)context;
    lull_pictures *pictures;
    (void)slot;
    (void)key;
    CHECK(lull_pictures_close(screen->pictures) == LULL_WRONG_THREAD);
    CHECK(lull_picture_load(screen->pictures, NULL) == LULL_WRONG_THREAD);
    CHECK(lull_pictures_new(screen->host.loop, NULL, &pictures) == LULL_WRONG_THREAD);
    return LULL_DONE;
}

static void check_handles(struct screen *screen) {
    lull_picture_request request = request_of(screen, 1);
    lull_picture_info info;
    lull_queue *queue;
    lull_job job = job_of(&screen->host, 3);
    pthread_t thread;
    lull_pictures *wrong[] = {
        NULL, (lull_pictures *)screen, (lull_pictures *)screen->host.loop,
        (lull_pictures *)screen->host.queue};
    for (int i = 0; i < 4; i++) {
        REFUSED(lull_picture_load(wrong[i], NULL), "pictures");
        REFUSED(lull_pictures_close(wrong[i]), "pictures");
        REFUSED(lull_pictures_get_queue(wrong[i], &queue), "pictures");
        REFUSED(lull_pictures_get_statistics(wrong[i], NULL, 0), "pictures");
        REFUSED(lull_picture_get((lull_picture *)wrong[i], &info, sizeof info), "picture");
        REFUSED(lull_picture_free((lull_picture *)wrong[i]), "picture");
    }
    CHECK(lull_queue_close((lull_queue *)screen->pictures) == LULL_INVALID);
    REFUSED(lull_pictures_get_queue(screen->pictures, NULL), "queue");
    REFUSED(lull_pictures_get_statistics(screen->pictures, NULL, 0), "statistics");
    REFUSED(lull_picture_free((lull_picture *)screen->pictures), "picture");
    CHECK(lull_pictures_get_queue(screen->pictures, &queue) == LULL_OK && queue);
    request.path = photo("05-pebbles-1280x960.jpg");
    load_now(screen, &request);
    REFUSED(lull_picture_get(screen->picture, NULL, sizeof info), "info");
    REFUSED(lull_pictures_close((lull_pictures *)screen->picture), "pictures");
    /* A program with a smaller struct. */
    memset(&info, 1, sizeof info);
    CHECK(lull_picture_get(screen->picture, &info, 8) == LULL_OK && info.pixels);
    CHECK(info.width == 0x01010101);
    CHECK(pthread_create(&thread, NULL, use_elsewhere, screen) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(lull_picture_get(screen->picture, &info, sizeof info) == LULL_STALE);
    CHECK(lull_picture_free(screen->picture) == LULL_STALE);
    screen->picture = NULL;
    job.run = use_inside;
    job.context = screen;
    job.end = NULL;
    CHECK(lull_submit_anywhere(queue, &job) == LULL_OK);
    CHECK(event_base_dispatch(screen->host.base) == 1);
    for (int code = -1; code < 16; code++) CHECK(*lull_picture_error_text(code));
    CHECK(!strcmp(lull_picture_error_text(15), "no picture error"));
}

void test_pictures_misuse(void) {
    struct screen screen;
    open_screen(&screen, NULL);
    check_options(screen.host.loop);
    check_requests(&screen);
    check_handles(&screen);
    close_screen(&screen);
    wait_for_lanes();
}
