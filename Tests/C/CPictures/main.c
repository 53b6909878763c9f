/* Every function of lull-pictures.h, used well and badly, by a host in C99 or C++:
       PROGRAM PHOTOS HELPER HEIF-PICTURES [TEST]
   TMPDIR is a folder for files that are made. */

#include "pictures.h"

int failures;
pthread_t the_thread;

int main(int count, char **arguments) {
    if (count < 4) return 64;
    the_thread = pthread_self();
    photos = arguments[1];
#define RUN(test, call)                                                                \
    if (count < 5 || !strcmp(arguments[4], test)) call
    RUN("misuse", test_pictures_misuse());
    RUN("formats", test_formats());
    RUN("errors", test_errors());
    RUN("ends", test_ends());
    RUN("cache", test_cache());
    RUN("rows", test_rows(count < 5 ? arguments[2] : NULL));
    RUN("helpers", test_helpers(arguments[2]));
    RUN("heif", test_heif(arguments[3]));
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
