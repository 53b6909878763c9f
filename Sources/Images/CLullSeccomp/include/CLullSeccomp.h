// The filter of system calls for programs that enter the sandbox of CLullSandbox.h, which finds it.

#ifndef C_SECCOMP_H
#define C_SECCOMP_H

#include <CLullSandbox.h>

#endif
