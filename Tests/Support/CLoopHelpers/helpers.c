#include "CLoopHelpers.h"

#include <event2/thread.h>
#include <malloc.h>
#include <unistd.h>

pid_t lull_fork(void) { return fork(); }

int lull_use_locks(void) { return evthread_use_pthreads(); }

size_t lull_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
