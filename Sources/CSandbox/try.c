#define _GNU_SOURCE
#include "CSandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

static void try_open(void) { (void)open("/etc/passwd", O_RDONLY); }
static void try_socket(void) { (void)socket(AF_INET, SOCK_STREAM, 0); }
static void try_fork(void) { if (fork() == 0) _exit(0); }
static void try_kill(void) { (void)kill(getppid(), 0); }
static void try_trace(void) { (void)ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static void try_code(void) {
    (void)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void try_exec(void) {
    char *const words[] = {(char *)"/bin/true", NULL};
    (void)execv(words[0], words);
}

bool sandbox_try(const char *name) {
    static const struct {
        const char *name;
        void (*body)(void);
    } all[] = {{"open", try_open}, {"socket", try_socket}, {"fork", try_fork}, {"exec", try_exec},
               {"kill", try_kill}, {"trace", try_trace},   {"code", try_code}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        all[i].body();
        return true;
    }
    return false;
}
