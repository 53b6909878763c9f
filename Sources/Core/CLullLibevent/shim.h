#ifndef LULL_CLIBEVENT_SHIM_H
#define LULL_CLIBEVENT_SHIM_H

// A header of the C library must come first: without it a build with an empty module
// cache fails on `fd_set` in <event2/util.h>, while a second one passes.
#include <features.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include <event2/event.h>
#include <event2/event_struct.h>

// Not part of Swift's Glibc module.
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

// Functions that Swift can't call: macros, and functions with variable arguments.

/// Marks an event as internal, so that it doesn't keep the base's loop running.
static inline void lull_event_is_internal(struct event *event) {
    event->ev_evcallback.evcb_flags |= EVLIST_INTERNAL;
}

/// Opens a descriptor that becomes readable when the process ends; returns -1 and sets errno on
/// failure.
static inline int lull_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// Reaps the process of a pidfd if it has ended: returns 1 with si_code and si_status, 0 if it is
/// still running, or -1 with errno if it can't be waited for.
static inline int lull_pidfd_reap(int descriptor, int *code, int *status) {
    siginfo_t info;
    info.si_pid = 0;
    if (waitid((idtype_t)3 /* P_PIDFD */, (id_t)descriptor, &info, WEXITED | WNOHANG) != 0)
        return -1;
    if (info.si_pid == 0)
        return 0;
    *code = info.si_code;
    *status = info.si_status;
    return 1;
}

// What a thread is to Swift differs between C libraries: a number or a pointer.

/// Identifies the calling thread.
static inline uintptr_t lull_current_thread(void) { return (uintptr_t)pthread_self(); }

/// Starts a thread that nobody waits for; returns 0 or an error number.
static inline int lull_start_thread(void *(*body)(void *), void *context) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, body, context);
    return code == 0 ? pthread_detach(thread) : code;
}

/// Whether the caller is the main thread of the process.
static inline int lull_is_main_thread(void) {
    return (pid_t)syscall(SYS_gettid) == getpid();
}

/// Whether an open file belongs to the kernel: one below /proc, or of a control group.
static inline int lull_is_kernel_file(int descriptor) {
    struct statfs system;
    return fstatfs(descriptor, &system) == 0 &&
           (system.f_type == 0x9FA0 || system.f_type == 0x63677270);
}

/// Returns freed memory to the system.
static inline void lull_return_freed_memory(void) {
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

/// Lowers the calling thread to background priority: SCHED_IDLE (or the lowest nice value) and the
/// idle class of IO.
static inline void lull_thread_steps_back(void) {
    pid_t thread = (pid_t)syscall(SYS_gettid);
    struct sched_param none = {0};
    if (sched_setscheduler(thread, 5 /* SCHED_IDLE */, &none) != 0)
        (void)setpriority(PRIO_PROCESS, (id_t)thread, 19);
    (void)syscall(SYS_ioprio_set, 1 /* of a process or thread */, thread, 3 << 13 /* idle */);
}

#endif
