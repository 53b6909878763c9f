#define _GNU_SOURCE
#include <CLullSandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

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
#if SANDBOX_INSTRUMENTED
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

const char *sandbox_filter(int socket) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return "seccomp_init";
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) result = allow(filter, socket);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    errno = -result;
    return result == 0 ? NULL : "seccomp_load";
}
