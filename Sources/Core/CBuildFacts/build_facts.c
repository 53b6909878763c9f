#include "build_facts.h"

const char *build_facts_commit(void) {
    return LULL_COMMIT;
}
