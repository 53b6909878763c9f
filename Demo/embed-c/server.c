#include "server.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <sys/socket.h>

static struct evhttp *http;

static void reply(
    struct evhttp_request *request, const char *type, const void *bytes, size_t size) {
    struct evbuffer *body = evbuffer_new();
    if (!body || evbuffer_add(body, bytes, size) < 0) {
        evhttp_send_error(request, HTTP_INTERNAL, NULL);
    } else {
        evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", type);
        evhttp_send_reply(request, HTTP_OK, "OK", body);
    }
    if (body) evbuffer_free(body);
}

static void get_state(struct evhttp_request *request, void *context) {
    const struct site *site = context;
    char line[256];
    site->state(site->context, line, sizeof line);
    size_t length = 0;
    while (line[length]) length++;
    reply(request, "application/json", line, length);
}

static void get_picture(struct evhttp_request *request, void *context) {
    const struct site *site = context;
    size_t size;
    const unsigned char *bytes = site->picture(site->context, &size);
    if (bytes) {
        reply(request, "image/x-portable-graymap", bytes, size);
    } else {
        evhttp_send_error(request, HTTP_SERVUNAVAIL, "Still being drawn");
    }
}

static int port_of(struct evhttp_bound_socket *bound) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int descriptor = evhttp_bound_socket_get_fd(bound);
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) < 0) return -1;
    return ntohs(address.sin_port);
}

int server_start(struct event_base *base, int port, const struct site *site) {
    http = evhttp_new(base);
    if (!http) return -1;
    evhttp_set_allowed_methods(http, EVHTTP_REQ_GET);
    evhttp_set_max_headers_size(http, 8192);
    evhttp_set_max_body_size(http, 0);
    evhttp_set_timeout(http, 10);
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(http, "127.0.0.1", (ev_uint16_t)port);
    if (!bound || evhttp_set_cb(http, "/", get_state, (void *)site) < 0 ||
        evhttp_set_cb(http, "/picture.pgm", get_picture, (void *)site) < 0) {
        server_stop();
        return -1;
    }
    return port_of(bound);
}

void server_stop(void) {
    if (http) evhttp_free(http);
    http = NULL;
}
