// A program that is started as a helper and misbehaves, each time as its own name says: tests call
// it by links of other names. With -on-old-kernel at the end of its name, the kernel lacks calls.
#define _GNU_SOURCE
#include "COldKernel.h"
#include "CLullSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { channel = 3, mark_at = 0, id_at = 1, kind_at = 2, width_at = 3, height_at = 4, text_at = 11 };
enum { ready, picture, failed };

/// Twelve numbers and two hundred bytes, as the library has them.
typedef struct {
    int64_t numbers[12];
    char text[200];
} Message;

static const int64_t mark = 0x4C50480004;

static void send_message(const void *bytes, size_t count, const int *files, int file_count) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(16 * sizeof(int))] = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file_count > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE((size_t)file_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)file_count * sizeof(int));
        memcpy(CMSG_DATA(header), files, (size_t)file_count * sizeof(int));
    }
    if (sendmsg(channel, &message, MSG_NOSIGNAL) < 0) _exit(0);
}

static void reply(int64_t id, int64_t kind, int64_t a, int64_t b, int file) {
    Message message = {.numbers = {mark, id, kind, a, b}};
    send_message(&message, sizeof message, &file, file < 0 ? 0 : 1);
}

static void reply_text(int64_t id, int64_t code, const char *text, int64_t count) {
    Message message = {.numbers = {mark, id, failed, code}};
    message.numbers[text_at] = count;
    memcpy(message.text, text, strlen(text));
    send_message(&message, sizeof message, NULL, 0);
}

/// Takes a message, and gives the file that came with it.
static int take(Message *message) {
    SandboxMessage got = sandbox_receive(channel, message, sizeof *message, true);
    if (got.count <= 0) _exit(0);
    if (got.descriptor < 0) _exit(70);
    return got.descriptor;
}

/// Works for ever, unmoved by all signals that can be blocked and by limits that it can raise.
static void burn(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0) _exit(70);
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_CPU, &limit) != 0) _exit(70);
    for (volatile unsigned count = 0;; count++) {
    }
}

/// Becomes the real helper, which is in the same folder as this program.
static void be_real(void) {
    char path[PATH_MAX + sizeof "lull-picture-helper"];
    ssize_t count = readlink("/proc/self/exe", path, PATH_MAX);
    while (count > 0 && path[count - 1] != '/') count--;
    if (count <= 0) _exit(70);
    memcpy(path + count, "lull-picture-helper", sizeof "lull-picture-helper");
    execv(path, (char *[]){path, NULL});
    _exit(70);
}

/// Shuts itself in, and does what no helper may.
static void attempt(const char *deed, int pixels) {
    const off_t memory = 1 << 20;
    const int kept = dup2(channel, pixels + 100);
    if (kept < 0 || sandbox_enter(channel, pixels, memory)) _exit(70);
    if (!strncmp(deed, "kept", 4)) _exit(close(kept) < 0 && errno == EBADF ? 0 : 71);
    if (!strncmp(deed, "open", 4)) (void)open("/etc/passwd", O_RDONLY);
    if (!strcmp(deed, "socket")) (void)socket(AF_INET, SOCK_STREAM, 0);
    if (!strcmp(deed, "fork") && fork() == 0) _exit(0);
    if (!strcmp(deed, "exec")) (void)execv("/bin/true", (char *[]){(char *)"true", NULL});
    if (!strcmp(deed, "kill")) (void)kill(1, 0);
    if (!strcmp(deed, "trace")) (void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    if (!strcmp(deed, "code"))
        (void)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!strcmp(deed, "file")) (void)memfd_create("more", 0);
    if (!strcmp(deed, "grow")) (void)pwrite(pixels, "", 1, memory);
    _exit(0);
}

static void start(const char *name, int pixels) {
    if (!strcmp(name, "silent-start")) pause();
    if (!strcmp(name, "early-exit")) _exit(3);
    if (!strcmp(name, "early-death")) abort();
    if (!strcmp(name, "stranger")) send_message("hello", 5, NULL, 0);
    if (!strcmp(name, "other-version")) {
        Message message = {.numbers = {mark + 1}};
        send_message(&message, sizeof message, NULL, 0);
    }
    if (!strncmp(name, "try-", 4)) attempt(name + 4, pixels);
    char grey[64];
    memset(grey, 0x80, sizeof grey);
    const ssize_t count = !strcmp(name, "too-few") ? 63 : 64;
    if (pwrite(pixels, grey, (size_t)count, 0) != count) _exit(70);
    if (!strcmp(name, "deaf") && shutdown(channel, SHUT_RD) != 0) _exit(70);
    reply(0, ready, 0, 0, !strcmp(name, "ready-with-file") ? channel : -1);
    if (!strcmp(name, "unasked")) reply(1, picture, 4, 4, -1);
}

static void answer(const char *name, int64_t id, int file) {
    const int files[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    const Message good = {.numbers = {mark, id, picture, 4, 4}};
    if (!strcmp(name, "short")) send_message("short", 5, NULL, 0);
    if (!strcmp(name, "short-with-file")) send_message("short", 5, files, 1);
    if (!strcmp(name, "empty")) send_message("", 0, NULL, 0);
    if (!strcmp(name, "empty-with-file")) send_message("", 0, files, 1);
    if (!strcmp(name, "long")) {
        const char bytes[1000] = {0};
        send_message(bytes, sizeof bytes, NULL, 0);
    }
    if (!strcmp(name, "wrong-mark")) {
        Message message = good;
        message.numbers[mark_at] = 0;
        send_message(&message, sizeof message, NULL, 0);
    }
    if (!strcmp(name, "wrong-kind")) reply(id, 77, 4, 4, -1);
    if (!strcmp(name, "wrong-id")) reply(id + 1, picture, 4, 4, -1);
    if (!strcmp(name, "old-id")) reply(id - 1, picture, 4, 4, -1);
    if (!strcmp(name, "ready-again")) reply(id, ready, 0, 0, -1);
    if (!strcmp(name, "picture-with-file")) reply(id, picture, 4, 4, file);
    if (!strcmp(name, "two-files")) send_message(&good, sizeof good, files, 2);
    if (!strcmp(name, "ten-files")) send_message(&good, sizeof good, files, 10);
    if (!strcmp(name, "too-few")) reply(id, picture, 4, 4, -1);
    if (!strcmp(name, "too-wide")) reply(id, picture, 9, 1, -1);
    if (!strcmp(name, "no-size")) reply(id, picture, 0, 0, -1);
    if (!strcmp(name, "negative-size")) reply(id, picture, -4, -4, -1);
    if (!strcmp(name, "endless-size")) reply(id, picture, INT64_MAX, INT64_MAX, -1);
    if (!strcmp(name, "odd-reason")) reply_text(id, 99, "", 0);
    if (!strcmp(name, "odd-truth")) reply_text(id, 5, "wishes", 6);
    if (!strcmp(name, "endless-text")) reply_text(id, 8, "x", INT64_MAX);
    if (!strcmp(name, "negative-text")) reply_text(id, 8, "x", -1);
    if (!strcmp(name, "reason-with-file")) reply(id, failed, 4, 0, 0);
    if (!strcmp(name, "escapes")) reply_text(id, 8, "a\033[2J\n\xFF" "b", 8);
    if (!strcmp(name, "flood"))
        for (;;) reply(id, picture, 4, 4, -1);
    if (!strcmp(name, "abort")) abort();
    if (!strcmp(name, "exit")) _exit(7);
    if (!strcmp(name, "silence")) pause();
    if (!strcmp(name, "burn")) burn();
    if (!strcmp(name, "answer-and-burn")) {
        reply(id, picture, 4, 4, -1);
        burn();
    }
    if (!strcmp(name, "hang-up")) {
        close(channel);
        pause();
    }
    if (!strcmp(name, "answer-and-exit")) {
        reply(id, picture, 4, 4, -1);
        _exit(0);
    }
    if (!strcmp(name, "honest")) reply(id, picture, 4, 4, -1);
    close(file);
}

int main(int count, char **words) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(1200);
    if (count < 1) return 70;
    const char *slash = strrchr(words[0], '/');
    const char *name = slash ? slash + 1 : words[0];
    const char *kernel = strstr(name, "-on-old-kernel");
    if (kernel && lull_enter_old_kernel() != 0) return 70;
    if (!strcmp(name, "real-on-old-kernel")) be_real();
    Message message;
    start(name, take(&message));
    for (;;) {
        int file = take(&message);
        answer(name, message.numbers[id_at], file);
    }
}
