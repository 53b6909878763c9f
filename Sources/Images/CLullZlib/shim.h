#ifndef LULL_CZLIB_SHIM_H
#define LULL_CZLIB_SHIM_H

#include <zlib.h>

// What Swift can't call because it is a macro.

/// Prepares a stream for reading gzip.
static inline int lull_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}

#endif
