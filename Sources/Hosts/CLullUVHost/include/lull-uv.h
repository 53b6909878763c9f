#ifndef LULL_UV_H
#define LULL_UV_H

#include <lull.h>

/// Makes a host of a libuv loop, which must not be NULL; its `begin` is NULL if there is no memory.
lull_host lull_uv_host(struct uv_loop_s *loop);

#endif
