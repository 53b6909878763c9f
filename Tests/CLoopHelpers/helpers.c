#include "CLoopHelpers.h"

#include <event2/thread.h>
#include <unistd.h>

pid_t lull_fork(void) { return fork(); }

int lull_use_locks(void) { return evthread_use_pthreads(); }
