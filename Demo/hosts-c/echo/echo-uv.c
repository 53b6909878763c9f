// A TCP echo server on libuv, while a thousand jobs run in its lulls:
//
//     echo-uv    says how long echoes took with Lull, and with one whole job in each call of a
//                uv_idle_t; status 1 if one was lost, or not all jobs were done

#include <lull.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "client.h"
#include "work.h"

struct server {
    uv_loop_t loop;
    uv_tcp_t listener, connection;
    uv_async_t left;
    uv_idle_t idle;
    lull_loop *guest;
};

/// An echo on its way.
struct reply {
    uv_write_t request;
    char bytes[];
};

static void allocate(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    struct reply *reply = malloc(sizeof *reply + CLIENT_BYTES);
    *buffer = uv_buf_init(reply ? reply->bytes : NULL, reply ? CLIENT_BYTES : 0);
}

static struct reply *reply_of(char *bytes) {
    return (struct reply *)(void *)(bytes - offsetof(struct reply, bytes));
}

static void has_written(uv_write_t *request, int status) {
    (void)status;
    free(request);
}

static void has_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (!buffer->base) return;
    struct reply *reply = reply_of(buffer->base);
    uv_buf_t echo = uv_buf_init(reply->bytes, count > 0 ? (unsigned)count : 0);
    if (count <= 0 || uv_write(&reply->request, stream, &echo, 1, has_written) < 0) free(reply);
    if (count < 0) uv_read_stop(stream);
}

static void accept_client(uv_stream_t *listener, int status) {
    struct server *server = listener->data;
    if (status < 0 || uv_accept(listener, (uv_stream_t *)&server->connection) < 0) return;
    uv_tcp_nodelay(&server->connection, 1);
    uv_read_start((uv_stream_t *)&server->connection, allocate, has_read);
}

static void work_a_job(uv_idle_t *idle) {
    if (work_is_done()) {
        uv_idle_stop(idle);
    } else {
        work_whole_job();
    }
}

/// Looks whether the work is done, after each poll.
static void look(uv_check_t *check) {
    (void)check;
    if (work_is_done()) client_stop();
}

static void leave(void *context) {
    uv_async_send(context);
}

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static void client_left(uv_async_t *left) {
    uv_stop(left->loop);
}

/// Listens at a port that the system chooses, and returns it, or -1.
static int start_listening(struct server *server) {
    struct sockaddr_in address;
    int length = sizeof address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(&server->loop, &server->listener);
    uv_tcp_init(&server->loop, &server->connection);
    server->listener.data = server;
    if (uv_tcp_bind(&server->listener, (struct sockaddr *)&address, 0) < 0 ||
        uv_listen((uv_stream_t *)&server->listener, 8, accept_client) < 0 ||
        uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &length) < 0) {
        return -1;
    }
    return ntohs(address.sin_port);
}

static lull_status start_guest(struct server *server) {
    lull_queue *queue;
    lull_status status = lull_adopt_uv(&server->loop, &server->guest);
    if (status == LULL_OK) status = lull_queue_new(server->guest, NULL, &queue);
    return status == LULL_OK ? work_submit(queue) : status;
}

static bool measure(bool with_lull, const char *name) {
    struct server server = {.guest = NULL};
    uv_check_t check;
    work_begin();
    uv_loop_init(&server.loop);
    uv_async_init(&server.loop, &server.left, client_left);
    uv_check_init(&server.loop, &check);
    uv_check_start(&check, look);
    uv_idle_init(&server.loop, &server.idle);
    int port = start_listening(&server), socket = port < 0 ? -1 : client_connect(port);
    lull_status status = LULL_OK;
    if (with_lull) {
        status = start_guest(&server);
    } else {
        uv_idle_start(&server.idle, work_a_job);
    }
    struct client client = {
        .output = socket, .input = socket, .leave = leave, .context = &server.left};
    bool is_well = socket >= 0 && status == LULL_OK && client_begin(&client);
    if (is_well) {
        uv_run(&server.loop, UV_RUN_DEFAULT);
        is_well = client_report(&client, name) && work_is_done();
    } else {
        fprintf(stderr, "can't serve: %s\n", lull_status_text(status));
    }
    close(socket);
    // All handles are closed, the guest's by itself, before the loop is.
    lull_close(server.guest);
    uv_walk(&server.loop, close_handle, NULL);
    uv_run(&server.loop, UV_RUN_DEFAULT);
    return uv_loop_close(&server.loop) == 0 && is_well;
}

int main(void) {
    client_print_heads();
    bool is_well = measure(false, "libuv, one job a uv_idle_t");
    is_well = measure(true, "libuv, jobs through Lull") && is_well;
    return is_well ? 0 : 1;
}
