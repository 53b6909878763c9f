#define _GNU_SOURCE
#include "CLullSandbox.h"
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Of programs that enter the sandbox: who only starts them needn't link libseccomp.
#pragma weak sandbox_filter

#define INSTRUMENTED SANDBOX_INSTRUMENTED

bool sandbox_is_instrumented(void) { return INSTRUMENTED; }

static int limit(int resource, rlim_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return -1;
    // Never more than the hard limit that the process inherited.
    if (value > now.rlim_max) value = now.rlim_max;
    return setrlimit(resource, &(struct rlimit){value, value});
}

int sandbox_limit_cpu(int64_t seconds) {
    struct rlimit now;
    if (getrlimit(RLIMIT_CPU, &now) != 0) return -1;
    // The thread's clock, as the process's own counts in ticks of milliseconds once RLIMIT_CPU is
    // set.
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    rlim_t most = (rlim_t)(time.tv_sec + seconds + 1);
    now.rlim_cur = most < now.rlim_max ? most : now.rlim_max;
    return setrlimit(RLIMIT_CPU, &now);
}

/// Returns the size of the process's address space in bytes, or -1.
static int64_t address_space(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return -1;
    long long pages = -1;
    if (fscanf(file, "%lld", &pages) != 1) pages = -1;
    fclose(file);
    return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

static const char *set_limits(int64_t memory) {
    int64_t base = address_space();
    if (base < 0) return "/proc/self/statm";
    if (!INSTRUMENTED && limit(RLIMIT_AS, (rlim_t)(base + memory)) != 0) return "RLIMIT_AS";
    if (limit(RLIMIT_FSIZE, (rlim_t)memory) != 0) return "RLIMIT_FSIZE";
    // Six are needed: the standard descriptors, the socket, the file of pixels, and a picture's
    // file.
    if (limit(RLIMIT_NOFILE, 8) != 0) return "RLIMIT_NOFILE";
    if (limit(RLIMIT_CORE, 0) != 0) return "RLIMIT_CORE";
    if (limit(RLIMIT_NPROC, 0) != 0) return "RLIMIT_NPROC";
    return NULL;
}

static int close_one(int number, void *context) {
    (void)context;
    return close(number);
}

/// Closes the descriptors from `first` on; returns -1 with errno on failure.
static int close_from(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return 0;
    return each_descriptor(first, close_one, NULL);  // Linux before 5.9
}

/// Drops all capabilities: a daemon may run as root.
static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

const char *sandbox_enter(int socket, int pixels, int64_t memory) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return "PR_SET_PDEATHSIG";
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return "PR_SET_DUMPABLE";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "PR_SET_NO_NEW_PRIVS";
    if (close_from(pixels + 1) != 0) return "close_range";
    const char *failed = set_limits(memory);
    if (failed) return failed;
    if (drop_capabilities() != 0) return "capset";
    if (sandbox_filter) return sandbox_filter(socket);
    errno = ENOSYS;
    return "sandbox_filter";
}
