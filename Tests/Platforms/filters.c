// The filter of system calls that helpers decode behind, for each processor that Lull is built for:
// libseccomp compiles it for all of them here, and an interpreter of its instructions asks it about
// calls as the kernel would.
#include "../../Sources/Images/CLullSeccomp/filter.c"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/// Returns the verdict of a program about a call, as the kernel's interpreter does.
static uint32_t verdict(
    const struct sock_filter *program, size_t count, const struct seccomp_data *call) {
    uint32_t a = 0;
    for (size_t at = 0; at < count; at++) {
        const struct sock_filter *step = &program[at];
        const uint32_t k = step->k;
        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS: memcpy(&a, (const char *)call + k, sizeof a); break;
        case BPF_ALU | BPF_AND | BPF_K: a &= k; break;
        case BPF_JMP | BPF_JA: at += k; break;
        case BPF_JMP | BPF_JEQ | BPF_K: at += a == k ? step->jt : step->jf; break;
        case BPF_JMP | BPF_JGT | BPF_K: at += a > k ? step->jt : step->jf; break;
        case BPF_JMP | BPF_JGE | BPF_K: at += a >= k ? step->jt : step->jf; break;
        case BPF_JMP | BPF_JSET | BPF_K: at += a & k ? step->jt : step->jf; break;
        case BPF_RET | BPF_K: return k;
        default: fprintf(stderr, "an instruction of code %#x\n", step->code); exit(70);
        }
    }
    exit(70);
}

/// Compiles the filter for a processor; returns the number of its instructions.
static size_t compile(uint32_t processor, int socket, struct sock_filter *program, size_t room) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int file = memfd_create("filter", MFD_CLOEXEC);
    int result = filter && file >= 0 ? 0 : -ENOMEM;
    if (processor != seccomp_arch_native()) {
        if (result == 0) result = seccomp_arch_add(filter, processor);
        if (result == 0) result = seccomp_arch_remove(filter, SCMP_ARCH_NATIVE);
    }
    if (result == 0)
        result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) result = allow(filter, socket);
    if (result == 0) result = seccomp_export_bpf(filter, file);
    ssize_t size = result == 0 ? pread(file, program, room * sizeof *program, 0) : 0;
    seccomp_release(filter);
    close(file);
    if (size <= 0) {
        fprintf(stderr, "the filter doesn't compile: %s\n", strerror(-result));
        exit(1);
    }
    return (size_t)size / sizeof *program;
}

enum { channel = 3 };

typedef struct {
    const char *name;
    uint64_t arguments[4];
    bool is_allowed;
} Case;

static const Case cases[] = {
    {"read", {7}, true}, {"pread64", {7}, true}, {"write", {7}, true}, {"pwrite64", {7}, true},
    {"close", {7}, true}, {"fstat", {7}, true}, {"ftruncate", {7}, true},
    {"newfstatat", {7, 0, 0, AT_EMPTY_PATH}, true}, {"newfstatat", {7, 0, 0, 0}, false},
    {"brk", {0}, true}, {"munmap", {0}, true}, {"mremap", {0}, true}, {"madvise", {0}, true},
    {"mmap", {0, 4096, PROT_READ | PROT_WRITE}, true}, {"mmap", {0, 4096, PROT_EXEC}, false},
    {"mprotect", {0, 4096, PROT_READ}, true}, {"mprotect", {0, 4096, PROT_EXEC}, false},
    {"futex", {0}, true}, {"getrandom", {0}, true}, {"clock_gettime", {0}, true},
    {"rt_sigreturn", {0}, true}, {"exit", {0}, true}, {"exit_group", {0}, true},
    {"rt_sigprocmask", {0}, true}, {"rt_sigaction", {0}, true}, {"getpid", {0}, true},
    {"gettid", {0}, true}, {"recvmsg", {channel}, true}, {"recvmsg", {channel + 1}, false},
    {"sendmsg", {channel}, true}, {"sendmsg", {channel + 1}, false},
    {"prlimit64", {0, RLIMIT_CPU}, true}, {"prlimit64", {0, RLIMIT_AS}, false},
    {"prlimit64", {1, RLIMIT_CPU}, false},
    // Both of their names, where a processor has both.
    {"open", {0}, false}, {"openat", {0}, false}, {"openat2", {0}, false}, {"stat", {0}, false},
    {"statx", {0}, false}, {"fork", {0}, false}, {"clone", {0}, false}, {"clone3", {0}, false},
    {"execve", {0}, false}, {"socket", {0}, false}, {"connect", {0}, false}, {"kill", {1}, false},
    {"ptrace", {0}, false}, {"memfd_create", {0}, false}, {"dup", {0}, false}, {"dup2", {0}, false},
    {"dup3", {0}, false}, {"unlinkat", {0}, false}, {"ioctl", {0}, false}, {"prctl", {0}, false},
    {"seccomp", {0}, false}, {"setrlimit", {0}, false}, {"bpf", {0}, false},
    {"io_uring_setup", {0}, false},
};

static void check(const char *name, uint32_t processor, uint32_t audited, uint32_t other) {
    static struct sock_filter program[BPF_MAXINSNS];
    const size_t count = compile(processor, channel, program, BPF_MAXINSNS);
    int asked = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *one = &cases[i];
        int number = seccomp_syscall_resolve_name_arch(processor, one->name);
        if (number < 0 && !one->is_allowed) continue;  // this processor has no such call
        struct seccomp_data call = {.nr = number, .arch = audited};
        memcpy(call.args, one->arguments, sizeof one->arguments);
        bool is_allowed = verdict(program, count, &call) == SECCOMP_RET_ALLOW;
        call.arch = other;
        bool is_killed_elsewhere = verdict(program, count, &call) == SECCOMP_RET_KILL_PROCESS;
        if (number < 0 || is_allowed != one->is_allowed || !is_killed_elsewhere) {
            const char *should = one->is_allowed ? "allowed" : "killed";
            fprintf(stderr, "%s: %s is not %s\n", name, one->name, should);
            failures++;
        }
        asked++;
    }
    printf("%s: %zu instructions, %d calls asked about\n", name, count, asked);
}

int main(void) {
    check("x86-64", SCMP_ARCH_X86_64, AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64);
    check("aarch64", SCMP_ARCH_AARCH64, AUDIT_ARCH_AARCH64, AUDIT_ARCH_X86_64);
    return failures ? 1 : 0;
}
