#define _GNU_SOURCE
#include "CLullSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

int sandbox_socket_pair(int *one, int *other) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

bool sandbox_send(int socket, const void *bytes, size_t count, int descriptor, bool waits) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count;
}

SandboxMessage sandbox_receive(int socket, void *bytes, size_t room, bool waits) {
    SandboxMessage result = {.descriptor = -1};
    // Not CMSG_SPACE, whose padding would have room for a second descriptor. The kernel closes
    // descriptors that don't fit.
    _Alignas(struct cmsghdr) char control[CMSG_LEN(sizeof result.descriptor)];
    struct iovec part = {bytes, room};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof control,
    };
    do {
        result.count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    } while (result.count < 0 && errno == EINTR);
    if (result.count < 0) return result;
    result.is_whole = !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(&result.descriptor, CMSG_DATA(header), sizeof result.descriptor);
    return result;
}

int sandbox_memory_file(void) { return memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

// Not F_SEAL_WRITE, which checks every page, and may wait for pages that another processor holds.
int sandbox_seal(int file) { return fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK); }
