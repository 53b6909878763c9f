// What a process gives up before it looks at pictures from strangers.

#ifndef C_SANDBOX_H
#define C_SANDBOX_H

#include <stdint.h>

/// The version of the library that filters system calls: major << 16 | minor.
uint32_t sandbox_library_version(void);

#endif
