#include "contents.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool contents_read(struct contents *contents, const char *path, size_t limit) {
    *contents = (struct contents){0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct stat status;
    if (!fstat(file, &status)) {
        size_t size = (size_t)status.st_size < limit ? (size_t)status.st_size : limit;
        contents->bytes = malloc(size ? size : 1);
        while (contents->bytes && contents->count < size) {
            ssize_t got = read(file, contents->bytes + contents->count, size - contents->count);
            if (got <= 0) break;
            contents->count += (size_t)got;
        }
    }
    close(file);
    return contents->count > 0;
}

void contents_free(struct contents *contents) {
    free(contents->bytes);
    contents->bytes = NULL;
}
