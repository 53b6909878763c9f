#ifndef FUZZ_CEVENT_SHIM_H
#define FUZZ_CEVENT_SHIM_H

// A Glibc header must come first, as in Sources/CLibevent.
#include <features.h>

#include <event2/event.h>

#endif
