// Libraries that need not be installed: found when the program runs, with their functions declared
// here as their headers declare them.

#ifndef CDECODERS_OPTIONAL_H
#define CDECODERS_OPTIONAL_H

#include <dlfcn.h>
#include <stddef.h>

/// A function that is to be found, and where to put it.
struct wanted_function {
    const char *name;
    void **place;
};

/// Opens a library and finds functions in it and in those it needs; says whether all are there.
static inline int optional_open(
    const char *library, const struct wanted_function *wanted, size_t count) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    for (size_t i = 0; i < count; i++) {
        *wanted[i].place = dlsym(handle, wanted[i].name);
        if (!*wanted[i].place) return 0;
    }
    return 1;
}

#endif
