#include "build_facts.h"

#ifndef LULL_COMMIT
#define LULL_COMMIT ""
#endif

const char *build_facts_commit(void) {
    return LULL_COMMIT;
}
