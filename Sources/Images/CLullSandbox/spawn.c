#define _GNU_SOURCE
#include "CLullSandbox.h"
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
static int add_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#else
static int add_close(int number, void *actions) {
    return posix_spawn_file_actions_addclose(actions, number);
}

/// Closes those that are open now: musl has no action for all from one on.
static int add_close_from(posix_spawn_file_actions_t *actions, int first) {
    int code = each_descriptor(first, add_close, actions);
    return code < 0 ? errno : code;
}
#endif

static int add_actions(posix_spawn_file_actions_t *actions, int socket) {
    // The socket first: its number may be one of those that are opened next.
    int code = posix_spawn_file_actions_adddup2(actions, socket, 3);
    for (int number = 0; number < 3 && code == 0; number++)
        code = posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
    if (code == 0) code = add_close_from(actions, 4);
    return code;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int code = posix_spawnattr_setsigdefault(attributes, &all);
    if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
    if (code != 0) return code;
    // A session of its own: signals of the daemon's terminal don't reach its helpers.
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

int sandbox_spawn(const char *path, int socket, pid_t *process) {
    static const char libraries[] = "LD_LIBRARY_PATH=";
    char *const arguments[] = {(char *)path, NULL};
    char *environment[] = {(char *)"SWIFT_BACKTRACE=enable=no", NULL, NULL};
    for (char **all = environ; all && *all; all++)
        if (strncmp(*all, libraries, sizeof libraries - 1) == 0) environment[1] = *all;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = add_actions(&actions, socket);
        if (code == 0) code = set_attributes(&attributes);
        if (code == 0)
            code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int64_t sandbox_cpu_time_of(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void sandbox_kill(int process) {
    (void)syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
}

void sandbox_reap(int process) {
    siginfo_t info;
    const idtype_t of_descriptor = (idtype_t)3;  // P_PIDFD
    while (waitid(of_descriptor, (id_t)process, &info, WEXITED) != 0 && errno == EINTR) {
    }
}
