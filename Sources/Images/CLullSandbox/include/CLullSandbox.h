// The sandbox of processes that decode untrusted pictures, and functions to start such a process
// and to communicate with it: system calls that Swift can't make, or not safely.

#ifndef C_SANDBOX_H
#define C_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANDBOX_INSTRUMENTED 1
#endif
#endif
#ifndef SANDBOX_INSTRUMENTED
#define SANDBOX_INSTRUMENTED 0
#endif

// The sandbox.

/// Enters the sandbox, irrevocably. Afterwards the process can use memory and its clock, read the
/// descriptors that it receives over `socket`, and send replies; any other system call kills it
/// with SIGSYS.
///
/// It may use `memory` bytes of address space beyond its current size. It can't create files, and
/// files that it writes, `pixels` among them, are limited to `memory` bytes. Descriptors above
/// `pixels` are closed. Returns null, or the call that failed, with errno.
const char *sandbox_enter(int socket, int pixels, int64_t memory);

/// Allows the system calls of the sandbox alone, as its last step: that of CLullSeccomp, which programs
/// that enter the sandbox link. Returns null, or the call that failed, with errno.
const char *sandbox_filter(int socket);

/// Limits the processor time of the process from now on, in seconds, rounded up, after which
/// SIGXCPU kills it; returns -1 with errno on failure.
int sandbox_limit_cpu(int64_t seconds);

/// Whether a sanitizer is built in. Then memory isn't limited, because the sanitizer reserves
/// terabytes, and its own system calls are allowed.
bool sandbox_is_instrumented(void);

// Processes.

/// Starts a program with `socket` as its descriptor 3, /dev/null as its standard descriptors, no
/// other descriptor, default signals, and a session of its own. Returns 0 or an error number.
///
/// The program's environment has only LD_LIBRARY_PATH, and a setting that disables Swift's
/// backtracer, which is a separate program and couldn't be started in the sandbox.
int sandbox_spawn(const char *path, int socket, pid_t *process);

/// Returns the processor time that a process has used, in nanoseconds, measured by the kernel and
/// not by the process; -1 if there is no such process.
int64_t sandbox_cpu_time_of(pid_t process);

/// Kills the process of a process descriptor.
void sandbox_kill(int process);

/// Waits until the process of a process descriptor has exited, and reaps it.
void sandbox_reap(int process);

// Messages.

/// A received message.
typedef struct {
    /// The number of bytes; 0 when the other side has closed, -1 with errno if there is no message.
    ssize_t count;
    /// Whether all bytes fit the buffer, and at most one descriptor came with them.
    bool is_whole;
    /// The descriptor that came with the message, owned by the caller; -1 if there is none.
    int descriptor;
} SandboxMessage;

/// Creates a pair of connected sockets that preserve message boundaries; returns -1 with errno on
/// failure.
int sandbox_socket_pair(int *one, int *other);

/// Sends a message with a descriptor, or without one if that is -1, and blocks only if `waits` is
/// true. Returns false with errno on failure.
bool sandbox_send(int socket, const void *bytes, size_t count, int descriptor, bool waits);

/// Receives the next message, and blocks only if `waits` is true.
SandboxMessage sandbox_receive(int socket, void *bytes, size_t room, bool waits);

// Memory files.

/// Creates an empty memory file without a name; returns its descriptor, or -1 with errno.
int sandbox_memory_file(void);

/// Seals a memory file against growing and shrinking; returns -1 with errno on failure.
int sandbox_seal(int file);

#endif
