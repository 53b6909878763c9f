#ifndef LULL_CYAJL_SHIM_H
#define LULL_CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

// What Swift can't call because it takes a variable number of arguments.

/// Has a parser read one value after another instead of a single one.
static inline void lull_yajl_allow_many(yajl_handle handle) {
    yajl_config(handle, yajl_allow_multiple_values, 1);
}

#endif
