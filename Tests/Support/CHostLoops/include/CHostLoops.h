#ifndef LULL_C_HOST_LOOPS_H
#define LULL_C_HOST_LOOPS_H

#include <features.h>

#include <stdint.h>

/// Event loops of several libraries behind one set of functions, for tests.
typedef struct host_loop_kind {
    /// Makes a loop.
    void *(*make)(void);
    void (*free_loop)(void *loop);
    /// One pass; waits for an event if `blocks`.
    void (*pass)(void *loop, int blocks);
    /// How many events are on it, or what stands for that.
    int (*count)(void *loop);
    /// Whether something keeps it from ending by itself; NULL if such loops don't end.
    int (*is_alive)(void *loop);
    /// Makes an event of a descriptor, enabled, or a timer if that is negative.
    void *(*event)(void *loop, int descriptor, int writes, void (*call)(void *), void *context);
    /// Enables an event, or arms a timer.
    void (*arm)(void *event, int64_t microseconds);
    void (*disarm)(void *event);
    void (*free_event)(void *event);
} host_loop_kind;

extern const host_loop_kind host_loop_glib;
extern const host_loop_kind host_loop_sd_event;
extern const host_loop_kind host_loop_uv;
extern const host_loop_kind host_loop_poll;

/// Marks the one event of a poll loop that is called last in each pass, with the number of others
/// that were served.
void host_loop_poll_last(void *event, void (*call)(int served, void *context));

/// Calls a function in each pass of a libuv loop by one of its idle handles, as long as it returns
/// other than 0.
void host_loop_uv_spin(void *loop, int (*call)(void *), void *context);

#endif
