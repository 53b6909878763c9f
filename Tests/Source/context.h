// What examples in C name and don't declare.
#include <event2/event.h>
#include <lull-pictures.h>
#include <poll.h>

extern struct event_base *base;
extern lull_loop *loop;
extern lull_queue *queue;
extern lull_job job;
lull_progress render(const lull_slot *slot, uint64_t key, void *context);
lull_progress decode(const lull_slot *slot, uint64_t key, void *context);
void ended(uint64_t key, lull_end end, void *context);
lull_progress load(const lull_slot *slot, lull_load *load, void *context);
void show(const lull_row *row, void *context);
void drop(uint64_t key, void *value, void *context);
void save(const lull_shutdown_report *report, void *context);
void done(const lull_picture_result *result, void *context);
void leave(lull_loop *loop, void *context);
