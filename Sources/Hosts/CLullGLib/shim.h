#ifndef LULL_CGLIB_SHIM_H
#define LULL_CGLIB_SHIM_H

#include <features.h>

#include <glib.h>

#endif
