#ifndef LULL_CLOOPHELPERS_H
#define LULL_CLOOPHELPERS_H

#include <stddef.h>
#include <sys/types.h>

// What tests of the loop need and Swift can't call.

/// `fork`, which Swift marks as unavailable: the child may go on where the parent is.
pid_t lull_fork(void);

/// Has libevent lock the bases that are made from now on; 0 if it does.
int lull_use_locks(void);

/// The bytes that malloc has given out and not got back.
size_t lull_allocated_bytes(void);

/// The number of times that the calling thread has slept in the kernel.
long lull_sleeps_of_thread(void);

/// The calling thread's number, as /proc/self/task has it.
int lull_number_of_thread(void);

/// Has Swift's runtime give all jobs of the main actor to a function, which runs none.
void lull_hook_main_executor(void);

#endif
