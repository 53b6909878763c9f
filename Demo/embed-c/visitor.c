#include "visitor.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_ANSWERS 100000

static pthread_t thread;
static double times[MOST_ANSWERS];
static char answer[2 << 20];

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/// Asks for a path and reads to the end; the answer's length, or -1.
static long ask(int port, const char *path) {
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    char request[128];
    int length = snprintf(
        request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
    long size = -1;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 &&
        write(descriptor, request, (size_t)length) == length) {
        ssize_t count = 0;
        size = 0;
        do {
            size += count;
            count = read(descriptor, answer + size, sizeof answer - 1 - (size_t)size);
        } while (count > 0);
        answer[size] = 0;
    }
    close(descriptor);
    return size;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *visit_server(void *context) {
    struct visit *visit = context;
    bool is_done = false, is_well = true;
    while (!is_done && is_well && visit->answers < MOST_ANSWERS) {
        double start = now_ms();
        is_well = ask(visit->port, "/") > 0 && strstr(answer, "200 OK");
        times[visit->answers++] = now_ms() - start;
        is_done = strstr(answer, "\"done\":true") != NULL;
        if (!is_done) visit->early++;
    }
    qsort(times, (size_t)visit->answers, sizeof *times, compare);
    visit->median = times[visit->answers / 2];
    visit->longest = times[visit->answers - 1];
    visit->is_content = is_done && is_well && ask(visit->port, "/picture.pgm") > 1000000 &&
                        strstr(answer, "200 OK") && strstr(answer, "\r\n\r\nP5 1000 1000 255\n");
    visit->leave(visit->context);
    return NULL;
}

bool visit_begin(struct visit *visit) {
    return pthread_create(&thread, NULL, visit_server, visit) == 0;
}

void visit_end(struct visit *visit) {
    (void)visit;
    pthread_join(thread, NULL);
}
