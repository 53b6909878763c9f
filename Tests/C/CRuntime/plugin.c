/* A host that isn't linked to Lull, and loads it as a plugin does: liblull.so.0, the argument. It stays
   where it is when it's closed, as Swift's runtime can't be unloaded. */

#include <dlfcn.h>
#include <stddef.h>

#include "../check.h"

int failures;

int main(int argc, char **argv) {
    int (*version)(void);
    void *library;
    if (argc != 2) return 64;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library);
    if (!library) return 1;
    *(void **)&version = dlsym(library, "lull_version");
    CHECK(version && version() > 0);
    CHECK(dlclose(library) == 0);
    CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD));
    return failures ? 1 : 0;
}
