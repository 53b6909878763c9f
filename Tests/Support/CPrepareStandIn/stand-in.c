#include "CPrepareStandIn.h"

#include <stddef.h>
#include <sys/time.h>

typedef void callback(void *watch, const void *info, void *context);

static callback *registered;
static void *registered_context;
static int count;
static long wait;
static int is_calling;
static int freed_inside;

void *evwatch_prepare_new(void *base, callback *function, void *context);
void evwatch_free(void *watch);
int evwatch_prepare_get_timeout(const void *info, struct timeval *timeout);

void *evwatch_prepare_new(void *base, callback *function, void *context) {
    (void)base;
    registered = function;
    registered_context = context;
    count++;
    return &registered;
}

void evwatch_free(void *watch) {
    (void)watch;
    registered = NULL;
    count--;
    freed_inside += is_calling;
}

int evwatch_prepare_get_timeout(const void *info, struct timeval *timeout) {
    long microseconds = *(const long *)info;
    if (microseconds < 0) return 0;
    timeout->tv_sec = microseconds / 1000000;
    timeout->tv_usec = microseconds % 1000000;
    return 1;
}

int lull_prepare(long microseconds) {
    if (!registered) return 0;
    wait = microseconds;
    is_calling = 1;
    registered(&registered, &wait, registered_context);
    is_calling = 0;
    return 1;
}

int lull_prepare_count(void) { return count; }

int lull_prepare_freed_inside(void) { return freed_inside; }
