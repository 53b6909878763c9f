// A loop of epoll's own, as in any program that has none of the known libraries, with a guest: it
// echoes what comes through a pipe, while a thousand jobs run in its lulls.
//
//     echo-epoll    says how long echoes took with Lull, and with one whole job a pass; status 1 if
//                   one was lost, or not all jobs were done

#include <fcntl.h>
#include <lull.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "client.h"
#include "work.h"

/// What the loop watches: the client's pipe, its last word, and the guest's descriptor.
enum { REQUESTS, LEFT, GUEST, DESCRIPTORS };

static void leave(void *context) {
    (void)!write(*(int *)context, &(uint64_t){1}, sizeof(uint64_t));
}

static bool watch(int epoll, int descriptor, uint32_t what) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static void echo(int input, int output) {
    char bytes[CLIENT_BYTES];
    ssize_t count = read(input, bytes, sizeof bytes);
    if (count > 0) (void)!write(output, bytes, (size_t)count);
}

/// The loop: with a guest, or with work of its own whenever nothing is ready.
static void run(int epoll, int input, int output, lull_loop *guest) {
    for (bool is_running = true; is_running;) {
        struct epoll_event events[DESCRIPTORS];
        bool has_work = !guest && !work_is_done(), was_busy = false, is_guest_ready = false;
        int count = epoll_wait(epoll, events, DESCRIPTORS, has_work ? 0 : -1);
        for (int i = 0; i < count; i++) {
            switch (events[i].data.u32) {
            case REQUESTS: echo(input, output); was_busy = true; break;
            case LEFT: is_running = false; break;
            case GUEST: is_guest_ready = true; break;
            }
        }
        if (is_guest_ready) lull_process(guest, was_busy);
        if (has_work && count == 0) work_whole_job();
        if (work_is_done()) client_stop();
    }
}

static bool measure(bool with_lull, const char *name) {
    int requests[2], echoes[2], descriptor = -1;
    int epoll = epoll_create1(EPOLL_CLOEXEC), left = eventfd(0, EFD_CLOEXEC);
    lull_loop *guest = NULL;
    lull_queue *queue = NULL;
    work_begin();
    if (epoll < 0 || left < 0 || pipe2(requests, O_CLOEXEC) < 0 || pipe2(echoes, O_CLOEXEC) < 0) {
        perror("echo-epoll");
        return false;
    }
    if (with_lull) {
        lull_status status = lull_adopt_fd(&guest, &descriptor);
        if (status == LULL_OK) status = lull_queue_new(guest, NULL, &queue);
        if (status == LULL_OK) status = work_submit(queue);
        if (status != LULL_OK) {
            fprintf(stderr, "lull: %s\n", lull_status_text(status));
            return false;
        }
        watch(epoll, descriptor, GUEST);
    }
    watch(epoll, requests[0], REQUESTS);
    watch(epoll, left, LEFT);
    struct client client = {
        .output = requests[1], .input = echoes[0], .leave = leave, .context = &left};
    if (!client_begin(&client)) return false;
    run(epoll, requests[0], echoes[1], guest);
    bool is_well = client_report(&client, name) && work_is_done();
    lull_close(guest);  // its descriptor is closed with it
    int ours[] = {requests[0], requests[1], echoes[0], echoes[1], left, epoll};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) close(ours[i]);
    return is_well;
}

int main(void) {
    client_print_heads();
    bool is_well = measure(false, "epoll, one whole job a pass");
    is_well = measure(true, "epoll, jobs through Lull") && is_well;
    return is_well ? 0 : 1;
}
