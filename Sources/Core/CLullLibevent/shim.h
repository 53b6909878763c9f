#ifndef LULL_CLIBEVENT_SHIM_H
#define LULL_CLIBEVENT_SHIM_H

// A header of the C library must come first: without it a build with an empty module
// cache fails on `fd_set` in <event2/util.h>, while a second one passes.
#include <features.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include <event2/event.h>
#include <event2/event_struct.h>

// Not part of Swift's Glibc module.
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
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

/// Starts a thread that nobody waits for, to which no signal of the process is delivered; returns 0 or an
/// error number.
static inline int lull_start_thread(void *(*body)(void *), void *context) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    pthread_t thread;
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t place = 0; place < sizeof own / sizeof own[0]; place++)
        sigdelset(&blocked, own[place]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);  // the thread begins with it
    int code = pthread_create(&thread, NULL, body, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0 ? pthread_detach(thread) : code;
}

/// Whether the caller is the main thread of the process.
static inline int lull_is_main_thread(void) {
    return (pid_t)syscall(SYS_gettid) == getpid();
}

// What runs the main queue of Dispatch, as Core Foundation does: in the program itself if it's linked
// statically, where it isn't among the names that dlsym knows, or else in a library.

extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *) __attribute__((weak));
extern void *swift_task_enqueueMainExecutor_hook __attribute__((weak));

/// The function that returns the queue's descriptor; NULL if there is none.
static inline void *lull_main_queue_handle(void) {
    void *linked = (void *)_dispatch_get_main_queue_handle_4CF;
    return linked ? linked : dlsym(NULL, "_dispatch_get_main_queue_handle_4CF");
}

/// The function that runs what is queued; NULL if there is none.
static inline void *lull_main_queue_callback(void) {
    void *linked = (void *)_dispatch_main_queue_callback_4CF;
    return linked ? linked : dlsym(NULL, "_dispatch_main_queue_callback_4CF");
}

/// Whether a function of the program's is given the jobs of the main actor in place of its executor.
static inline int lull_main_executor_has_hook(void) {
    void **linked = &swift_task_enqueueMainExecutor_hook;
    if (!linked) linked = (void **)dlsym(NULL, "swift_task_enqueueMainExecutor_hook");
    return linked && *linked;
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

/// The number of the calling thread, by which others may set its priority.
static inline pid_t lull_thread_number(void) { return (pid_t)syscall(SYS_gettid); }

/// Lowers the calling thread to background priority: SCHED_IDLE (or the lowest nice value) and the
/// idle class of IO.
static inline void lull_thread_steps_back(void) {
    pid_t thread = lull_thread_number();
    struct sched_param none = {0};
    if (sched_setscheduler(thread, 5 /* SCHED_IDLE */, &none) != 0)
        (void)setpriority(PRIO_PROCESS, (id_t)thread, 19);
    (void)syscall(SYS_ioprio_set, 1 /* of a process or thread */, thread, 3 << 13 /* idle */);
}

/// Lowers the calling thread to the priority of a lane, after it has begun or was raised.
static inline void lull_lane_steps_back(void) {
    struct sched_param none = {0};
    pid_t thread = lull_thread_number();
    (void)sched_setscheduler(thread, 3 /* SCHED_BATCH */, &none);
    (void)setpriority(PRIO_PROCESS, (id_t)thread, 10);
}

/// Raises a thread to the priority of the caller; returns 0, or -1 if the process may not.
static inline int lull_raise_thread(pid_t thread) {
    return setpriority(PRIO_PROCESS, (id_t)thread, getpriority(PRIO_PROCESS, 0));
}

/// The nanoseconds of processor time that a thread of this process has used; -1 if it has ended.
static inline int64_t lull_thread_time(pid_t thread) {
    // The clock of a thread by its number, as the kernel defines it.
    clockid_t clock = (clockid_t)((~(unsigned)thread << 3) | 6);
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// The number of processors that the caller may run on.
static inline int lull_usable_processors(void) {
    static const int bytes = 8192;  // 65,536 processors
    unsigned long set[8192 / sizeof(unsigned long)];
    long size = syscall(SYS_sched_getaffinity, 0, bytes, set);
    int count = 0;
    for (long word = 0; word < size / (long)sizeof *set; word++)
        count += __builtin_popcountl(set[word]);
    return count > 0 ? count : 1;
}

#endif
