// What a process gives up before it looks at pictures from strangers, and what it takes to start
// such a process and to talk with it: calls that Swift can't make, or not safely.

#ifndef C_SANDBOX_H
#define C_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The sandbox.

/// Shuts the process in for good: it keeps memory, its clock, what it reads from descriptors that
/// it is sent over `socket`, and what it sends back; all else ends it with SIGSYS.
///
/// It may take `memory` bytes of address space beyond those that it has now. It makes no files, and
/// those that it writes, `pixels` among them, grow no longer than that. Descriptors above `pixels`
/// are closed. Gives null, or the call that failed, with errno.
const char *sandbox_enter(int socket, int pixels, int64_t memory);

/// Lets the process use so many seconds of processor time from now on, rounded up, before SIGXCPU
/// ends it; -1 and errno if that can't be set.
int sandbox_limit_cpu(int64_t seconds);

/// Whether a sanitizer is built in: then memory isn't limited, since it reserves terabytes, and
/// what it calls for itself is allowed.
bool sandbox_is_instrumented(void);

// Processes.

/// Starts a program with `socket` as its descriptor 3, nothing to read, nowhere to write, no other
/// descriptor, default signals, and a session of its own. Gives 0 or an error number.
///
/// The program gets no environment but where its libraries are, and that it isn't to start another
/// program when it crashes, which it may not.
int sandbox_spawn(const char *path, int socket, pid_t *process);

/// The processor time that a process has used, in nanoseconds, by the system's count and not its
/// own; -1 if there is no such process.
int64_t sandbox_cpu_time_of(pid_t process);

/// Ends the process of a descriptor.
void sandbox_kill(int process);

/// Waits until the process of a descriptor has ended, and reaps it.
void sandbox_reap(int process);

// Messages.

/// What came in one message.
typedef struct {
    /// Its bytes; 0 when the other side has closed, -1 with errno if there is none.
    ssize_t count;
    /// There was room for all its bytes, and no descriptor came with it but the one below.
    bool is_whole;
    /// The descriptor that came with it, the caller's to close; -1 if there is none.
    int descriptor;
} SandboxMessage;

/// Two ends of a connection that keeps messages apart; -1 and errno if there are none to be had.
int sandbox_socket_pair(int *one, int *other);

/// Sends a message with a descriptor, or without one if that is -1, and never waits unless told to.
/// Gives false with errno if it can't.
bool sandbox_send(int socket, const void *bytes, size_t count, int descriptor, bool waits);

/// Takes the next message.
SandboxMessage sandbox_receive(int socket, void *bytes, size_t room, bool waits);

// Files in memory.

/// A new empty file that lies in memory and has no name; -1 and errno if there is none to be had.
int sandbox_memory_file(void);

/// Makes such a file one that nobody can make longer or shorter; -1 and errno if that can't be.
int sandbox_seal(int file);

#endif
