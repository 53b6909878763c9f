#ifndef LULL_CLIBEVENT_SHIM_H
#define LULL_CLIBEVENT_SHIM_H

// A Glibc header must come first: without it a build with an empty module
// cache fails on `fd_set` in <event2/util.h>, while a second one passes.
#include <features.h>
#include <stdlib.h>
#include <sys/types.h>

#include <event2/event.h>

// Not part of Swift's Glibc module.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#endif
