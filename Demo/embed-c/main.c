// A daemon with an event_base of its own that draws a picture in the lulls of its HTTP server:
//
//     embed-c [PORT]    serves 127.0.0.1:PORT (8080) until SIGINT or SIGTERM: / and /picture.pgm
//     embed-c --check   serves any port, asks itself all the while, says what it saw, and ends;
//                       status 0 if every answer came and all rows were drawn

#include <event2/event.h>
#include <lull.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "server.h"
#include "visitor.h"

static struct event_base *base;

static void write_state(void *context, char *line, size_t size) {
    const struct drawing *drawing = context;
    snprintf(
        line, size, "{\"rows\":%d,\"of\":%d,\"slices\":%d,\"done\":%s}\n", drawing_rows(drawing),
        DRAWING_ROWS, drawing_slices(drawing), drawing_is_done(drawing) ? "true" : "false");
}

static const unsigned char *picture(void *context, size_t *size) {
    return drawing_file(context, size);
}

static void end(lull_loop *loop, void *context) {
    (void)loop;
    (void)context;
    event_base_loopbreak(base);
}

/// Finishes what can be drawn in a second, and ends.
static void shut_down(evutil_socket_t signal, short what, void *context) {
    (void)signal;
    (void)what;
    lull_loop_shutdown(context, 1000000000, NULL, end, NULL);
}

static struct event *shut_down_at(int signal, lull_loop *loop) {
    struct event *event = evsignal_new(base, signal, shut_down, loop);
    if (event) event_add(event, NULL);
    return event;
}

/// The visitor's last word; it comes from its thread.
static void leave(void *context) {
    lull_post(context, end, NULL);
}

static bool report(const struct visit *visit, const struct drawing *drawing) {
    printf(
        "%d jobs in %d slices; %d answers meanwhile, median %.2f ms, longest %.2f ms\n",
        drawing_rows(drawing), drawing_slices(drawing), visit->early, visit->median,
        visit->longest);
    if (visit->is_content && visit->early > 0 && drawing_is_done(drawing)) return true;
    fprintf(stderr, "not every answer came, or came too late\n");
    return false;
}

int main(int argc, char **argv) {
    bool checks = argc > 1 && !strcmp(argv[1], "--check");
    int port = checks ? 0 : argc > 1 ? atoi(argv[1]) : 8080;
    bool is_well = true;

    base = event_base_new();
    lull_loop *loop;
    lull_status status = lull_adopt(base, &loop);
    if (status != LULL_OK) {
        fprintf(stderr, "lull: %s\n", lull_status_text(status));
        return 1;
    }
    struct drawing *drawing = drawing_start(loop);
    if (!drawing) return 1;
    struct site site = {.state = write_state, .picture = picture, .context = drawing};
    port = server_start(base, port, &site);
    if (port < 0) {
        fprintf(stderr, "can't listen there\n");
        return 1;
    }
    struct event *interrupt = shut_down_at(SIGINT, loop);
    struct event *terminate = shut_down_at(SIGTERM, loop);

    struct visit visit = {.port = port, .leave = leave, .context = loop};
    if (!checks) {
        printf("http://127.0.0.1:%d/\n", port);
        fflush(stdout);
    } else if (!visit_begin(&visit)) {
        return 1;
    }
    event_base_dispatch(base);
    if (checks) {
        visit_end(&visit);
        is_well = report(&visit, drawing);
    }

    server_stop();
    lull_close(loop);
    drawing_free(drawing);
    if (interrupt) event_free(interrupt);
    if (terminate) event_free(terminate);
    event_base_free(base);
    return is_well ? 0 : 1;
}
