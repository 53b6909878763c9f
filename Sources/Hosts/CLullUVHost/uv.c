// A libuv loop as a host. A poll handle watches the loop's descriptor. libuv has no idle moment:
// its idle handles run in each pass. But right after a poll it can be asked whether anything else
// is pending, and its kernel queue whether anything has become ready since, so that idle is exact.
// An idle handle, while a moment is requested, only keeps the poll from blocking.

#include "lull-uv.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <uv.h>

/// The handles, which libuv needs until they have been closed.
struct handles {
    uv_poll_t ready;
    uv_idle_t spin;
    uv_check_t check;
    int open;
};

struct host {
    uv_loop_t *loop;
    lull_guest guest;
    struct handles *handles;
    int64_t next_due;
    /// How many times in a row libuv wouldn't have waited, although nothing was ready.
    int zeros;
};

static void serve(uv_poll_t *handle, int status, int events) {
    (void)status, (void)events;
    // A copy, since the guest may end and release the host.
    const lull_guest guest = ((struct host *)handle->data)->guest;
    guest.serve(guest.context);
}

static void spin(uv_idle_t *handle) {
    (void)handle;
}

/// Called right after a poll that didn't block.
static void be_idle(uv_check_t *check) {
    struct host *host = check->data;
    const lull_guest guest = host->guest;
    uv_idle_stop(&host->handles->spin);
    // Zero if a timer is due or a handle is being closed, both of which the next pass does, or if
    // another idle handle is active, with which work takes turns.
    int timeout = uv_backend_timeout(host->loop);
    host->zeros = timeout == 0 ? host->zeros + 1 : 0;
    uv_check_stop(check);
    struct pollfd queue = {.fd = uv_backend_fd(host->loop), .events = POLLIN};
    int is_busy = host->zeros == 1 || poll(&queue, 1, 0) > 0;
    host->next_due = timeout <= 0 ? LULL_NONE : (int64_t)uv_hrtime() + timeout * INT64_C(1000000);
    guest.idle(is_busy, guest.context);
}

static void closed(uv_handle_t *handle) {
    struct handles *handles = handle->data;
    if (--handles->open == 0) free(handles);
}

static void close_handle(uv_handle_t *handle, struct handles *handles) {
    // A host that closes whatever uv_walk finds has closed this, too. Then nobody tells when it may
    // be freed, and it never is.
    if (uv_is_closing(handle)) return;
    handle->data = handles;
    uv_close(handle, closed);
}

static void end(void *context) {
    struct host *host = context;
    struct handles *handles = host->handles;
    if (!handles) return;
    host->handles = NULL;
    close_handle((uv_handle_t *)&handles->ready, handles);
    close_handle((uv_handle_t *)&handles->spin, handles);
    close_handle((uv_handle_t *)&handles->check, handles);
}

static int begin(const lull_guest *guest, void *context) {
    struct host *host = context;
    struct handles *handles = calloc(1, sizeof *handles);
    if (!handles) return -UV_ENOMEM;
    int result = uv_poll_init(host->loop, &handles->ready, guest->descriptor);
    if (result < 0) {
        free(handles);
        return -result;
    }
    uv_idle_init(host->loop, &handles->spin);
    uv_check_init(host->loop, &handles->check);
    handles->open = 3;
    handles->ready.data = handles->check.data = host;
    host->guest = *guest;
    host->handles = handles;
    uv_unref((uv_handle_t *)&handles->ready);
    result = uv_poll_start(&handles->ready, UV_READABLE, serve);
    if (result < 0) end(host);
    return -result;
}

static int request_idle(void *context) {
    struct host *host = context;
    if (uv_is_closing((uv_handle_t *)&host->handles->check)) return ECANCELED;
    uv_idle_start(&host->handles->spin, spin);
    uv_check_start(&host->handles->check, be_idle);
    return 0;
}

static void keep_running(int is_needed, void *context) {
    struct host *host = context;
    uv_handle_t *handle = (uv_handle_t *)&host->handles->ready;
    if (is_needed) {
        uv_ref(handle);
    } else {
        uv_unref(handle);
    }
}

static void update_time(void *context) {
    uv_update_time(((struct host *)context)->loop);
}

static int64_t next_due(void *context) {
    return ((struct host *)context)->next_due;
}

lull_host lull_uv_host(struct uv_loop_s *loop) {
    lull_host functions;
    lull_host_init(&functions, sizeof functions);
    struct host *host = calloc(1, sizeof *host);
    if (!host) return functions;
    host->loop = loop;
    host->next_due = LULL_NONE;
    functions.context = host;
    functions.begin = begin;
    functions.request_idle = request_idle;
    functions.keep_running = keep_running;
    functions.update_time = update_time;
    functions.next_due = next_due;
    functions.end = end;
    functions.release = free;
    return functions;
}

#ifdef LULL_LIBRARY
lull_status lull_adopt_uv(struct uv_loop_s *host_loop, lull_loop **loop) {
    if (!host_loop) return lull_adopt_host(NULL, loop);  // LULL_INVALID
    const lull_host host = lull_uv_host(host_loop);
    return lull_adopt_host(&host, loop);
}
#endif
