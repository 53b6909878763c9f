// What examples in C name and don't declare.
#include <event2/event.h>
#include <lull.h>

extern struct event_base *base;
lull_progress render(const lull_slot *slot, uint64_t key, void *context);
