#define _GNU_SOURCE
#include "CLullSandbox.h"
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <seccomp.h>
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

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

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

/// Adds the filter's rules; returns 0 or a negative error number.
static int allow(scmp_filter_ctx filter, int socket) {
    const int whole[] = {
        SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(pwrite64), SCMP_SYS(write), SCMP_SYS(close),
        SCMP_SYS(fstat), SCMP_SYS(ftruncate),
        SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
        SCMP_SYS(futex), SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(rt_sigreturn),
        SCMP_SYS(exit), SCMP_SYS(exit_group),
        // These are called by abort, so that the process dies of SIGABRT.
        SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction), SCMP_SYS(getpid), SCMP_SYS(gettid),
#if INSTRUMENTED
        SCMP_SYS(sigaltstack), SCMP_SYS(sched_yield), SCMP_SYS(nanosleep),
        SCMP_SYS(clock_nanosleep), SCMP_SYS(sched_getaffinity), SCMP_SYS(getrlimit),
#endif
    };
    int result = 0;
#define RULE(...) if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, __VA_ARGS__)
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) RULE(whole[i], 0);
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    RULE(SCMP_SYS(mmap), 1, no_code);
    RULE(SCMP_SYS(mprotect), 1, no_code);
    RULE(SCMP_SYS(recvmsg), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)socket));
    RULE(SCMP_SYS(sendmsg), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)socket));
    // glibc uses this call for fstat.
    RULE(SCMP_SYS(newfstatat), 1, SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH));
    RULE(SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU));
    RULE(
        SCMP_SYS(tgkill), 2, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()),
        SCMP_A2(SCMP_CMP_EQ, SIGABRT));
#ifndef __GLIBC__
    // musl uses this call for abort.
    RULE(
        SCMP_SYS(tkill), 2, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()),
        SCMP_A1(SCMP_CMP_EQ, SIGABRT));
#endif
#undef RULE
    return result;
}

static const char *filter_calls(int socket) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return "seccomp_init";
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) result = allow(filter, socket);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    errno = -result;
    return result == 0 ? NULL : "seccomp_load";
}

const char *sandbox_enter(int socket, int pixels, int64_t memory) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return "PR_SET_PDEATHSIG";
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return "PR_SET_DUMPABLE";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "PR_SET_NO_NEW_PRIVS";
    if (close_from(pixels + 1) != 0) return "close_range";
    const char *failed = set_limits(memory);
    if (failed) return failed;
    if (drop_capabilities() != 0) return "capset";
    return filter_calls(socket);
}
