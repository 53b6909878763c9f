#include "client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static atomic_bool is_stopping;

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int client_connect(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/// Sends a message and waits for its echo; returns whether it came, unchanged.
static bool make_trip(const struct client *client) {
    char message[CLIENT_BYTES], echo[CLIENT_BYTES];
    memset(message, 'a' + client->trips % 26, sizeof message);
    memcpy(message, &client->trips, sizeof client->trips);
    if (write(client->output, message, sizeof message) != (ssize_t)sizeof message) return false;
    for (size_t size = 0; size < sizeof echo;) {
        struct pollfd ready = {.fd = client->input, .events = POLLIN};
        if (poll(&ready, 1, 10000) <= 0) return false;
        ssize_t count = read(client->input, echo + size, sizeof echo - size);
        if (count <= 0) return false;
        size += (size_t)count;
    }
    return memcmp(message, echo, sizeof echo) == 0;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *send_all(void *context) {
    struct client *client = context;
    double begin = now_ms();
    while (!is_stopping && client->trips < CLIENT_MOST_TRIPS) {
        double start = now_ms();
        if (!make_trip(client)) {
            client->lost++;
            break;
        }
        client->times[client->trips++] = now_ms() - start;
        // At any moment of a job, rather than always at the end of the one that was waited for.
        nanosleep(&(struct timespec){.tv_nsec = 100000 + client->trips % 13 * 50000}, NULL);
    }
    client->time = (now_ms() - begin) / 1e3;
    client->leave(client->context);
    return NULL;
}

bool client_begin(struct client *client) {
    is_stopping = false;
    client->trips = client->lost = 0;
    client->times = calloc(CLIENT_MOST_TRIPS, sizeof *client->times);
    if (!client->times) return false;
    if (pthread_create(&client->thread, NULL, send_all, client) == 0) return true;
    free(client->times);
    return false;
}

void client_stop(void) {
    is_stopping = true;
}

void client_print_heads(void) {
    printf("%-28s %6s %8s %8s %8s %6s\n", "", "echoes", "p50 ms", "p99 ms", "max ms", "s");
}

bool client_report(struct client *client, const char *name) {
    pthread_join(client->thread, NULL);
    int count = client->trips;
    qsort(client->times, (size_t)count, sizeof *client->times, compare);
    if (count > 0) {
        client->median = client->times[count / 2];
        client->p99 = client->times[(long)count * 99 / 100];
        client->longest = client->times[count - 1];
    }
    free(client->times);
    printf(
        "%-28s %6d %8.2f %8.2f %8.2f %6.1f\n", name, count, client->median, client->p99,
        client->longest, client->time);
    fflush(stdout);
    if (client->lost) fprintf(stderr, "%s: an echo is lost\n", name);
    return client->lost == 0 && count > 0;
}
