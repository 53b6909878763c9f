// Decodes pictures in the idle time of an event loop, from C: JPEG, PNG, WebP and GIF, and with
// liblull-pictures-heif beside it HEIC and AVIF.
//
// A picture is scaled down to fit a size while it is decoded, upright, and in sRGB. Decoding is a job of
// a queue on the program's loop: it runs in slices, on lanes or in lulls of the loop, so that a ready
// event waits for at most one slice, whatever is in the file:
//
//     #include <lull-pictures.h>
//
//     static void done(const lull_picture_result *result, void *context) {
//         lull_picture_info info;
//         if (!result->picture) {
//             fprintf(stderr, "%s\n", result->text);  // photos/a.jpg: truncated: 12 of 480 rows
//             return;
//         }
//         lull_picture_get(result->picture, &info, sizeof info);
//         window_draw(context, info.pixels, info.stride, info.width, info.height);
//         lull_picture_free(result->picture);
//     }
//
//     int begin(lull_loop *loop, struct window *window) {
//         lull_pictures *pictures;
//         lull_picture_request request;
//         if (lull_pictures_new(loop, NULL, &pictures) < 0) return -1;
//         lull_picture_request_init(&request, sizeof request);
//         request.path = "photos/a.jpg";
//         request.width = request.height = 256;
//         request.done = done;
//         request.context = window;
//         return lull_picture_load(pictures, &request);
//     }
//
// Build with `pkg-config --cflags --libs lull-pictures`.
//
// ROWS of a list load pictures by lull_picture_load_row, which is all that a list's `load` needs to
// call; then the list decides which picture is decoded when.
//
// All that lull.h says of threads, handles, results, time, callbacks and the runtime holds here, too.
// Functions of pictures belong to the loop's thread; those of one picture, and lull_picture_load_row,
// may be called on any thread. lull_last_error has the texts of errors here as well.

#ifndef LULL_PICTURES_H
#define LULL_PICTURES_H

#include <lull.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A handle of what loads pictures: limits, a queue, and perhaps a disk cache and helper processes.
typedef struct lull_pictures lull_pictures;
/// A handle of one picture.
typedef struct lull_picture lull_picture;

/// The reason why there is no picture.
typedef enum lull_picture_error {
    /// There is a picture, or the load was cancelled or dropped.
    LULL_PICTURE_NO_ERROR = 0,
    /// The system refused to open the file.
    LULL_PICTURE_CANNOT_OPEN = 1,
    /// The system failed to read the file.
    LULL_PICTURE_CANNOT_READ = 2,
    /// It is a directory, a pipe, a socket or a device.
    LULL_PICTURE_NOT_A_FILE = 3,
    /// The file has no bytes.
    LULL_PICTURE_EMPTY = 4,
    /// The file, the picture or the memory that decoding takes is beyond a limit of the options.
    LULL_PICTURE_TOO_LARGE = 5,
    /// Decoding took more processor time than the options allow.
    LULL_PICTURE_TOO_SLOW = 6,
    /// The format isn't supported.
    LULL_PICTURE_UNSUPPORTED = 7,
    /// The file ends too early.
    LULL_PICTURE_TRUNCATED = 8,
    /// The file violates its format.
    LULL_PICTURE_CORRUPT = 9,
    /// The file was written to or replaced while it was read.
    LULL_PICTURE_CHANGED = 10,
    /// The system had no memory, or there was no handle left.
    LULL_PICTURE_NO_MEMORY = 11,
    /// A helper process ended, hung, or sent what no helper sends, while it decoded the picture.
    LULL_PICTURE_HELPER_FAILED = 12,
    /// No helper process could be started.
    LULL_PICTURE_NO_HELPER = 13,
    /// The pictures were closed; or lull_picture_load_row had none, or a bad request, which
    /// lull_last_error explains; or the key was that of another job in the queue.
    LULL_PICTURE_REFUSED = 14
} lull_picture_error;

/// The order of the bytes of a pixel, of which there are four, and what they mean.
typedef enum lull_pixel_format {
    /// Red, green, blue, alpha; colours are multiplied by alpha. GdkMemoryFormat's
    /// R8G8B8A8_PREMULTIPLIED.
    LULL_PIXELS_RGBA_PREMULTIPLIED = 0,
    /// Red, green, blue, alpha; colours are not multiplied. As in PNG, and GdkPixbuf's with alpha.
    LULL_PIXELS_RGBA = 1,
    /// Blue, green, red, alpha; colours are multiplied by alpha. cairo's CAIRO_FORMAT_ARGB32 on
    /// little-endian machines.
    LULL_PIXELS_BGRA_PREMULTIPLIED = 2
} lull_pixel_format;

// MARK: - Pictures

/// The options of pictures: fill them with lull_pictures_options_init, then change them. Each comment
/// below ends with the default.
typedef struct lull_pictures_options {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// The options of the queue in which lull_picture_load decodes, such as its bound and its lanes;
    /// NULL for the defaults.
    const lull_queue_options *queue;
    /// The maximum number of bytes of a file: 1 or more; 64 MiB.
    int64_t file_bytes;
    /// The maximum number of pixels that a file may claim to have: 1 or more; 128,000,000.
    int64_t pixels;
    /// The maximum number of bytes that a decoder keeps for a picture that isn't decoded row by row:
    /// 1 or more; 96,000,000.
    int64_t decoder_memory;
    /// The maximum processor time of decoding a picture: more than 0; 2 s.
    int64_t time;
    /// The absolute path of a folder for a cache of thumbnails, which is made when there is something to
    /// store, copied; NULL for none. It is one of the freedesktop Thumbnail Managing Standard, of which
    /// a user's programs share $XDG_CACHE_HOME/thumbnails. Only pictures of a path are stored; NULL.
    const char *cache;
    /// The maximum size of the cache in bytes, and its maximum number of files: 0 or more, or LULL_NONE
    /// for no limit, as in a folder that programs share; LULL_NONE.
    int64_t cache_bytes, cache_files;
    /// The path of a program that decodes files in processes that may do nothing else, for files that
    /// nobody trusts, copied: that of lull-picture-helper is the variable `helper` of lull-pictures.pc.
    /// NULL to decode in this process; NULL.
    const char *helper;
    /// The maximum number of these processes: 1 to 64, or 0 for one for each processor that the
    /// process may use; 0.
    int32_t helpers;
    /// The format of pixels; LULL_PIXELS_RGBA_PREMULTIPLIED.
    lull_pixel_format format;
} lull_pictures_options;

/// Fills options with the defaults; `size` is `sizeof *options`. Does nothing if `options` is NULL.
void lull_pictures_options_init(lull_pictures_options *options, size_t size);

/// Creates what loads pictures on a loop, with the defaults if `options` is NULL, and stores its handle.
///
/// With a helper, a thread starts here, which sleeps while there is nothing to do; the first picture
/// starts the first process. In a forked child, create others. Errors: LULL_INVALID if `pictures` is
/// NULL or an option is out of range; LULL_UNSUPPORTED; LULL_NO_MEMORY; LULL_SYSTEM if with a helper
/// the process is out of descriptors or threads. On an error *pictures is NULL.
lull_status lull_pictures_new(
    lull_loop *loop, const lull_pictures_options *options, lull_pictures **pictures);

/// Closes pictures, also from inside any callback, and after their loop was closed; close them in any
/// case, as nobody else does.
///
/// Waiting loads end as cancelled inside this call, or, if a lane is inside one, as lull_queue_close
/// says. Rows that are still loading fail with LULL_PICTURE_REFUSED. Pictures that were given out stay.
/// Helper processes have ended when this returns.
lull_status lull_pictures_close(lull_pictures *pictures);

/// Gets the queue in which lull_picture_load decodes. It is the pictures' own, and is closed with them:
/// lull_cancel, lull_reprioritize, lull_contains, lull_has_room, lull_queue_get_statistics and
/// lull_queue_shutdown are for loads as for all other jobs. LULL_INVALID if `queue` is NULL.
lull_status lull_pictures_get_queue(lull_pictures *pictures, lull_queue **queue);

/// The counts of pictures.
typedef struct lull_pictures_statistics {
    /// Pictures that were decoded in this process, and by helpers.
    uint64_t decoded, decoded_by_helpers;
    /// Pictures that were found in the disk cache.
    uint64_t found;
    /// Pictures that were stored there.
    uint64_t stored;
    /// Pictures with damage, and loads that failed.
    uint64_t damaged, failed;
    /// Helper processes that were started, and those that failed.
    uint64_t helpers_started, helpers_failed;
} lull_pictures_statistics;

/// Fills a struct with the counts of pictures, of lists as well, as lull_queue_get_statistics does.
lull_status lull_pictures_get_statistics(
    lull_pictures *pictures, lull_pictures_statistics *statistics, size_t size);

// MARK: - Loading a picture

/// The result of a load. It is valid only during the callback that receives it.
typedef struct lull_picture_result {
    /// The size of this struct as the library was compiled with it.
    size_t size;
    /// The key of the load.
    uint64_t key;
    /// The picture, which the callback owns from now on; NULL if there is none.
    lull_picture *picture;
    /// The way in which the load has ended: LULL_END_DONE if there is a picture.
    lull_end end;
    /// The reason why there is no picture, if the load has failed.
    lull_picture_error error;
    /// The system's error, a value of errno, for those that have one; 0.
    int32_t system_error;
    /// Whether the same request may succeed later without a change of the file, as when the process was
    /// out of descriptors: 1 or 0.
    int32_t is_transient;
    /// The file and the reason in one line of English, for a log, such as
    /// "photos/a.jpg: truncated: 12 of 480 rows". Of a damaged picture, the damage. Never NULL.
    const char *text;
} lull_picture_result;

/// A request for a picture: fill it with lull_picture_request_init, then set one of `path`, `bytes` and
/// `descriptor`, and the size. It is read only during the call that takes it. Comments below end with
/// the default.
typedef struct lull_picture_request {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// The path of a file, copied; NULL.
    const char *path;
    /// The bytes of a file, copied; NULL.
    const void *bytes;
    /// The number of the bytes; 0.
    size_t byte_count;
    /// An open file, whose position is neither used nor changed; it is duplicated, so it may be closed
    /// after the call; -1.
    int32_t descriptor;
    /// The size that the picture is scaled down to fit, upright, in px: 1 to 65,535 each; it is never
    /// scaled up. Must be set.
    int32_t width, height;
    /// The priority; LULL_PRIORITY_NORMAL. Of a row, the list decides.
    lull_priority priority;
    /// The key that identifies the load in its queue, as that of a job: a request with the key of a
    /// load that waits joins it, and gets its picture; 0. Of a row, the list's.
    uint64_t key;
    /// The rank among loads of the same priority, the lowest first; 0. Of a row, the list decides.
    int64_t rank;
    /// Called exactly once, on the loop's thread, when the load has ended, in whichever way, unless
    /// lull_picture_load returned an error; NULL for a picture that is only to be in the disk cache.
    /// Not for rows.
    void (*done)(const lull_picture_result *result, void *context);
    /// The context that is passed to `done`.
    void *context;
} lull_picture_request;

/// Fills a request with the defaults; `size` is `sizeof *request`. Does nothing if `request` is NULL.
void lull_picture_request_init(lull_picture_request *request, size_t size);

/// Loads a picture: LULL_OK, LULL_JOINED or LULL_DROPPED, as lull_submit_anywhere, whose job it is.
///
/// The file is opened when its turn comes, in idle time. If LULL_DROPPED is returned, `done` was called
/// inside the call, as it is for the load that a full queue drops for this one. Errors: LULL_INVALID if
/// `request` is NULL, has none or several of `path`, `bytes` and `descriptor`, or a member that is out
/// of range; LULL_UNSUPPORTED; LULL_SYSTEM if the descriptor can't be duplicated, with errno; LULL_STALE
/// also if the queue was closed or the loop was.
lull_status lull_picture_load(lull_pictures *pictures, const lull_picture_request *request);

/// Loads the picture of a list's row: a list's `load` returns what this returns.
///
///     static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
///         struct viewer *viewer = context;
///         lull_picture_request request;
///         lull_picture_request_init(&request, sizeof request);
///         request.path = viewer->paths[load->key];
///         request.width = request.height = 256;
///         return lull_picture_load_row(viewer->pictures, slot, load, &request);
///     }
///
///     static void drop(uint64_t key, void *value, void *context) {
///         lull_picture_free(value);
///     }
///
///     options.load = load;
///     options.load_anywhere = 1;  // also on lanes, if all that it uses may be read there
///     options.drop = drop;
///
/// The value of the row is a lull_picture, which the list owns: `drop` is lull_picture_free. The request
/// is read in the first run, and may be NULL in others. A picture that is stored in passes, and isn't
/// there yet, is shown as a preview. If the row fails, its `error` is a lull_picture_error; what may
/// succeed later is retried. `load->bytes` is set, for a list with a byte limit.
lull_progress lull_picture_load_row(
    lull_pictures *pictures, const lull_slot *slot, lull_load *load,
    const lull_picture_request *request);

// MARK: - A picture

/// The pixels of a picture.
typedef struct lull_picture_info {
    /// The first byte of the pixel at the top left. Rows follow each other from the top. Valid until the
    /// picture is freed; of a preview, until the next lull_picture_get that finds more.
    const uint8_t *pixels;
    /// The distance from a row to the next, in bytes.
    size_t stride;
    /// The size, in px, upright.
    int32_t width, height;
    /// The format of the pixels.
    lull_pixel_format format;
    /// Whether a part of the picture is missing or wrong, because its file is damaged: 1 or 0. Missing
    /// rows are transparent.
    int32_t is_damaged;
    /// Whether it is a preview, of a row that is still loading: 1 or 0.
    int32_t is_preview;
    /// Reserved; 0.
    int32_t reserved;
} lull_picture_info;

/// Gets the pixels of a picture, on any thread; `size` is `sizeof *info`, and may differ as in
/// lull_queue_get_statistics. LULL_ABSENT if there are no pixels yet; LULL_INVALID also if `info` is NULL.
/// Unless LULL_OK is returned, all of it is set to 0. Nobody may free the picture meanwhile.
lull_status lull_picture_get(lull_picture *picture, lull_picture_info *info, size_t size);

/// Frees a picture, on any thread, at any time, also after its pictures were closed. LULL_STALE if it
/// was freed before, LULL_INVALID if it is NULL.
lull_status lull_picture_free(lull_picture *picture);

/// Returns an error as a few English words, for a log; never NULL, and must not be freed. `error` may be
/// that of a row.
const char *lull_picture_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
