#ifndef GALLERY_SHIM_H
#define GALLERY_SHIM_H

// A header of the C library must come first: without it a build with an empty module
// cache fails on `fd_set` in <event2/util.h>, while a second one passes.
#include <features.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

// O_PATH, which glibc defines only with _GNU_SOURCE.
#ifdef __O_PATH
static const int gallery_path_only = __O_PATH;
#else
static const int gallery_path_only = O_PATH;
#endif

/// Returns the number of bytes that are allocated with malloc; 0 where the C library doesn't count.
static inline long gallery_bytes_in_use(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

// Functions that Swift can't call because they are variadic.

/// Opens a path relative to a folder, whatever links are in it: -1 and EXDEV if it leads out of the
/// folder, -1 and ENOSYS if the kernel is older than 5.6.
static inline int gallery_open_beneath(int folder, const char *path, unsigned long long flags) {
    struct open_how how = {
        .flags = flags,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

#endif
