/* Every function of lull-pictures.h, used well and badly, by a host in C99 or C++:
       PROGRAM PHOTOS HELPER HEIF-PICTURES
   TMPDIR is a folder for files that are made. */

#include "pictures.h"

int failures;
pthread_t the_thread;

int main(int count, char **arguments) {
    if (count < 4) return 64;
    the_thread = pthread_self();
    photos = arguments[1];
    if (count > 4) { test_rows(); return failures; }
    test_pictures_misuse();
    test_formats();
    test_errors();
    test_ends();
    test_cache();
    test_rows();
    test_helpers(arguments[2]);
    test_heif(arguments[3]);
    if (failures) fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}
