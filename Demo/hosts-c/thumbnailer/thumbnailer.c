// A D-Bus service that makes thumbnails, org.freedesktop.thumbnails.Thumbnailer1, on sd-event. A file is
// decoded, and its thumbnail written, in jobs that may run anywhere: in the lulls of another processor,
// or in the loop's own. So calls are answered at once, however many are being made:
//
//     thumbnailer    serves the session bus until SIGINT or SIGTERM

#include <errno.h>
#include <lull-pictures.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "thumbnail.h"

#define PATH "/org/freedesktop/thumbnails/Thumbnailer1"
#define INTERFACE "org.freedesktop.thumbnails.Thumbnailer1"

/// The maximum number of thumbnails that wait.
#define ROOM 1024

struct flavor {
    const char *name;
    int size;
    char folder[3072];
};

static struct flavor flavors[] = {{"normal", 128, ""}, {"large", 256, ""}};
#define FLAVORS (sizeof flavors / sizeof *flavors)

static const char *const types[] = {"image/jpeg", "image/png", "image/webp", "image/gif"};
#define TYPES 4

/// A URI of a request, which is first a load and then a job; only that uses it meanwhile.
struct item {
    struct request *request;
    struct item *previous, *next;
    uint64_t key;
    char *uri;
    /// NULL if it isn't known.
    const struct flavor *flavor;
    struct original original;
    bool is_decoding;
    struct thumbnail *thumbnail;
    lull_priority priority;
};

struct request {
    struct request *previous, *next;
    uint32_t handle;
    bool has_started;
    struct item *items;
};

static sd_bus *bus;
static lull_loop *loop;
static lull_pictures *pictures;
/// The queues of files that are decoded, and of thumbnails that are written.
static lull_queue *decoding, *queue;
static size_t item_count;
static struct request *requests;
static uint32_t last_handle;
static uint64_t last_key;
static bool is_leaving;

static struct request *request_of(uint32_t handle) {
    struct request *request = requests;
    while (request && request->handle != handle) request = request->next;
    return request;
}

// MARK: - Signals

static void emit(const char *name, uint32_t handle) {
    sd_bus_emit_signal(bus, PATH, INTERFACE, name, "u", handle);
}

static void emit_ready(const struct item *item) {
    sd_bus_emit_signal(
        bus, PATH, INTERFACE, "Ready", "uas", item->request->handle, 1, item->uri);
}

static void emit_error(const struct item *item, int32_t error, const char *message) {
    sd_bus_emit_signal(
        bus, PATH, INTERFACE, "Error", "uasis", item->request->handle, 1, item->uri, error,
        message);
}

static void start(struct request *request) {
    if (!request->has_started) emit("Started", request->handle);
    request->has_started = true;
}

// MARK: - Jobs

static bool is_supported(const char *type) {
    for (size_t i = 0; i < TYPES; i++) {
        if (!strcmp(types[i], type)) return true;
    }
    return false;
}

/// Writes some more of a thumbnail, on whatever thread.
static lull_progress run(const lull_slot *slot, uint64_t key, void *context) {
    (void)key;
    struct item *item = context;
    if (!item->thumbnail) return LULL_FAILED;
    while (!lull_slot_is_over(slot)) {
        switch (thumbnail_step(item->thumbnail)) {
        case THUMBNAIL_MORE: break;
        case THUMBNAIL_DONE: return LULL_DONE;
        case THUMBNAIL_FAILED: return LULL_FAILED;
        }
    }
    return LULL_AGAIN;
}

static void remove_item(struct item *item) {
    if (item->next) item->next->previous = item->previous;
    if (item->previous) {
        item->previous->next = item->next;
    } else {
        item->request->items = item->next;
    }
    thumbnail_free(item->thumbnail);
    free(item->uri);
    free(item);
    item_count--;
}

static void finish(struct request *request) {
    emit("Finished", request->handle);
    if (request->next) request->next->previous = request->previous;
    if (request->previous) {
        request->previous->next = request->next;
    } else {
        requests = request->next;
    }
    free(request);
}

/// Removes an item whose thumbnail is there, or won't be.
static void leave_item(struct item *item) {
    struct request *request = item->request;
    remove_item(item);
    if (!request->items) finish(request);
}

/// Called on the loop's thread, when no other runs the job.
static void ended(uint64_t key, lull_end end, void *context) {
    (void)key;
    struct item *item = context;
    if (end == LULL_END_DONE || end == LULL_END_FAILED) start(item->request);
    if (end == LULL_END_DONE) emit_ready(item);
    if (end == LULL_END_FAILED && item->thumbnail) {
        emit_error(item, THUMBNAIL_SAVE_FAILED, thumbnail_message(item->thumbnail));
    } else if (end == LULL_END_FAILED) {
        emit_error(item, (int32_t)item->original.error, item->original.message);
    }
    leave_item(item);
}

/// Submits the job of an item: that which writes its thumbnail, or has an error.
static lull_status submit(struct item *item) {
    lull_job job;
    lull_job_init(&job, sizeof job);
    job.key = item->key;
    job.run = run;
    job.end = ended;
    job.context = item;
    job.priority = item->priority;
    return lull_submit_anywhere(queue, &job);
}

static void decoded(const lull_picture_result *result, void *context) {
    struct item *item = context;
    item->is_decoding = false;
    if (result->end == LULL_END_CANCELLED || result->end == LULL_END_DROPPED) {
        leave_item(item);
        return;
    }
    start(item->request);
    if (result->picture) {
        item->thumbnail =
            thumbnail_new(item->uri, item->flavor->folder, &item->original, result->picture);
        if (item->thumbnail && submit(item) >= 0) return;
        if (!item->thumbnail) lull_picture_free(result->picture);
        emit_error(item, THUMBNAIL_SAVE_FAILED, "Out of memory");
    } else {
        emit_error(item, THUMBNAIL_INVALID_FORMAT, result->text);
    }
    leave_item(item);
}

/// Has a file decoded; what makes no sense is a job that fails, after the reply to the call.
static lull_status begin(struct item *item, const char *type) {
    struct original *original = &item->original;
    if (!item->flavor) {
        original->error = THUMBNAIL_UNSUPPORTED_FLAVOR;
        original->message = "Unsupported flavor";
        return submit(item);
    }
    if (type && *type && !is_supported(type)) {
        original->error = THUMBNAIL_UNSUPPORTED;
        original->message = "Unsupported type";
        return submit(item);
    }
    if (!thumbnail_find(item->uri, item->flavor->folder, original)) return submit(item);
    lull_picture_request request;
    lull_picture_request_init(&request, sizeof request);
    request.path = original->path;
    request.width = request.height = item->flavor->size;
    request.priority = item->priority;
    request.key = item->key;
    request.done = decoded;
    request.context = item;
    item->is_decoding = true;
    return lull_picture_load(pictures, &request);
}

// MARK: - Requests

static const struct flavor *flavor_named(const char *name) {
    for (size_t i = 0; i < FLAVORS; i++) {
        if (!strcmp(flavors[i].name, name)) return &flavors[i];
    }
    return NULL;
}

static lull_priority priority_named(const char *scheduler) {
    if (!strcmp(scheduler, "foreground")) return LULL_PRIORITY_HIGH;
    if (!strcmp(scheduler, "background")) return LULL_PRIORITY_LOW;
    return LULL_PRIORITY_NORMAL;
}

/// Cancels what isn't made yet. The request is finished, and freed, with its last item.
static void cancel(struct request *request) {
    for (struct item *item = request->items, *next; item; item = next) {
        next = item->next;
        lull_cancel(item->is_decoding ? decoding : queue, item->key);
    }
}

static struct request *add_request(void) {
    struct request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    do last_handle++;
    while (last_handle == 0 || request_of(last_handle));
    request->handle = last_handle;
    request->next = requests;
    if (requests) requests->previous = request;
    requests = request;
    return request;
}

/// Submits one URI; without memory for it, it's as if it had not been asked for.
static void add_item(
    struct request *request, const char *uri, const char *type, const struct flavor *flavor,
    lull_priority priority) {
    struct item *item = calloc(1, sizeof *item);
    char *copy = strdup(uri);
    if (!item || !copy) {
        free(item);
        free(copy);
        return;
    }
    item->request = request;
    item->uri = copy;
    item->flavor = flavor;
    item->priority = priority;
    item->key = ++last_key;
    item_count++;
    item->next = request->items;
    if (request->items) request->items->previous = item;
    request->items = item;
    if (begin(item, type) < 0) remove_item(item);  // else a callback is called
}

static size_t count_of(char **strings) {
    size_t count = 0;
    while (strings && strings[count]) count++;
    return count;
}

static void free_strings(char **strings) {
    for (char **string = strings; string && *string; string++) free(*string);
    free(strings);
}

// MARK: - Methods

/// Submits all URIs, or none if there is no room, and replies before the first signal.
static int queue_uris(
    sd_bus_message *call, char **uris, char **mime_types, const char *flavor, const char *scheduler) {
    size_t count = count_of(uris), type_count = count_of(mime_types);
    if (count > ROOM - item_count) {
        return sd_bus_reply_method_errorf(
            call, SD_BUS_ERROR_LIMITS_EXCEEDED, "No more than %d thumbnails can wait", ROOM);
    }
    if (is_leaving) return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_DISCONNECTED, "Ending");
    struct request *request = add_request();
    if (!request) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        add_item(
            request, uris[i], i < type_count ? mime_types[i] : NULL, flavor_named(flavor),
            priority_named(scheduler));
    }
    int result = sd_bus_reply_method_return(call, "u", request->handle);
    if (!request->items) finish(request);
    return result;
}

static int queue_method(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    char **uris = NULL, **types = NULL;
    const char *flavor, *scheduler;
    uint32_t dequeued;
    int result = sd_bus_message_read_strv(call, &uris);
    if (result >= 0) result = sd_bus_message_read_strv(call, &types);
    if (result >= 0) result = sd_bus_message_read(call, "ssu", &flavor, &scheduler, &dequeued);
    if (result >= 0) {
        struct request *before = request_of(dequeued);
        if (before) cancel(before);
        result = queue_uris(call, uris, types, flavor, scheduler);
    }
    free_strings(uris);
    free_strings(types);
    return result;
}

static int dequeue_method(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    uint32_t handle;
    int result = sd_bus_message_read(call, "u", &handle);
    if (result < 0) return result;
    struct request *request = request_of(handle);
    result = sd_bus_reply_method_return(call, "");
    if (request) cancel(request);
    return result;
}

static int get_supported(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    return sd_bus_reply_method_return(
        call, "asas", 1, "file", TYPES, types[0], types[1], types[2], types[3]);
}

static int get_schedulers(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    return sd_bus_reply_method_return(call, "as", 3, "default", "foreground", "background");
}

static int get_flavors(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    return sd_bus_reply_method_return(call, "as", 2, flavors[0].name, flavors[1].name);
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD_WITH_NAMES(
        "Queue", "asasssu",
        SD_BUS_PARAM(uris) SD_BUS_PARAM(mime_types) SD_BUS_PARAM(flavor) SD_BUS_PARAM(scheduler)
            SD_BUS_PARAM(handle_to_unqueue),
        "u", SD_BUS_PARAM(handle), queue_method, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES(
        "Dequeue", "u", SD_BUS_PARAM(handle), "", , dequeue_method, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES(
        "GetSupported", "", , "asas", SD_BUS_PARAM(uri_schemes) SD_BUS_PARAM(mime_types),
        get_supported, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES(
        "GetSchedulers", "", , "as", SD_BUS_PARAM(schedulers), get_schedulers,
        SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_NAMES(
        "GetFlavors", "", , "as", SD_BUS_PARAM(flavors), get_flavors, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL_WITH_NAMES("Started", "u", SD_BUS_PARAM(handle), 0),
    SD_BUS_SIGNAL_WITH_NAMES("Finished", "u", SD_BUS_PARAM(handle), 0),
    SD_BUS_SIGNAL_WITH_NAMES("Ready", "uas", SD_BUS_PARAM(handle) SD_BUS_PARAM(uris), 0),
    SD_BUS_SIGNAL_WITH_NAMES(
        "Error", "uasis",
        SD_BUS_PARAM(handle) SD_BUS_PARAM(failed_uris) SD_BUS_PARAM(error_code)
            SD_BUS_PARAM(message),
        0),
    SD_BUS_VTABLE_END,
};

// MARK: - The service

/// Makes the folders of all flavors below the user's cache; returns whether it could.
static bool make_folders(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool has_cache = cache && *cache == '/';
    char root[2048];
    const char *above = has_cache ? cache : home ? home : "";
    int count = snprintf(root, sizeof root, "%s%s", above, has_cache ? "" : "/.cache");
    if (count >= (int)sizeof root) return false;
    mkdir(root, 0700);
    strcat(strcpy(flavors[0].folder, root), "/thumbnails");
    mkdir(flavors[0].folder, 0700);
    for (size_t i = 0; i < FLAVORS; i++) {
        struct flavor *flavor = &flavors[i];
        snprintf(flavor->folder, sizeof flavor->folder, "%s/thumbnails/%s", root, flavor->name);
        if (mkdir(flavor->folder, 0700) < 0 && errno != EEXIST) return false;
    }
    return true;
}

static void leave(lull_loop *host_loop, void *context) {
    (void)host_loop;
    sd_event_exit(context, 0);
}

/// Finishes what can be made in a second, and ends.
static int shut_down(
    sd_event_source *source, const struct signalfd_siginfo *signal, void *context) {
    (void)signal, (void)context;
    is_leaving = true;
    lull_loop_shutdown(loop, 1000000000, NULL, leave, sd_event_source_get_event(source));
    return 0;
}

static int serve(sd_event *event) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int result = sd_event_add_signal(event, NULL, SIGINT, shut_down, NULL);
    if (result >= 0) result = sd_event_add_signal(event, NULL, SIGTERM, shut_down, NULL);
    if (result >= 0) result = sd_bus_open_user(&bus);
    if (result >= 0) result = sd_bus_attach_event(bus, event, SD_EVENT_PRIORITY_NORMAL);
    if (result >= 0) {
        result = sd_bus_add_object_vtable(bus, NULL, PATH, INTERFACE, methods, NULL);
    }
    if (result >= 0) result = sd_bus_request_name(bus, INTERFACE, 0);
    return result >= 0 ? sd_event_loop(event) : result;
}

int main(void) {
    sd_event *event = NULL;
    lull_pictures_options options;
    if (!make_folders()) {
        perror("thumbnails");
        return 1;
    }
    lull_pictures_options_init(&options, sizeof options);
    options.format = LULL_PIXELS_RGBA;
    lull_status status = LULL_SYSTEM;
    if (sd_event_default(&event) >= 0) {
        status = lull_adopt_sd_event(event, SD_EVENT_PRIORITY_IDLE + 1, &loop);
    }
    if (status == LULL_OK) status = lull_queue_new(loop, NULL, &queue);
    if (status == LULL_OK) status = lull_pictures_new(loop, &options, &pictures);
    if (status == LULL_OK) status = lull_pictures_get_queue(pictures, &decoding);
    if (status != LULL_OK) {
        fprintf(stderr, "lull: %s\n", lull_status_text(status));
        return 1;
    }
    int result = serve(event);
    if (result < 0) fprintf(stderr, "thumbnailer: %s\n", strerror(-result));
    lull_close(loop);
    lull_pictures_close(pictures);
    sd_bus_flush_close_unref(bus);
    sd_event_unref(event);
    return result < 0 ? 1 : 0;
}
