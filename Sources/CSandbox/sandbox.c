#include "CSandbox.h"

#include <seccomp.h>

uint32_t sandbox_library_version(void) {
    const struct scmp_version *version = seccomp_version();
    return version->major << 16 | version->minor;
}
