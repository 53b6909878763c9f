#include "lull.h"

#include <string.h>

void lull_host_init(lull_host *host, size_t size) {
    if (!host) return;
    memset(host, 0, size);
    if (size >= sizeof host->size) host->size = size;
}
