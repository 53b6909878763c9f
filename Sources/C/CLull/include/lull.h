// Runs work in the idle time of an event loop, from C.
//
// A daemon that has an event_base of its own, or a loop of another kind, makes Lull a guest on it,
// submits jobs, and goes on dispatching as before. Jobs run only when no event is ready, one at a
// time or in slices, so that a ready event waits for at most one of them:
//
//     #include <event2/event.h>
//     #include <lull.h>
//
//     static lull_progress render(const lull_slot *slot, uint64_t page, void *context) {
//         struct renderer *renderer = context;
//         while (renderer_has_more(renderer, page)) {
//             if (lull_slot_is_over(slot)) return LULL_AGAIN;  // the rest in another slice
//             renderer_draw_a_bit(renderer, page);
//         }
//         return LULL_DONE;
//     }
//
//     int main(void) {
//         struct event_base *base = event_base_new();
//         lull_loop *loop;
//         lull_queue *queue;
//         lull_job job;
//         if (lull_adopt(base, &loop) < 0 || lull_queue_new(loop, NULL, &queue) < 0) return 1;
//         lull_job_init(&job, sizeof job);
//         job.key = 7;
//         job.run = render;
//         job.context = renderer_new();
//         lull_submit(queue, &job);
//         event_base_dispatch(base);
//         lull_close(loop);
//         event_base_free(base);
//         return 0;
//     }
//
// Build with `pkg-config --cflags --libs lull libevent_core`.
//
// THREADS. A loop belongs to the thread that called lull_adopt or one of its relatives, which must
// be the thread that dispatches the base. The same holds for everything that is made on the loop.
// Any other thread may call lull_post, and the functions of texts, versions and defaults; all other
// functions return LULL_WRONG_THREAD there. Callbacks are called only on the loop's thread: inside
// the host's dispatch, or, where this is documented, inside the call that caused them. Only the `run`
// of lull_submit_anywhere, and the `load` of a list with load_anywhere, is called on other threads, too.
//
// HANDLES are not addresses and point to nothing. A handle that is NULL or of another kind gives
// LULL_INVALID. A handle of something that was closed or has ended gives LULL_STALE. A number that
// was never a handle gives one of the two. In none of these cases is any memory touched.
// LULL_INVALID takes precedence over LULL_STALE, LULL_STALE over LULL_WRONG_THREAD, and
// LULL_WRONG_THREAD over errors of the other arguments. The same handle is not given out again for
// 2^36 uses of its place.
//
// RESULTS below zero are errors: nothing was done, and no callback will be called. lull_last_error
// says which argument was wrong, and how. The errors that are listed with each function come in addition to the three of any handle. If not even a few
// bytes of memory can be allocated, the process ends by SIGILL (on ARM, by SIGTRAP) after a line on
// standard error, as any Swift program does. If the process is out of descriptors, or libevent out
// of memory, lull_adopt returns an error.
//
// TIME is in nanoseconds. LULL_NONE stands for a duration that is left out; other negative
// durations are invalid. Points in time are those of CLOCK_MONOTONIC.
//
// CALLBACKS may call every function here, with three exceptions: lull_close and
// lull_reinit_after_fork return LULL_BUSY inside any callback, lull_list_update inside most
// callbacks of its list. A callback must return normally, not by longjmp or a C++ exception.
// Contexts belong to the host; Lull only passes them on.
//
// RUNTIME. The library is written in Swift and has Swift's runtime inside, all of whose symbols it
// keeps to itself: a program needs no toolchain, and may have other libraries in Swift with
// runtimes of their own. Nothing happens in the background: there is no thread but those of lanes, for
// jobs of lull_submit_anywhere, and no handler of a signal, unless the environment asks for backtraces
// of crashes (SWIFT_BACKTRACE=enable=yes with the path of swift-backtrace). Once loaded it stays, also
// after dlclose. exit may be called with loops open, and from callbacks. For valgrind there is a file
// of suppressions, the variable valgrind_suppressions of lull.pc. Sources/C/README.md has the
// measurements.
//
// LISTS load the values of their rows in the same idle time; see lull_list_options.

#ifndef LULL_H
#define LULL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header. A minor version adds functions, constants or members of structs that
/// have a size; a patch adds none. What a compiled program relies on never changes without a new
/// SONAME, which is liblull.so.0.
#define LULL_VERSION_MAJOR 0
#define LULL_VERSION_MINOR 1
#define LULL_VERSION_PATCH 0
#define LULL_VERSION_TEXT "0.1.0"

/// A version as one number that grows: `#if LULL_VERSION >= LULL_VERSION_NUMBER(0, 2, 0)`.
#define LULL_VERSION_NUMBER(major, minor, patch) ((major) << 16 | (minor) << 8 | (patch))
#define LULL_VERSION LULL_VERSION_NUMBER(LULL_VERSION_MAJOR, LULL_VERSION_MINOR, LULL_VERSION_PATCH)

/// A duration that is left out.
#define LULL_NONE (-1)

/// The result of a call.
typedef enum lull_status {
    /// The call succeeded. For a job: it was accepted and waits.
    LULL_OK = 0,
    /// A job with the same key is waiting already and stands for both requests. The `end` of each
    /// is called when that job ends.
    LULL_JOINED = 1,
    /// The queue had no room for the job, or is shutting down. Its `end` was called inside the
    /// call.
    LULL_DROPPED = 2,
    /// There is no job with this key, or no known landing position.
    LULL_ABSENT = 3,
    /// The job with the same key is inside its own `run`. If that returns LULL_AGAIN, the request
    /// joins it; otherwise the request becomes a job of its own, which runs afterwards.
    LULL_FOLLOWS = 4,
    /// The handle is NULL or not a handle, or an argument is invalid.
    LULL_INVALID = -1,
    /// The object of the handle was closed or has ended.
    LULL_STALE = -2,
    /// The handle belongs to another thread.
    LULL_WRONG_THREAD = -3,
    /// A callback of the loop, or of the list, is being called: try again when it has returned.
    LULL_BUSY = -4,
    /// The maximum number of posts, 65,536, are waiting.
    LULL_FULL = -5,
    /// Out of memory, or more than 16 million handles are in use.
    LULL_NO_MEMORY = -6,
    /// A system call failed; errno has the reason, EMFILE for example.
    LULL_SYSTEM = -7,
    /// The struct is of a later version, and a member that this library doesn't know is set in it.
    /// For lull_check_version: the header is of a version that the library doesn't have.
    LULL_UNSUPPORTED = -8
} lull_status;

/// The result of one run of a job, or of a row's load; any other value counts as LULL_FAILED.
typedef enum lull_progress {
    /// The work is finished.
    LULL_DONE = 0,
    /// There is more to do, in another slice.
    LULL_AGAIN = 1,
    /// The job found that it is obsolete and did nothing; the next job runs in its place. Jobs
    /// only.
    LULL_SKIPPED = 2,
    /// The work failed.
    LULL_FAILED = 3,
    /// Like LULL_AGAIN, and the part of the value that is done can be shown until then. Loads only.
    LULL_REFINED = 4,
    /// There is more to do once lull_resume, or for a load lull_list_resume, was called for the key:
    /// until then the work keeps its place and costs nothing.
    LULL_WAITING = 5
} lull_progress;

/// The way in which a job ended; each job ends exactly once.
typedef enum lull_end {
    /// Its `run` returned LULL_DONE.
    LULL_END_DONE = 0,
    /// Its `run` returned LULL_SKIPPED.
    LULL_END_SKIPPED = 1,
    /// Its `run` returned LULL_FAILED, had no memory for its slot on a lane, or was lost in a fork.
    LULL_END_FAILED = 2,
    /// It was cancelled, or its queue or loop was closed.
    LULL_END_CANCELLED = 3,
    /// The queue had no room for it, or was shutting down when it was submitted.
    LULL_END_DROPPED = 4
} lull_end;

/// The priority of a job among the jobs of its queue.
typedef enum lull_priority {
    /// Below all others.
    LULL_PRIORITY_LOWEST = 0,
    /// Above the lowest only.
    LULL_PRIORITY_LOW = 1,
    /// The default.
    LULL_PRIORITY_NORMAL = 2,
    /// Above normal.
    LULL_PRIORITY_HIGH = 3,
    /// Above high.
    LULL_PRIORITY_HIGHER = 4,
    /// Above all others.
    LULL_PRIORITY_HIGHEST = 5
} lull_priority;

/// The mode of a loop, which reflects what a list on the loop is doing. A loop is in one mode at a
/// time; queues and observers may be in several, and pause while the loop is in another.
typedef enum lull_mode {
    /// Nothing is scrolling.
    LULL_MODE_DEFAULT = 1,
    /// A finger is down, or the list is moving.
    LULL_MODE_TRACKING = 2,
    /// Both modes.
    LULL_MODE_ALL = 3
} lull_mode;

/// The result of a callback before idle.
typedef enum lull_idle {
    /// There was nothing to do: the loop may sleep.
    LULL_NOTHING = 0,
    /// Some work was done: the loop polls, and calls back again when no event is ready.
    LULL_WORKED = 1
} lull_idle;

struct event_base;
/// A handle of a Lull guest on an event_base, or on another host's loop.
typedef struct lull_loop lull_loop;
/// A handle of a queue of jobs.
typedef struct lull_queue lull_queue;
/// A handle of a callback before idle.
typedef struct lull_observer lull_observer;
/// A handle of a timer.
typedef struct lull_timer lull_timer;
/// A handle of the idle time slot in which a callback is called; it is stale when the callback has
/// returned.
typedef struct lull_slot lull_slot;
/// A handle of a list.
typedef struct lull_list lull_list;

// MARK: - The loop

/// Makes Lull a guest on a base that the host created and dispatches, and stores the loop's handle.
///
/// The base may have one priority or several, and may be made with or without locks; nothing about
/// it is changed. Waiting work (a job, a timer) keeps event_base_dispatch from returning, as an
/// event of the host's own would; a loop alone does not. One loop per base is enough.
///
/// The calling thread becomes the loop's thread. Errors: LULL_INVALID if either argument is NULL;
/// LULL_NO_MEMORY; LULL_SYSTEM if the process is out of descriptors, of which a loop needs two. On
/// an error *loop is NULL.
lull_status lull_adopt(struct event_base *base, lull_loop **loop);

// MARK: - Other hosts
//
// The host need not be libevent's: all that is said of a base here applies to the loop of any host.
// GLib, sd-event and libuv have libraries of their own, which link only their host:
//
//     cc host.c $(pkg-config --cflags --libs lull-glib glib-2.0)
//
// With these, libevent is Lull's own affair, and the host needn't link it.

struct _GMainContext;
struct sd_event;
struct uv_loop_s;

/// Makes Lull a guest on a GLib main context, or the default one if `context` is NULL; for GTK and
/// Qt programs too. In liblull-glib.
///
/// Idle work has a priority of GLib's. G_PRIORITY_LOW is below what GTK and g_idle_add do; to take
/// turns with g_idle_add, pass G_PRIORITY_DEFAULT_IDLE. A callback may run a GMainLoop of its own, as
/// dialogs do: what isn't inside itself goes on. A GMainLoop doesn't end by itself, whether work is
/// waiting or not. Errors as for lull_adopt.
lull_status lull_adopt_glib(struct _GMainContext *context, int priority, lull_loop **loop);

/// Makes Lull a guest on an sd-event loop. In liblull-sd-event.
///
/// Idle work has a priority of sd-event's, best above SD_EVENT_PRIORITY_IDLE: of several sources
/// with one priority, sd-event 252 dispatches a deferred one first. Errors as for lull_adopt, and
/// LULL_SYSTEM with errno ECHILD in a forked child, in which no sd-event works.
lull_status lull_adopt_sd_event(struct sd_event *event, int64_t priority, lull_loop **loop);

/// Makes Lull a guest on a libuv loop. In liblull-uv.
///
/// Work runs right after a poll that has brought nothing, unlike in a uv_idle_t, which is called in
/// each pass. Waiting work keeps uv_run from returning, a loop alone does not. Call lull_close
/// before you close all that uv_walk finds, as Lull's handles are among it, and run the loop once
/// more before uv_loop_close, as after any uv_close. Errors as for lull_adopt.
lull_status lull_adopt_uv(struct uv_loop_s *host_loop, lull_loop **loop);

/// Makes Lull a guest on any other loop, which watches one descriptor for reading, and calls
/// lull_process whenever it is readable. Needs two more descriptors than lull_adopt.
///
/// The descriptor belongs to Lull, and is closed by lull_close. In a forked child, it is another
/// one with the same number after lull_reinit_after_fork: watch it anew. Errors as for lull_adopt;
/// then *descriptor is -1.
lull_status lull_adopt_fd(lull_loop **loop, int *descriptor);

/// Dispatches what is ready on a loop of lull_adopt_fd; if nothing is, runs one job, one slice, or
/// 50 us of tiny jobs. It never blocks, and may be called at any time.
///
/// While jobs wait, the descriptor stays readable, so that the host polls without sleeping. A host
/// that knows that it has served events of its own in the same pass passes `was_busy`, and no job
/// runs; a host that can't tell passes 0, and its events wait for one job or slice at most.
/// LULL_INVALID for a loop of another host; LULL_BUSY inside a callback.
lull_status lull_process(lull_loop *loop, int was_busy);

/// A loop as its host sees it, for a host of your own.
typedef struct lull_guest {
    /// Readable while the loop has something to serve.
    int descriptor;
    /// Dispatches what is ready on the loop, without blocking. Call it when the descriptor is
    /// readable. Returns 1 if anything was ready.
    int (*serve)(void *context);
    /// Runs one job, one slice, or 50 us of tiny jobs. Call it once for each `request_idle`, after
    /// a poll that found nothing ready. With `is_busy`, nothing runs, and it is requested again.
    void (*idle)(int is_busy, void *context);
    /// For all functions.
    void *context;
    /// Requests what the loop needs while one of its callbacks runs the host's loop: call it before
    /// each poll of a loop that is run inside a callback. May be NULL; does nothing otherwise.
    void (*prepare)(void *context);
} lull_guest;

/// The functions by which a loop uses a host of your own: fill it with lull_host_init. All are
/// called on the loop's thread.
typedef struct lull_host {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// For all functions.
    void *context;
    /// Begins to serve a loop; copies `guest`. Returns 0, or an errno if it has begun nothing.
    int (*begin)(const lull_guest *guest, void *context);
    /// Requests one call of the guest's `idle`. The host doesn't sleep before, and polls at least
    /// once. Returns 0, or an errno.
    int (*request_idle)(void *context);
    /// Keeps the host's loop from ending by itself, or allows it to end; may be NULL. An idle
    /// moment that is requested keeps it from ending, too.
    void (*keep_running)(int is_needed, void *context);
    /// Updates the time that the host has cached, after work; may be NULL.
    void (*update_time)(void *context);
    /// Returns the time at which the host's next own timer is due, or LULL_NONE; may be NULL.
    /// Slices end then.
    int64_t (*next_due)(void *context);
    /// Ends serving, possibly from inside a call of the guest, which must not be called again. In a
    /// forked child, `begin` follows, with another descriptor.
    void (*end)(void *context);
    /// Frees the context, after the last call; may be NULL.
    void (*release)(void *context);
} lull_host;

/// Fills a host with NULL; `size` is `sizeof *host`. Does nothing if `host` is NULL.
void lull_host_init(lull_host *host, size_t size);

/// Makes Lull a guest on a host of your own; `host` is copied.
///
/// On an error, `release` has been called, unless the struct itself was refused for its size.
/// Errors: LULL_INVALID if an argument is NULL, or `end` or `request_idle` is; LULL_NO_MEMORY, also
/// if `begin` is NULL; LULL_SYSTEM; LULL_UNSUPPORTED.
lull_status lull_adopt_host(const lull_host *host, lull_loop **loop);

// MARK: - Closing, forks and modes

/// Closes a loop and everything that was made on it; call it before you free the base.
///
/// Waiting posts are called and waiting jobs end as cancelled, all inside this call, which also waits
/// for lanes that are inside a job: see lull_submit_anywhere. No callback is called afterwards, and
/// nothing of Lull remains on the base. LULL_BUSY inside a callback.
lull_status lull_close(lull_loop *loop);

/// Requests that the callbacks before idle are called in the base's next idle pass.
///
/// Use it for work that Lull can't see coming. With libevent 2.1, Lull sees idle passes only after
/// an activity of its own: a job, a timer, a post, or this call.
lull_status lull_poke(lull_loop *loop);

/// Notes that the host draws a frame at `time`: slices end then, and a job that is expected to make
/// it late is held back.
///
/// Call it in each frame for the next one, which replaces the one before. A frame that hasn't come
/// when it was due isn't expected any more. LULL_INVALID if `time` is less than 0.
lull_status lull_expect_frame(lull_loop *loop, int64_t time);

/// Sets the loop's mode: LULL_MODE_DEFAULT, the initial mode, or LULL_MODE_TRACKING.
///
/// LULL_INVALID for any other value, since a loop is in one mode at a time.
lull_status lull_set_mode(lull_loop *loop, lull_mode mode);

/// Reinitializes a loop in a forked child; call it in the child after event_reinit and before any
/// other call on the loop.
///
/// The parent's loop is not affected. Jobs, timers and callbacks before idle exist in both
/// processes, and each process calls its own `end` functions. Posts that were not called yet stay
/// with the parent, and jobs that lanes had end as failed in the child. LULL_BUSY in a child that was
/// forked inside a callback; LULL_SYSTEM if the child is out of descriptors, or with errno EDEADLK if
/// another thread was posting at the moment of the fork: then the loop can't be used in the child.
lull_status lull_reinit_after_fork(lull_loop *loop);

/// Calls a function once on the loop's thread, soon; this is the function for other threads.
///
/// May be called from any thread at any time. Posts are called in order. A post that was accepted
/// is called exactly once: at the latest inside lull_close, on the loop's thread. LULL_INVALID if
/// `call` is NULL; LULL_STALE also while the loop is being closed; LULL_FULL.
lull_status lull_post(lull_loop *loop, void (*call)(lull_loop *loop, void *context), void *context);

// MARK: - Queues

/// The options of a queue: fill them with lull_queue_options_init, then change them. Each comment
/// below ends with the default.
typedef struct lull_queue_options {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// The maximum number of waiting jobs: 1 to 2^31 - 1; 65536. A full queue drops the job of the
    /// lowest priority; of several, the oldest.
    int64_t limit;
    /// The maximum duration of a slice: more than 0, or LULL_NONE to run each job to its end; 2 ms.
    int64_t slice;
    /// The time for which tiny jobs may run between two polls; 0 polls after each job; 50 us.
    int64_t batch;
    /// The maximum time for which jobs are deferred because the host is never idle: more than 0;
    /// LULL_NONE.
    int64_t max_deferral;
    /// The modes of the loop in which jobs run; LULL_MODE_ALL.
    lull_mode modes;
    /// The weight of the queue's share of idle time among other queues: 1 or more; 1.
    int32_t weight;
    /// The position among the callbacks before idle, the lowest first; 1,000,000.
    int32_t order;
    /// Whether a slice also ends when the next timer is due; 1.
    int32_t ends_slices_when_due;
    /// The name of the queue in statistics and traces, copied; NULL for one that no other queue has.
    const char *name;
    /// The maximum number of lanes for jobs of lull_submit_anywhere, threads that run where a processor
    /// would be idle: 1 or more, of which 64 count, or LULL_NONE for no lane; 0. There are never more
    /// than the process may use processors, by its affinity and the quotas of its control groups, and
    /// none where that is one; with 0 there is no other limit.
    int64_t lanes;
} lull_queue_options;

/// Fills options with the defaults; `size` is `sizeof *options`. Does nothing if `options` is NULL.
void lull_queue_options_init(lull_queue_options *options, size_t size);

/// Creates a queue, with the defaults if `options` is NULL, and stores its handle.
///
/// Errors: LULL_INVALID if `queue` is NULL or an option is out of range; LULL_UNSUPPORTED;
/// LULL_NO_MEMORY. On an error *queue is NULL.
lull_status lull_queue_new(
    lull_loop *loop, const lull_queue_options *options, lull_queue **queue);

/// Closes a queue; each waiting job ends as cancelled inside this call.
///
/// May be called inside one of the queue's own jobs. That job gets no further slice and ends by the
/// result of its run; LULL_AGAIN ends it as cancelled.
lull_status lull_queue_close(lull_queue *queue);

/// The outcome of the jobs that a queue held when it was shut down. The report and the arrays it
/// points to are valid only during the callback that receives it.
typedef struct lull_shutdown_report {
    /// The size of this struct as the library was compiled with it.
    size_t size;
    /// The queue's handle, to identify the queue; it is stale.
    lull_queue *queue;
    /// The queue's name.
    const char *name;
    /// The keys of the jobs that were done or skipped, in the order in which they ended.
    const uint64_t *finished;
    /// The keys of the jobs that failed.
    const uint64_t *failed;
    /// The keys of the jobs that were cancelled, by the deadline or by another call in the
    /// meantime.
    const uint64_t *returned;
    /// The number of keys in each array.
    size_t finished_count, failed_count, returned_count;
} lull_shutdown_report;

/// Shuts down a queue: accepts no more jobs, runs waiting jobs for `time`, and cancels the rest.
///
/// Jobs that are submitted from now on are dropped. When no job is left, or `time` has passed, the
/// remaining jobs end as cancelled, the queue is closed, and `then`, unless it is NULL, is called
/// once. If `time` is 0 or no job is waiting, this happens inside this call; but if one of the
/// queue's jobs makes the call, its run is completed first. If it is called again, the earlier
/// deadline counts, and each `then` is called. If the queue is closed in the meantime, its jobs are
/// cancelled and reported inside that call. O(n). LULL_INVALID if `time` is negative.
lull_status lull_queue_shutdown(
    lull_queue *queue, int64_t time,
    void (*then)(const lull_shutdown_report *report, void *context), void *context);

/// Shuts down all queues of a loop at the same time, each like lull_queue_shutdown.
///
/// `each`, unless it is NULL, is called for each queue when it has ended, and `then` once after the
/// last: this is the time to end the host's dispatch and to close the loop after that. If there is
/// no queue, `then` is called inside this call. The loop keeps running, and everything else on it
/// is not affected. LULL_INVALID if `then` is NULL or `time` is negative.
lull_status lull_loop_shutdown(
    lull_loop *loop, int64_t time,
    void (*each)(const lull_shutdown_report *report, void *context),
    void (*then)(lull_loop *loop, void *context), void *context);

/// A job: fill it with lull_job_init, then change it. The struct is read only during the call that
/// takes it. Comments below end with the default, if there is one.
typedef struct lull_job {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// The key that identifies the job: a key is in a queue at most once.
    uint64_t key;
    /// The rank among jobs of the same priority, the lowest first; equal ranks run first in, first
    /// out; 0.
    int64_t rank;
    /// The expected cost of one run; LULL_NONE. A job that has a cost or a kind is a whole job: it
    /// is started only if it is expected to end before it would make a timer later than its
    /// tolerance. Any other job is expected to return when its slot is over.
    int64_t cost;
    /// The time after which the job runs whatever else is waiting; LULL_NONE.
    int64_t timeout;
    /// A name for jobs of about the same cost, from which the cost is learned, copied; NULL. The
    /// costs of the last hundred or so names are remembered.
    const char *kind;
    /// The work: called in idle time, repeatedly as long as it returns LULL_AGAIN.
    lull_progress (*run)(const lull_slot *slot, uint64_t key, void *context);
    /// Called exactly once when the job has ended, in whichever way, unless lull_submit returned an
    /// error; may be NULL. It may submit the key again.
    void (*end)(uint64_t key, lull_end end, void *context);
    /// The context that is passed to `run` and `end`.
    void *context;
    /// The priority; LULL_PRIORITY_NORMAL.
    lull_priority priority;
    /// Reserved; 0.
    int32_t reserved;
} lull_job;

/// Fills a job with the defaults, without `run`; `size` is `sizeof *job`. Does nothing if `job` is
/// NULL.
void lull_job_init(lull_job *job, size_t size);

/// Submits a job: LULL_OK, LULL_JOINED, LULL_FOLLOWS or LULL_DROPPED.
///
/// A request that joins a waiting job gives it its priority and rank, and its timeout if that is
/// sooner. Its `run` is not called; its `end` is, with its own context. A request that is made
/// while the key's job is inside its own `run` is never lost: it either joins the rest of that job,
/// or its `run` is called later. If the queue is full, a waiting job may be dropped for this one,
/// and the `end` of that job is called inside this call. O(log n). Errors: LULL_INVALID if `job` or
/// its `run` is NULL, the priority is invalid, or a duration is negative; LULL_UNSUPPORTED.
lull_status lull_submit(lull_queue *queue, const lull_job *job);

/// Submits a job whose `run` may be called on any thread, one thread at a time: on a lane of the queue,
/// or, where there is none or other programs have its processor, on the loop's thread in idle time.
///
/// Everything else is as for lull_submit: the arguments, results and errors, the place of the job in the
/// queue, and its `end`. But LULL_FOLLOWS isn't returned: a request for a job that a lane is running
/// joins it.
///
/// From this call until `end` is called, the context and all that `run` uses of it are handed over to
/// `run`: nobody else may touch them. What one run wrote, the next and `end` see, whatever their
/// threads. `end` is called on the loop's thread while no thread is inside `run`, so it may free the
/// context. If the job is cancelled or dropped or its queue is closed while a lane is inside `run`, it
/// leaves the queue at once, its key is free, and `run` isn't called again; but `end` is called only when
/// the lane has left, possibly after `then` of lull_queue_shutdown, and the base's dispatch doesn't
/// return before. lull_close waits for lanes that are inside `run`, which should therefore return when
/// its slot is over; afterwards none is. exit waits for no lane. In a forked child, which has no lanes
/// at first, lull_reinit_after_fork ends the jobs as failed that lanes had, with their contexts as they
/// were at the fork.
///
/// Of Lull, `run` may call lull_slot_is_over and the other functions of its own slot, which is stale
/// when `run` returns; lull_post; and the functions of texts, versions and defaults. All others are
/// refused, also where the loop's own thread calls `run`: with LULL_WRONG_THREAD, and lull_adopt and
/// its relatives with LULL_BUSY. The thread of a lane has the scheduling class SCHED_BATCH at nice 10
/// and takes no signals of the process, and ends when there was nothing to do for ten seconds: `run`
/// keeps nothing in thread-local variables from one call to the next.
lull_status lull_submit_anywhere(lull_queue *queue, const lull_job *job);

/// Changes the priority and rank of a key's job: LULL_OK, or LULL_ABSENT.
///
/// For a job that has begun, that counts from its next slice on. O(log n). LULL_INVALID if the
/// priority is invalid.
lull_status lull_reprioritize(
    lull_queue *queue, uint64_t key, lull_priority priority, int64_t rank);

/// Lets a job run again whose last run returned LULL_WAITING; it then waits for idle time by its
/// priority.
///
/// It may be called from inside any callback; inside the job's own run, that doesn't wait. A job
/// that doesn't wait isn't affected. LULL_ABSENT if there is no job of this key. A job that waits
/// keeps the base's dispatch from returning no more than a loop alone.
lull_status lull_resume(lull_queue *queue, uint64_t key);

/// Cancels a key's job: LULL_OK, or LULL_ABSENT.
///
/// Its `end` is called inside this call, unless a lane is inside its `run`: see lull_submit_anywhere. If
/// the job itself makes the call, from inside its run, it gets no further slice. O(log n).
lull_status lull_cancel(lull_queue *queue, uint64_t key);

/// Cancels every job that is in the queue now, the oldest first; jobs that their `end` functions
/// submit stay.
///
/// O(n log n).
lull_status lull_cancel_all(lull_queue *queue);

/// Returns whether a key has a job here, waiting or running: LULL_OK, or LULL_ABSENT.
lull_status lull_contains(lull_queue *queue, uint64_t key);

/// Returns whether a job of a priority would be accepted without dropping another of the same or a
/// higher one: LULL_OK, or LULL_DROPPED.
lull_status lull_has_room(lull_queue *queue, lull_priority priority);

/// Returns the number of waiting jobs, including those between two slices, or an error, which is
/// negative.
int64_t lull_count(lull_queue *queue);

/// The counts of a queue: accepted = done + skipped + failed + cancelled + dropped + waiting +
/// running.
typedef struct lull_queue_statistics {
    /// Accepted jobs. Each request is counted once, here or in the next count; a request that
    /// follows the job of its key is counted when that job's run is over.
    uint64_t accepted;
    /// Requests that joined a job with the same key; not included in accepted.
    uint64_t joined;
    /// Jobs by the way in which they ended.
    uint64_t done, skipped, failed, cancelled, dropped;
    /// Jobs that are waiting now, and jobs that are inside their own run now: 0 or 1.
    uint64_t waiting, running;
    /// Runs of jobs: one for a whole job, one for each slice of any other.
    uint64_t slices;
    /// The maximum number of jobs that have waited at once.
    uint64_t longest;
    /// Runs that made a timer later than its tolerance, and the number of times a whole job was
    /// held back.
    uint64_t overruns, held_back;
    /// Runs of jobs that had waited past their timeout, or were deferred for max_deferral.
    uint64_t timed_out;
    /// The longest run of a job, and the longest wait before a first run, in nanoseconds. A job
    /// that was submitted by a job of its queue waits from the beginning of that job's run.
    uint64_t longest_run, longest_wait;
} lull_queue_statistics;

/// Fills a struct with a queue's counts; `size` is `sizeof *statistics`.
///
/// If the struct is smaller, only the members that it has are filled; in a larger one, members that
/// this library doesn't know are set to 0. LULL_INVALID if `statistics` is NULL.
lull_status lull_queue_get_statistics(
    lull_queue *queue, lull_queue_statistics *statistics, size_t size);

// MARK: - Idle time slots

/// Returns whether a slice of work should end now, on a lane also because its job has ended: 1 or 0, or
/// an error, which isn't 0 either, so that the work stops.
int lull_slot_is_over(const lull_slot *slot);

/// Returns the time that is left of the slot: it ends when Lull's next timer is due, and after 50
/// ms at most. On a lane, where no timer counts, it is always 50 ms. 0 if the job runs because of its
/// timeout. An error is negative.
int64_t lull_slot_remaining(const lull_slot *slot);

/// Returns the time at which the slot ends, or an error, which is negative.
int64_t lull_slot_deadline(const lull_slot *slot);

/// Returns the time at which a slice should end, INT64_MAX for never, or an error, which is
/// negative.
int64_t lull_slot_slice_end(const lull_slot *slot);

/// Returns whether the job runs because it has waited past its timeout: 1 or 0, or an error.
int lull_slot_did_time_out(const lull_slot *slot);

// MARK: - Callbacks before idle, and timers

/// Registers a function that is called when the base is idle, so that it can work before the loop
/// sleeps.
///
/// If there are several such callbacks, including queues, one of them works between two polls; they
/// take turns by the time they use. `order` is the position among equals, the lowest first; `modes`
/// are the modes of the loop in which `work` is called. `observer` may be NULL; then the callback
/// lives as long as the loop. Errors: LULL_INVALID if `work` is NULL or `modes` is invalid;
/// LULL_NO_MEMORY.
lull_status lull_before_idle(
    lull_loop *loop, int32_t order, lull_mode modes,
    lull_idle (*work)(const lull_slot *slot, void *context), void *context,
    lull_observer **observer);

/// Removes a callback before idle from its loop, also from inside itself; it isn't called
/// afterwards.
lull_status lull_observer_cancel(lull_observer *observer);

/// Calls a function after `delay`, and then once each `period`, unless that is LULL_NONE.
///
/// Slices end when the timer is due; they don't for timers of libevent's own. A whole job that
/// would make the timer later than `tolerance` is held back; with LULL_NONE, the timer may be
/// delayed by any job that runs when it is due. `timer` may be NULL; otherwise its handle becomes
/// stale when it fires for the last time, before `fire` is called. Errors: LULL_INVALID if `fire`
/// is NULL, a duration is negative or the period is 0; LULL_NO_MEMORY.
lull_status lull_timer_new(
    lull_loop *loop, int64_t delay, int64_t period, int64_t tolerance,
    void (*fire)(lull_loop *loop, void *context), void *context, lull_timer **timer);

/// Cancels a timer, also from inside itself; it isn't called afterwards.
lull_status lull_timer_cancel(lull_timer *timer);

// MARK: - Lists

/// The rule that selects the rows to load and their order.
typedef enum lull_rule {
    /// Rows in the order of the time in view that they gain for their cost; rows that would be too
    /// late, or gain too little for what else waits, are not loaded.
    LULL_RULE_VALUE = 0,
    /// The rows in view, first in, first out.
    LULL_RULE_VISIBLE = 1,
    /// In a long fling, only the rows within `margin` of its landing position; otherwise the rows
    /// in view.
    LULL_RULE_WITHIN = 2,
    /// The rows in view, then all rows within two viewport heights, the nearest first.
    LULL_RULE_EVERYTHING = 3
} lull_rule;

/// The state of a row's load.
typedef enum lull_row_state {
    /// It isn't wanted, or not yet.
    LULL_ROW_PLACEHOLDER = 0,
    /// It is wanted, and waits for idle time.
    LULL_ROW_QUEUED = 1,
    /// It has begun.
    LULL_ROW_LOADING = 2,
    /// It has begun, and a preview can be shown.
    LULL_ROW_REFINED = 3,
    /// The value is loaded.
    LULL_ROW_LOADED = 4,
    /// The load returned LULL_FAILED.
    LULL_ROW_FAILED = 5
} lull_row_state;

/// The content of a row.
typedef struct lull_row {
    /// The size of this struct as the library was compiled with it.
    size_t size;
    /// The number of the row.
    int64_t row;
    /// The value that its load has stored; NULL unless the row is refined or loaded.
    void *value;
    /// The finished part of its load, from 0 to 1, or -1 if unknown.
    double share;
    /// The state of its load.
    lull_row_state state;
    /// The error code of its load; 0 if it has not failed.
    int32_t error;
} lull_row;

/// A value being loaded. Each run gets the struct as the run before has left it, the first run with
/// the defaults, which end each comment below.
typedef struct lull_load {
    /// The size of this struct as the library was compiled with it.
    size_t size;
    /// The key of the value.
    uint64_t key;
    /// The value, or the unfinished work on it; NULL. The list owns what a run stores here.
    void *value;
    /// The size of the value in bytes, for a list with a byte limit: up to 2^36; 0.
    int64_t bytes;
    /// The finished part, from 0 to 1, or -1 if unknown; -1. A load that is half done is finished
    /// even if its row is no longer wanted.
    double share;
    /// The time after which a failed load is retried: LULL_NONE for never; 0 for a delay that grows
    /// with each failure, up to 1, 2, 4 and 8 s, and no retry after five tries; LULL_NONE.
    int64_t retry_after;
    /// The host's error code, for example a value of errno; 0.
    int32_t error;
    /// Reserved; 0.
    int32_t reserved;
    /// The list, for lull_list_resume.
    lull_list *list;
} lull_load;

/// The rule by which rows are gathered in a line.
typedef enum lull_flow_rule {
    /// `columns` columns of equal width. A line is as high as its highest row.
    LULL_FLOW_COLUMNS = 0,
    /// As many columns of equal width as fit, if each is at least `measure` px wide; at least one.
    LULL_FLOW_ADAPTIVE = 1,
    /// `columns` columns of equal width, in lines that are `measure` px high, whatever the rows are.
    LULL_FLOW_FIXED = 2,
    /// Rows in shapes of their own, in lines that are filled from edge to edge and end where their
    /// height is nearest to `measure` px. `row_height` and `row_height_of` then aren't heights, but
    /// aspect ratios, width by height: more than 0.
    LULL_FLOW_JUSTIFIED = 3
} lull_flow_rule;

/// The flow of rows in lines, with several rows side by side, as in a grid of pictures.
typedef struct lull_flow {
    /// The rule.
    lull_flow_rule rule;
    /// The number of columns, 1 to 1,024; LULL_FLOW_ADAPTIVE and LULL_FLOW_JUSTIFIED don't use it.
    int32_t columns;
    /// A width or height, in px, as the rule says: 1 to 65,536; LULL_FLOW_COLUMNS doesn't use it.
    double measure;
    /// The width of the list, in px: 1 to 65,536.
    double width;
    /// The space between the rows of a line and below each line, in px: 0 to 65,536.
    double spacing;
    /// Whether lines are columns, side by side, of a list that scrolls to the right: offsets and
    /// heights are then horizontal, widths vertical, and aspect ratios height by width. 0 or 1.
    int32_t is_horizontal;
    /// Reserved; 0.
    int32_t reserved;
} lull_flow;

/// A list of rows whose values are loaded in idle time: fill the options with
/// lull_list_options_init, then change them. Comments below end with the default, if there is one.
///
/// The list measures how it is scrolled, predicts the landing position of a fling, and first loads
/// the rows that will be seen. The host reports touches and offsets, and is called back with the
/// rows to show:
///
///     static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
///         if (!load->value) load->value = picture_open(load->key);
///         while (!lull_slot_is_over(slot)) {
///             if (!picture_decode_a_bit(load->value)) return LULL_DONE;
///         }
///         return LULL_AGAIN;
///     }
///
///     static void show(const lull_row *row, void *context) {
///         screen_draw(context, row->row, row->value);  // NULL: a placeholder
///     }
///
///     static void drop(uint64_t key, void *value, void *context) {
///         picture_free(value);
///     }
///
///     lull_list_options_init(&options, sizeof options);
///     options.rows = 10000;
///     options.row_height = 120;
///     options.height = 800;
///     options.load = load;
///     options.show = show;
///     options.drop = drop;
///     options.context = screen;
///     if (lull_list_new(loop, &options, &list) < 0) return 1;
///     lull_list_input(list, LULL_INPUT_DOWN, 700, LULL_NONE);
///     lull_list_scroll(list, 1240, LULL_NONE);
///
/// The list owns a value from the moment at which a run has stored it in its lull_load, and passes
/// it to `drop` exactly once: when there is no room for it and its row isn't in view, when it is
/// replaced or reloaded, when it is no longer wanted before it is loaded, and at the latest when
/// the list is closed. With `load_anywhere`, a value that a run has replaced is dropped when the load
/// has ended; and if a lane is inside `load` when the list is closed, what that has stored is dropped
/// when the lane has left, at the latest inside lull_close.
typedef struct lull_list_options {
    /// The size of this struct as the host was compiled with it.
    size_t size;
    /// The number of rows: 0 to 2^40 - 1, and 2^43 px in all; 0.
    int64_t rows;
    /// The height of each row, without `row_height_of`, in px: 1 or more, except as lull_flow says;
    /// 44.
    double row_height;
    /// The height of the viewport, in px: 0 to 65,536; 0.
    double height;
    /// The rule that selects the rows to load; LULL_RULE_VALUE.
    lull_rule rule;
    /// The number of rows that LULL_RULE_WITHIN loads on either side of a landing position: 0 to
    /// 1,000; 3.
    int32_t margin;
    /// The maximum number of values and failures that are kept; rows in view are kept in any
    /// number: 1 to 2^24; 512.
    int64_t limit;
    /// The maximum number of bytes that are kept, by the sizes that loads report: more than 0;
    /// LULL_NONE for no limit. Loads in progress out of view take half of it at most.
    int64_t byte_limit;
    /// The least and the greatest price of work for LULL_RULE_VALUE; see lull_list_price. 0 or more,
    /// finite, and the least isn't above the greatest; with equal limits the price is constant.
    /// A least price of 2.7 saves a battery, where idle time isn't free; 0 and 108.
    double least_price, greatest_price;
    /// The flow of the rows in lines; NULL if each row is below the one before.
    const lull_flow *flow;
    /// The options of the list's own queue; NULL for the defaults.
    const lull_queue_options *queue;
    /// Loads a value in slices: called in idle time, repeatedly as long as it returns LULL_AGAIN or
    /// LULL_REFINED, and after each lull_list_resume if it returns LULL_WAITING, until the value is
    /// done, has failed or is no longer wanted.
    lull_progress (*load)(const lull_slot *slot, lull_load *load, void *context);
    /// Shows a row: called when the row comes into view, when more of its value can be shown, when
    /// the value is loaded or has failed, and when it has to be reloaded; may be NULL.
    void (*show)(const lull_row *row, void *context);
    /// Frees a value that will not be shown any more; not called for NULL. May be NULL if there is
    /// nothing to free.
    void (*drop)(uint64_t key, void *value, void *context);
    /// Returns the key of a row's value, which stays the same wherever the row moves; NULL to use
    /// the row's number. Rows with the same key share its value. The value of a removed row is kept
    /// as long as there is room, so a key must not be reused for something else: note that an
    /// address may be allocated again.
    uint64_t (*key)(int64_t row, void *context);
    /// Returns the expected cost of loading a key, in nanoseconds, or LULL_NONE if unknown; called
    /// often. May be NULL if costs are never known.
    int64_t (*cost)(uint64_t key, void *context);
    /// Returns the kind of a key's load, any number of 0 or more, or LULL_NONE if unknown: the list
    /// learns what each kind costs, for keys whose `cost` isn't known. If the cost grows with a size
    /// that is known before, such as a number of bytes, the function stores it in *size, which is
    /// LULL_NONE before the call; all sizes are in one unit. Called often. May be NULL.
    int64_t (*kind)(uint64_t key, int64_t *size, void *context);
    /// Returns the height of a row in px, 1 or more, except as lull_flow says; called once for each
    /// row that exists or is inserted. NULL if all rows have the same height.
    double (*row_height_of)(int64_t row, void *context);
    /// The context that is passed to all of these functions.
    void *context;
    /// Whether `load` may be called on any thread, one at a time for each key, as the `run` of
    /// lull_submit_anywhere: on the lanes of the list's queue, or on the loop's thread. Of Lull, it may
    /// then call what that `run` may. All that it uses but its lull_load may be used on other threads
    /// meanwhile. 0 or 1; 0.
    int32_t load_anywhere;
    /// Reserved; 0.
    int32_t reserved;
} lull_list_options;

/// Fills options with the defaults, without callbacks; `size` is `sizeof *options`. Does nothing if
/// `options` is NULL.
void lull_list_options_init(lull_list_options *options, size_t size);

/// Creates a list with a queue of its own, and stores its handle.
///
/// `show` is called for each row in view inside this call. O(rows) with `row_height_of`, otherwise
/// O(1). Errors: LULL_INVALID if `list`, `options` or its `load` is NULL, or an option or a height
/// is out of range; LULL_UNSUPPORTED; LULL_NO_MEMORY. On an error *list is NULL.
lull_status lull_list_new(
    lull_loop *loop, const lull_list_options *options, lull_list **list);

/// Closes a list, also from inside its callbacks; none of them but `drop` is called afterwards.
///
/// All values are dropped inside this call. If a callback of the list makes the call, the last
/// values are dropped when that callback has returned.
lull_status lull_list_close(lull_list *list);

/// An input event of a list.
typedef enum lull_input {
    /// A finger touches the list, `y` px below the top of the viewport.
    LULL_INPUT_DOWN = 0,
    /// The finger has moved to `y`.
    LULL_INPUT_MOVED = 1,
    /// The finger lifts at `y`.
    LULL_INPUT_UP = 2,
    /// The touch is cancelled, and no fling follows.
    LULL_INPUT_CANCELLED = 3,
    /// A wheel was turned.
    LULL_INPUT_WHEEL = 4,
    /// A key has scrolled the list.
    LULL_INPUT_KEY = 5,
    /// A programmatic scroll, or a drag of the scroll bar, has ended: the list stands still.
    LULL_INPUT_JUMP_ENDED = 6
} lull_input;

/// Reports a touch, wheel or key event to a list; `y` is used by the first three kinds only.
///
/// Here and in the next functions `time` is the time of the event, LULL_NONE for now. Rows that
/// come into view are shown inside these calls. LULL_INVALID if the input is invalid, `y` isn't a
/// number or is beyond 10^9 px, or the time is negative or more than 10 s ahead.
lull_status lull_list_input(lull_list *list, lull_input input, double y, int64_t time);

/// Reports that the finger lifts at `y`, and that the host's own scroller will bring the list to
/// rest at the offset `target`: use it instead of LULL_INPUT_UP if the target is known, also
/// without a finger, for a remote control or a key. The target holds until the frames contradict it.
/// LULL_INVALID as above.
lull_status lull_list_fling(lull_list *list, double y, double target, int64_t time);

/// Sets the list's offset, in px, in a frame that began at `time`; an offset beyond either end of
/// the list is clamped. LULL_INVALID if it isn't a number, or as above.
lull_status lull_list_scroll(lull_list *list, double offset, int64_t time);

/// Reports that the program begins to scroll to an offset; rows that are only passed are not worth
/// loading. Report the frames by lull_list_scroll and the end by LULL_INPUT_JUMP_ENDED.
/// LULL_INVALID as above.
lull_status lull_list_jump(lull_list *list, double target, int64_t time);

/// Sets the height of the viewport, in px. LULL_INVALID if it isn't from 0 to 65,536.
lull_status lull_list_resize(lull_list *list, double height);

/// Changes the flow of the rows in lines, such as its width; what is in view stays there, and the
/// offset moves as in lull_list_update. O(rows).
///
/// LULL_INVALID if `flow` is NULL or one of its members is out of range, and if only one of the two
/// flows is LULL_FLOW_JUSTIFIED, as rows have other measures then. LULL_BUSY as in lull_list_update.
lull_status lull_list_arrange(lull_list *list, const lull_flow *flow);

/// The kind of an update.
typedef enum lull_update_kind {
    /// A row is inserted.
    LULL_UPDATE_INSERT = 0,
    /// A row is removed.
    LULL_UPDATE_REMOVE = 1,
    /// A row is moved.
    LULL_UPDATE_MOVE = 2,
    /// A row stays, is measured again, and its value is reloaded.
    LULL_UPDATE_RELOAD = 3
} lull_update_kind;

/// One change of a row, among those of one update.
typedef struct lull_update {
    /// The kind of the change.
    lull_update_kind kind;
    /// Reserved; 0.
    int32_t reserved;
    /// The row: its number before the whole update, or, for an insertion, its number after it.
    int64_t row;
    /// The destination of a move: the row's number after the whole update.
    int64_t to;
} lull_update;

/// Inserts, removes, moves and reloads rows in one step, without moving the rows in view.
///
/// The host changes its own rows first: the list asks for keys and heights again. `rows` is the
/// number of rows after the update. The offset moves along with the rows in view, and so does the
/// landing position of a fling: a host that moves the list along a path of its own shifts the path by
/// the difference of lull_list_offset after and before. O(k log n). LULL_INVALID, and nothing is
/// changed, if `updates` is NULL; if a row doesn't exist, is named twice or has an invalid height; if
/// the updates don't add up to `rows`; or if without `key` a row that stays would change its number.
/// LULL_BUSY inside the callbacks of the list, except `load`: then use lull_post.
lull_status lull_list_update(
    lull_list *list, const lull_update *updates, size_t count, int64_t rows);

/// Lets a load continue whose last run returned LULL_WAITING; it then waits for idle time by its
/// urgency.
///
/// It may be called from inside any callback; inside the load's own run, that doesn't wait. A load
/// that doesn't wait isn't affected. LULL_ABSENT if the key has no unfinished load. A load that waits
/// keeps the base's dispatch from returning no more than a loop alone.
lull_status lull_list_resume(lull_list *list, uint64_t key);

/// Retries a failed row, as if for the first time; does nothing if the row has not failed.
/// LULL_INVALID if the row doesn't exist.
lull_status lull_list_retry(lull_list *list, int64_t row);

/// Drops a row's value because its content has changed; if the row is wanted, it is reloaded.
/// LULL_INVALID if the row doesn't exist.
lull_status lull_list_invalidate(lull_list *list, int64_t row);

/// Returns the number of rows, or an error, which is negative.
int64_t lull_list_count(lull_list *list);

/// Returns the list's offset, in px, or an error, which is negative.
double lull_list_offset(lull_list *list);

/// Returns the price of work now: the time in view, in seconds, that a second of work must gain for
/// a row to be loaded; or an error, which is negative.
///
/// It is 0 while idle time goes unused, and grows with the work that waits. At 2.7 a single list that
/// keeps its loop busy wastes little and misses little; at 108 only rows that stay in view are
/// loaded.
double lull_list_price(lull_list *list);

/// Returns the number of rows in view, and stores the first of them in *first; an error is
/// negative. `first` may be NULL.
int64_t lull_list_visible(lull_list *list, int64_t *first);

/// Gets a row's top and height, in px; either may be NULL. LULL_INVALID if the row doesn't exist.
lull_status lull_list_extent(lull_list *list, int64_t row, double *top, double *height);

/// A rectangle in the content of a list, in px.
typedef struct lull_frame {
    /// The distances of its left and its top edge from those of the content.
    double x, y;
    /// Its width and its height.
    double width, height;
} lull_frame;

/// Gets the rectangle of a row that flows in lines. LULL_ABSENT if each row is below the one
/// before; LULL_INVALID if the row doesn't exist, or `frame` is NULL.
lull_status lull_list_get_frame(lull_list *list, int64_t row, lull_frame *frame);

/// Gets the landing position of the current fling, in px: LULL_OK, or LULL_ABSENT if there is no
/// fling or its landing position is unknown. LULL_INVALID if `offset` is NULL.
lull_status lull_list_landing(lull_list *list, double *offset);

/// Gets the content of a row; `size` is `sizeof *shown`, and may differ as in
/// lull_queue_get_statistics. LULL_INVALID if the row doesn't exist, or `shown` is NULL.
lull_status lull_list_get_row(lull_list *list, int64_t row, lull_row *shown, size_t size);

/// Explains in one line of English, for a log, why a row is wanted or isn't. The text is written to
/// `text`, truncated if it has `size` bytes or more, and always terminated by a 0 unless `size` is
/// 0. Returns the length of the full text, 0 if there is none, or an error, which is negative:
/// LULL_INVALID if the row doesn't exist.
int64_t lull_list_explain(lull_list *list, int64_t row, char *text, size_t size);

/// The counts of a list.
typedef struct lull_list_statistics {
    /// Rows that came into view, and those of them whose values were loaded by then.
    uint64_t entered, ready;
    /// Rows whose values were loaded while in view, and failures of rows in view.
    uint64_t loaded, failed;
    /// Values and failures that are kept now, and their bytes, including those of unfinished loads;
    /// bytes are counted only if there is a byte limit.
    uint64_t kept, bytes;
} lull_list_statistics;

/// Fills a struct with a list's counts, as lull_queue_get_statistics does.
lull_status lull_list_get_statistics(
    lull_list *list, lull_list_statistics *statistics, size_t size);

// MARK: - Texts and version

/// Returns a status as a few English words, for a log; never NULL, and must not be freed.
const char *lull_status_text(lull_status status);

/// Describes the last error of the calling thread, for a log: the function, the argument, and what
/// is wrong with it, such as "lull_submit: job->run is NULL". An empty text if there was none.
///
/// The text is valid until the thread's next error. What isn't an error leaves it as it is.
const char *lull_last_error(void);

/// Sets that text, of which 255 bytes are kept: for a library on top of Lull whose functions return a
/// lull_status, too. Does nothing if `text` is NULL.
void lull_set_last_error(const char *text);

/// Returns the text of a job's end, in the same way.
const char *lull_end_text(lull_end end);

/// Returns the LULL_VERSION of the library that is loaded.
int lull_version(void);

/// Returns the LULL_VERSION_TEXT of the library that is loaded, in the same way as the texts above.
const char *lull_version_text(void);

/// Checks that the library that is loaded has all that a header declares; call it first, for a
/// program that is installed apart from the library:
///
///     if (lull_check_version(LULL_VERSION) < 0) {
///         fprintf(stderr, "lull %s is too old\n", lull_version_text());
///         return 1;
///     }
///
/// LULL_OK, or LULL_UNSUPPORTED if the library is older, or of another major version. Patches don't
/// count.
lull_status lull_check_version(int version);

#ifdef __cplusplus
}
#endif

#endif
