/* What the tests in C count. */

#ifndef LULL_TEST_CHECK_H
#define LULL_TEST_CHECK_H

#include <dirent.h>
#include <stdio.h>

extern int failures;

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            failures++;                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
        }                                                                              \
    } while (0)

/* The number of threads of this process. */
static inline int thread_count(void) {
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    while (readdir(threads)) count++;
    closedir(threads);
    return count - 2;  /* . and .. */
}

#endif
