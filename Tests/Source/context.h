// What examples in C name and don't declare.
#include <event2/event.h>
#include <lull.h>
#include <poll.h>

extern struct event_base *base;
extern lull_loop *loop;
lull_progress render(const lull_slot *slot, uint64_t key, void *context);
lull_progress load(const lull_slot *slot, lull_load *load, void *context);
void show(const lull_row *row, void *context);
void drop(uint64_t key, void *value, void *context);
void save(const lull_shutdown_report *report, void *context);
void leave(lull_loop *loop, void *context);
