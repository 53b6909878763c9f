#define _GNU_SOURCE  // RUSAGE_THREAD

#include "CLoopHelpers.h"

#include <event2/thread.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

pid_t lull_fork(void) { return fork(); }

int lull_use_locks(void) { return evthread_use_pthreads(); }

size_t lull_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

long lull_sleeps_of_thread(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

int lull_number_of_thread(void) { return gettid(); }

typedef __attribute__((swiftcall)) void original_enqueue(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueMainExecutor_hook)(
    void *job, original_enqueue *original);

static __attribute__((swiftcall)) void keep(void *job, original_enqueue *original) {
    (void)job, (void)original;
}

void lull_hook_main_executor(void) { swift_task_enqueueMainExecutor_hook = keep; }
