#include "CLullTexts.h"

#include <string.h>

static _Thread_local char error[256] __attribute__((tls_model("initial-exec")));

void lull_set_last_error(const char *text) {
    if (!text) return;
    size_t length = strnlen(text, sizeof error - 1);
    memmove(error, text, length);
    error[length] = 0;
}

const char *lull_last_error(void) {
    return error;
}

const char *lull_status_text(lull_status status) {
    switch (status) {
    case LULL_OK: return "done";
    case LULL_JOINED: return "joined a job of its key";
    case LULL_FOLLOWS: return "follows the job of its key";
    case LULL_DROPPED: return "dropped, as there was no room";
    case LULL_ABSENT: return "no job of this key, or no landing";
    case LULL_INVALID: return "an invalid handle or argument";
    case LULL_STALE: return "what the handle named is closed or over";
    case LULL_WRONG_THREAD: return "the handle belongs to another thread";
    case LULL_BUSY: return "a callback is being called";
    case LULL_FULL: return "too many posts wait";
    case LULL_NO_MEMORY: return "no memory or no handle left";
    case LULL_SYSTEM: return "the system refused";
    case LULL_UNSUPPORTED: return "a struct or header of another version";
    }
    return "no status";
}

const char *lull_end_text(lull_end end) {
    switch (end) {
    case LULL_END_DONE: return "done";
    case LULL_END_SKIPPED: return "skipped";
    case LULL_END_FAILED: return "failed";
    case LULL_END_CANCELLED: return "cancelled";
    case LULL_END_DROPPED: return "dropped";
    }
    return "no end";
}

int lull_version(void) {
    return LULL_VERSION;
}

const char *lull_version_text(void) {
    return LULL_VERSION_TEXT;
}

lull_status lull_check_version(int version) {
    int newest = LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, LULL_VERSION_MINOR, 0xFF);
    int oldest = LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, 0, 0);
    if (version >= oldest && version <= newest) return LULL_OK;
    lull_set_last_error("lull_check_version: version is not one of this library's, " LULL_VERSION_TEXT);
    return LULL_UNSUPPORTED;
}
