#ifndef LULL_CZLIB_SHIM_H
#define LULL_CZLIB_SHIM_H

#include <zlib.h>

#endif
