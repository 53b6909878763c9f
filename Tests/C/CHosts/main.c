/* Every function of lull.h, used well and badly, by a host in C99 or C++. */

#include "host.h"

int failures;
pthread_t the_thread;

int main(void) {
    the_thread = pthread_self();
    test_jobs();
    test_idle();
    test_misuse();
    test_calls_from_inside();
    test_shutdown();
    test_threads();
    test_anywhere();
    test_lists();
    test_rows_anywhere();
    test_hosts();
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
