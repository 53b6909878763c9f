/* What the tests in C count. */

#ifndef LULL_TEST_CHECK_H
#define LULL_TEST_CHECK_H

#include <stdio.h>

extern int failures;

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            failures++;                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
        }                                                                              \
    } while (0)

#endif
