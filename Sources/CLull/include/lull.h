// Work in the lulls of a libevent loop, from C.
//
// A daemon that has an event_base of its own makes Lull a guest on it, hands in jobs, and goes on
// dispatching as it always did. Jobs run only when nothing is ready, one at a time or in slices, so
// that a ready event waits for at most one of them:
//
//     #include <event2/event.h>
//     #include <lull.h>
//
//     static lull_progress render(const lull_slot *slot, uint64_t page, void *context) {
//         struct renderer *renderer = context;
//         while (renderer_has_more(renderer, page)) {
//             if (lull_slot_is_over(slot)) return LULL_AGAIN;  // the rest in another lull
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
// THREADS. A loop belongs to the thread that called lull_adopt, which must be the one that
// dispatches the base; so does all that is made on it. Any other thread may call lull_post,
// lull_status_text, lull_end_text, lull_version and the _init functions, and is refused by the rest
// with LULL_WRONG_THREAD. Callbacks are only ever called on the loop's thread: inside the host's
// dispatch, or inside the call that caused them where that is said.
//
// HANDLES are no addresses and point to nothing. One that is NULL or of another kind gives
// LULL_INVALID, one of what was closed or is over gives LULL_STALE, a number that never was a
// handle either of the two, and none of them touches anything. LULL_INVALID comes before
// LULL_STALE, that before LULL_WRONG_THREAD, and that before what is wrong with other arguments. A
// handle that was once given out is not given out again for 2^36 uses of its place.
//
// RESULTS below zero are errors, and then nothing was done and nothing will be called. What else is
// said below of each function comes on top of the three of any handle. Where memory is so short
// that not even a few bytes can be had, the process ends, as any Swift program does; where
// descriptors or memory of libevent are, lull_adopt says so.
//
// TIME is in nanoseconds. LULL_NONE stands for a duration that is left out; no other negative one
// is taken. Moments are CLOCK_MONOTONIC's.
//
// CALLBACKS may call everything here, but for lull_close and lull_reinit_after_fork, which give
// LULL_BUSY inside one, as lull_list_update does inside most of its list's. They must return: not by
// longjmp, nor by a C++ exception. Contexts are the host's; Lull only hands them on.
//
// LISTS load what their rows show in the same lulls, see lull_list_options.

#ifndef LULL_H
#define LULL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Grows with each function, constant or member that is added here.
#define LULL_VERSION 1

/// A duration that is left out.
#define LULL_NONE (-1)

/// What became of a call.
typedef enum lull_status {
    /// It was done. Of a job: it waits.
    LULL_OK = 0,
    /// A job of its key waits already: that one stands for both, and whoever wants to know of the end
    /// is told of that one's.
    LULL_JOINED = 1,
    /// The queue had no room for the job, or is shutting down, and its end was called inside the call.
    LULL_DROPPED = 2,
    /// The queue had no room for the job, and nothing of it is called: LULL_REJECT is set.
    LULL_REJECTED = 3,
    /// There is no job of this key, or no landing.
    LULL_ABSENT = 4,
    /// The job of its key is in its own call: if that says LULL_AGAIN, the request joins it; if not, it
    /// is a job of its own, and runs after it.
    LULL_FOLLOWS = 5,
    /// A handle that is NULL or no handle, or an argument that makes no sense.
    LULL_INVALID = -1,
    /// What the handle named is closed or over.
    LULL_STALE = -2,
    /// The handle belongs to another thread.
    LULL_WRONG_THREAD = -3,
    /// A callback of the loop, or of the list, is being called: try again after it.
    LULL_BUSY = -4,
    /// As many posts wait as there may: 65,536.
    LULL_FULL = -5,
    /// Memory is short, or more than 16 million handles are in use.
    LULL_NO_MEMORY = -6,
    /// The system refused; errno says why, EMFILE for example.
    LULL_SYSTEM = -7,
    /// The struct is of a later version, and something is set in it that this library doesn't know.
    LULL_UNSUPPORTED = -8
} lull_status;

/// What a run of a job, or of a row's load, says of itself; anything else counts as LULL_FAILED.
typedef enum lull_progress {
    /// It is finished.
    LULL_DONE = 0,
    /// It has more to do, in another slice.
    LULL_AGAIN = 1,
    /// It found itself stale: it did nothing, and the next one runs in its place. Jobs only.
    LULL_SKIPPED = 2,
    /// It could not do what it should.
    LULL_FAILED = 3,
    /// As LULL_AGAIN, and what there is of the value can be shown until then. Loads only.
    LULL_REFINED = 4
} lull_progress;

/// How a job came to its end; each has exactly one.
typedef enum lull_end {
    /// It said that it's done.
    LULL_END_DONE = 0,
    /// It said that it's stale.
    LULL_END_SKIPPED = 1,
    /// It said that it failed.
    LULL_END_FAILED = 2,
    /// It was taken back, or its queue or loop was closed.
    LULL_END_CANCELLED = 3,
    /// The queue had no room for it, or was shutting down when it was handed in.
    LULL_END_DROPPED = 4
} lull_end;

/// How soon a job matters beside others of its queue.
typedef enum lull_priority {
    /// After all else.
    LULL_PRIORITY_LOWEST = 0,
    /// Before the lowest only.
    LULL_PRIORITY_LOW = 1,
    /// That of a job of which nothing is said.
    LULL_PRIORITY_NORMAL = 2,
    /// Before what is normal.
    LULL_PRIORITY_HIGH = 3,
    /// Before what is high.
    LULL_PRIORITY_HIGHER = 4,
    /// Before all else.
    LULL_PRIORITY_HIGHEST = 5
} lull_priority;

/// What a queue does with one job more than it has room for.
typedef enum lull_overflow {
    /// Drops the least urgent, the oldest of those first.
    LULL_DROP_LEAST_URGENT = 0,
    /// Drops what has waited longest.
    LULL_DROP_OLDEST = 1,
    /// Drops what was just handed in.
    LULL_DROP_NEWEST = 2,
    /// Doesn't take it: LULL_REJECTED.
    LULL_REJECT = 3
} lull_overflow;

/// What a list that hangs on the loop is doing. A loop is in one mode; queues and observers may be
/// in several, and rest while the loop is in another.
typedef enum lull_mode {
    /// Nothing moves.
    LULL_MODE_DEFAULT = 1,
    /// A finger is down, or the list moves.
    LULL_MODE_TRACKING = 2,
    /// Whatever the loop's mode is.
    LULL_MODE_ALL = 3
} lull_mode;

/// What a callback before idle did with its turn.
typedef enum lull_idle {
    /// There was nothing to do: the host's loop may sleep.
    LULL_NOTHING = 0,
    /// Some work was done: the loop polls, and comes again when nothing is ready.
    LULL_WORKED = 1
} lull_idle;

struct event_base;
/// A handle of a guest on an event_base.
typedef struct lull_loop lull_loop;
/// A handle of a queue of jobs.
typedef struct lull_queue lull_queue;
/// A handle of a callback before idle.
typedef struct lull_observer lull_observer;
/// A handle of a timer.
typedef struct lull_timer lull_timer;
/// A handle of the lull in which a callback was called; it is stale when that has returned.
typedef struct lull_slot lull_slot;
/// A handle of a list.
typedef struct lull_list lull_list;

// MARK: - The loop

/// Becomes a guest on a base that the host made and dispatches, and gives the handle of the loop.
///
/// The base may have one priority or several, and be made with locks or without; nothing of it is
/// changed. What waits here (a job, a timer) keeps event_base_dispatch from returning as an event
/// of the host's own would; a loop alone does not. One loop is enough for a base.
///
/// The calling thread becomes the loop's. LULL_INVALID if one of the two is NULL; LULL_NO_MEMORY;
/// LULL_SYSTEM when the process is out of descriptors, of which a loop needs two. Then *loop is
/// NULL.
lull_status lull_adopt(struct event_base *base, lull_loop **loop);

/// Closes a loop and all that was made on it; to be called before the base is freed.
///
/// Posts that wait are called and jobs that wait are ended as cancelled, all inside this call; no
/// callback comes afterwards, and nothing of Lull is left on the base. LULL_BUSY inside a callback.
lull_status lull_close(lull_loop *loop);

/// Has the callbacks before idle called in the base's next idle pass.
///
/// For work that comes up where Lull can't see it. With libevent 2.1 idle passes are seen only
/// after something of Lull's own: a job, a timer, a post, or this.
lull_status lull_poke(lull_loop *loop);

/// Says in which mode the loop is: LULL_MODE_DEFAULT, as at first, or LULL_MODE_TRACKING.
///
/// LULL_INVALID for anything else, as a loop is in one mode at a time.
lull_status lull_set_mode(lull_loop *loop, lull_mode mode);

/// Gives a forked child a loop of its own; to be called in the child after event_reinit and before
/// anything else of the loop.
///
/// The parent's is left alone. Jobs, timers and callbacks before idle are there in both, so that
/// each process has its own ends called; what was posted and not called stays the parent's.
/// LULL_BUSY in a child forked inside a callback; LULL_SYSTEM if it's out of descriptors, or with
/// EDEADLK if another thread was just posting: then the loop is of no use in the child.
lull_status lull_reinit_after_fork(lull_loop *loop);

/// Has `call` called once on the loop's thread, soon; the one function for other threads.
///
/// May be called from any thread, at any time. The order of posts is kept. What was taken is called
/// exactly once: at the latest, and on the loop's thread, inside lull_close. LULL_INVALID without
/// `call`; LULL_STALE also while the loop is being closed; LULL_FULL.
lull_status lull_post(lull_loop *loop, void (*call)(lull_loop *loop, void *context), void *context);

// MARK: - Queues

/// How a queue runs its jobs; made by lull_queue_options_init, then changed.
typedef struct lull_queue_options {
    /// The size of this struct as the host knows it.
    size_t size;
    /// How many jobs may wait: 1 to 2^31 - 1; 65536.
    int64_t limit;
    /// How much work may wait, by what jobs are said to cost: more than 0; LULL_NONE for any.
    int64_t cost_limit;
    /// How long a slice may take: more than 0, or LULL_NONE to let every job run to its end; 2 ms.
    int64_t slice;
    /// How long tiny jobs may go on between two polls; 0 polls after each; 50 us.
    int64_t batch;
    /// How long jobs may be put off because the host is never idle: more than 0; LULL_NONE.
    int64_t max_deferral;
    /// What happens to one job too many; LULL_DROP_LEAST_URGENT.
    lull_overflow overflow;
    /// The modes of the loop in which jobs run; LULL_MODE_ALL.
    lull_mode modes;
    /// The queue's part of the lulls beside others: 1 or more; 1.
    int32_t weight;
    /// The place among callbacks before idle, the least first; 1,000,000.
    int32_t order;
    /// Whether a slice also ends when the next timer is due; 1.
    int32_t ends_slices_when_due;
    /// Not used; 0.
    int32_t reserved;
    /// What the queue is called in traces, copied; "idle queue".
    const char *name;
} lull_queue_options;

/// Fills options with the defaults; `size` is `sizeof *options`, and NULL does nothing.
void lull_queue_options_init(lull_queue_options *options, size_t size);

/// Makes a queue, with the defaults if `options` is NULL, and gives its handle.
///
/// LULL_INVALID if `queue` is NULL or an option isn't what it may be; LULL_UNSUPPORTED;
/// LULL_NO_MEMORY. Then *queue is NULL.
lull_status lull_queue_new(
    lull_loop *loop, const lull_queue_options *options, lull_queue **queue);

/// Closes a queue; each job that waits is ended as cancelled inside this call.
///
/// Also from inside a job of its own, which has no further slice then and ends as it says, but
/// LULL_AGAIN as cancelled.
lull_status lull_queue_close(lull_queue *queue);

/// What became of the jobs that a queue held when it was shut down. It, and what it points to, is
/// there only while the callback is called that it's handed to.
typedef struct lull_shutdown_report {
    /// The size of this struct as the library knows it.
    size_t size;
    /// The queue's handle, to tell it from others; it is stale.
    lull_queue *queue;
    /// The queue's name.
    const char *name;
    /// The keys of those that were done, or found themselves stale, in the order in which they ended.
    const uint64_t *finished;
    /// The keys of those that failed.
    const uint64_t *failed;
    /// The keys of those that were taken back, by the deadline or by whoever else did so meanwhile.
    const uint64_t *returned;
    /// How many there are of each.
    size_t finished_count, failed_count, returned_count;
} lull_shutdown_report;

/// Takes nothing in any more, goes on with what is here for `time`, and takes the rest back.
///
/// What is handed in from now on is dropped. When nothing is left, or `time` is over, the jobs that
/// are left end as cancelled, the queue is closed, and `then`, unless it is NULL, is called once.
/// With a `time` of 0, or nothing here, that is inside this call; but a job that calls this itself
/// comes to the end of its run first. Called again, the sooner end counts, and each `then` is
/// called. One that is closed meanwhile takes back, and reports, inside that call. O(n).
/// LULL_INVALID if `time` is negative.
lull_status lull_queue_shutdown(
    lull_queue *queue, int64_t time,
    void (*then)(const lull_shutdown_report *report, void *context), void *context);

/// Shuts down all queues that are there, side by side, each as lull_queue_shutdown would.
///
/// `each`, unless it is NULL, is called for each queue as it comes to its end, and `then` once after
/// the last: the moment to end the host's dispatch, and to close the loop after that. Without a
/// queue `then` is called inside this call. The loop goes on, and what else hangs on it is left
/// alone. LULL_INVALID without `then`, or if `time` is negative.
lull_status lull_loop_shutdown(
    lull_loop *loop, int64_t time,
    void (*each)(const lull_shutdown_report *report, void *context),
    void (*then)(lull_loop *loop, void *context), void *context);

/// A job; made by lull_job_init, then changed. The struct is only read in the call it's given to.
typedef struct lull_job {
    /// The size of this struct as the host knows it.
    size_t size;
    /// What the job is known by: a key is in a queue once.
    uint64_t key;
    /// Orders jobs of one priority, the smaller first; equal ones run in the order they came; 0.
    int64_t rank;
    /// What one run of it takes; LULL_NONE. One that has a cost or a kind is a whole job: it is
    /// started only if it will presumably end before a timer would be too late for its tolerance.
    /// Any other is expected to stop when its slot is over.
    int64_t cost;
    /// After so long it runs whatever else there is; LULL_NONE.
    int64_t timeout;
    /// A name for jobs that cost about the same, from which their cost is learned, copied; NULL.
    /// Names are remembered as long as the queue lives.
    const char *kind;
    /// The work; called in a lull, again and again as long as it says LULL_AGAIN.
    lull_progress (*run)(const lull_slot *slot, uint64_t key, void *context);
    /// Called exactly once when the job has ended, however it did, unless lull_submit gave
    /// LULL_REJECTED or an error; NULL if nobody wants to know. It may hand in the key again.
    void (*end)(uint64_t key, lull_end end, void *context);
    /// Handed to `run` and `end`.
    void *context;
    /// How soon it matters; LULL_PRIORITY_NORMAL.
    lull_priority priority;
    /// Not used; 0.
    int32_t reserved;
} lull_job;

/// Fills a job with the defaults, without `run`; `size` is `sizeof *job`, and NULL does nothing.
void lull_job_init(lull_job *job, size_t size);

/// Hands in a job: LULL_OK, LULL_JOINED, LULL_FOLLOWS, LULL_DROPPED or LULL_REJECTED.
///
/// A request that joins gives the job its priority and rank, and a sooner timeout; its `run` is not
/// called, its `end` is, with its own context. One that is made while the key's job is in its own
/// `run` is never lost: either it joins what is left of that job, or its `run` is called later. When the queue is full a job that waits may be
/// dropped for this one, and its end is called inside this call. O(log n). LULL_INVALID if `job` or
/// its `run` is NULL, the priority is none, or a duration is negative; LULL_UNSUPPORTED.
lull_status lull_submit(lull_queue *queue, const lull_job *job);

/// Gives a key's job another priority and rank: LULL_OK, or LULL_ABSENT.
///
/// One that has begun keeps its turn. O(log n). LULL_INVALID if the priority is none.
lull_status lull_reprioritize(
    lull_queue *queue, uint64_t key, lull_priority priority, int64_t rank);

/// Takes a key's job back: LULL_OK, or LULL_ABSENT.
///
/// Its end is called inside this call; from inside the job's own run it means: no further slice.
/// O(log n).
lull_status lull_cancel(lull_queue *queue, uint64_t key);

/// Takes back every job that is there now, the oldest first; what their ends hand in stays.
///
/// O(n log n).
lull_status lull_cancel_all(lull_queue *queue);

/// Whether a key has a job here, waiting or running: LULL_OK, or LULL_ABSENT.
lull_status lull_contains(lull_queue *queue, uint64_t key);

/// How many jobs wait, with those between two slices, or an error, which is negative.
int64_t lull_count(lull_queue *queue);

/// A queue's counts: accepted = done + skipped + failed + cancelled + dropped + waiting + running.
typedef struct lull_queue_statistics {
    /// Jobs taken in. Each request is counted once, here or in the next two; one that follows the job
    /// of its key when that job's call is over.
    uint64_t accepted;
    /// Requests that joined a job of their key, and those that were rejected; not under accepted.
    uint64_t joined, rejected;
    /// How jobs ended.
    uint64_t done, skipped, failed, cancelled, dropped;
    /// Jobs that wait now, and inside their own call now: 0 or 1.
    uint64_t waiting, running;
    /// Runs of jobs: one for a whole job, one for each slice of another.
    uint64_t slices;
    /// The most that ever waited at once.
    uint64_t longest;
    /// Runs that made a timer later than its tolerance; times a whole job was held back.
    uint64_t overruns, held_back;
    /// Jobs that ran because of their timeout; runs that came because the host was never idle.
    uint64_t timed_out, deferred;
    /// The longest run of a job, and the longest wait before a first one, in nanoseconds; a job that
    /// a job of its queue handed in waits from the beginning of that one's run.
    uint64_t longest_run, longest_wait;
} lull_queue_statistics;

/// Fills in the counts; `size` is `sizeof *statistics`.
///
/// Of a smaller struct as many members as it has are filled, and what this library doesn't know of
/// a larger one is set to 0. LULL_INVALID if `statistics` is NULL.
lull_status lull_queue_get_statistics(
    lull_queue *queue, lull_queue_statistics *statistics, size_t size);

// MARK: - The lull a callback is called in

/// Whether a slice of work should end now: 1 or 0, or an error, which isn't 0 either, so that work
/// stops.
int lull_slot_is_over(const lull_slot *slot);

/// What is left of the lull, which ends when the next timer of Lull's is due and after 50 ms at
/// most; 0 if the job runs because of its timeout; or an error, which is negative.
int64_t lull_slot_remaining(const lull_slot *slot);

/// When the lull ends, or an error, which is negative.
int64_t lull_slot_deadline(const lull_slot *slot);

/// When a slice should end, INT64_MAX if never, or an error, which is negative.
int64_t lull_slot_slice_end(const lull_slot *slot);

/// Whether the job runs because it has waited past its timeout: 1 or 0, or an error.
int lull_slot_did_time_out(const lull_slot *slot);

// MARK: - Callbacks before idle, and timers

/// Calls `work` when the base is idle, so that it can do some work before the loop sleeps.
///
/// Of several, queues among them, one works between two polls, in turns by the time they take.
/// `order` is the place among equals, the least first; `modes` those of the loop in which it is
/// called. `observer` may be NULL; then it lives as long as the loop. LULL_INVALID without `work`
/// or with modes that are none; LULL_NO_MEMORY.
lull_status lull_before_idle(
    lull_loop *loop, int32_t order, lull_mode modes,
    lull_idle (*work)(const lull_slot *slot, void *context), void *context,
    lull_observer **observer);

/// Takes a callback before idle off its loop, also from inside itself; it isn't called afterwards.
lull_status lull_observer_cancel(lull_observer *observer);

/// Calls `fire` after `delay`, and then again each `period`, unless that is LULL_NONE.
///
/// Slices end when it is due, which they don't for libevent's own timers. A whole job that would
/// make it later than `tolerance` is held back; with LULL_NONE it's as late as the job makes it
/// that runs when it's due. `timer` may be NULL; else its handle is stale once it has fired for the
/// last time, from the moment its callback is called. LULL_INVALID without `fire`, with a negative
/// duration or a period of 0; LULL_NO_MEMORY.
lull_status lull_timer_new(
    lull_loop *loop, int64_t delay, int64_t period, int64_t tolerance,
    void (*fire)(lull_loop *loop, void *context), void *context, lull_timer **timer);

/// Takes a timer back, also from inside itself; it isn't called afterwards.
lull_status lull_timer_cancel(lull_timer *timer);

// MARK: - Lists

/// Which rows of a list are loaded, and in what order.
typedef enum lull_rule {
    /// First what gains the most time in view for its cost, before it's too late.
    LULL_RULE_VALUE = 0,
    /// The same, but in a fling that goes far only the rows around its landing: for lists that are
    /// shown elsewhere.
    LULL_RULE_GATED = 1,
    /// What is in view, as it comes.
    LULL_RULE_VISIBLE = 2,
    /// In a fling that goes far, only the rows within `margin` of its landing; else what is in
    /// view.
    LULL_RULE_WITHIN = 3,
    /// What is in view, then all within two windows of it, the nearest first.
    LULL_RULE_EVERYTHING = 4
} lull_rule;

/// How far a row has come.
typedef enum lull_row_state {
    /// It isn't wanted, or not yet.
    LULL_ROW_PLACEHOLDER = 0,
    /// It is wanted, and waits for a lull.
    LULL_ROW_QUEUED = 1,
    /// It was begun.
    LULL_ROW_LOADING = 2,
    /// It was begun, and there is something to show.
    LULL_ROW_REFINED = 3,
    /// Its value is there.
    LULL_ROW_LOADED = 4,
    /// Its load said LULL_FAILED.
    LULL_ROW_FAILED = 5
} lull_row_state;

/// What there is to show of a row.
typedef struct lull_row {
    /// The size of this struct as the library knows it.
    size_t size;
    /// Its number.
    int64_t row;
    /// What its load has left as its value; NULL unless it's refined or loaded.
    void *value;
    /// The part of its load that is done, from 0 to 1, or -1 if its load doesn't say.
    double share;
    /// How far it has come.
    lull_row_state state;
    /// Why it failed, as its load said; 0 if it has not.
    int32_t error;
} lull_row;

/// A value being loaded; each run finds the struct as the one before has left it, the first with
/// the values named here.
typedef struct lull_load {
    /// The size of this struct as the library knows it.
    size_t size;
    /// What the value is known by.
    uint64_t key;
    /// The value, or the work that is to become it; NULL. What a run leaves here is the list's.
    void *value;
    /// How many bytes that has, for a list with a byte limit: up to 2^36; 0.
    int64_t bytes;
    /// The part that is done, from 0 to 1, or -1 if that can't be said; -1. What is half done is
    /// finished even if nobody wants it any more.
    double share;
    /// After which time it's tried again if it fails: LULL_NONE for never, 0 for a time that grows
    /// with each failure, up to 1, 2, 4 and 8 s, and after five tries never; LULL_NONE.
    int64_t retry_after;
    /// Why it fails, for the host: a number of errno's, say; 0.
    int32_t error;
    /// Not used; 0.
    int32_t reserved;
} lull_load;

/// A list of rows whose values are loaded in lulls; made by lull_list_options_init, then changed.
///
/// The list measures how it's scrolled, predicts where a fling will rest, and loads first what will
/// be looked at. The host tells it of touches and offsets, and is told what to show:
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
/// A value belongs to the list from the moment in which a run has left it in its lull_load, and is
/// handed to `drop` exactly once: when there is no room for it and its row isn't in view, when it
/// is replaced or loaded anew, or is no longer wanted before it's there, and at the latest when the
/// list is closed.
typedef struct lull_list_options {
    /// The size of this struct as the host knows it.
    size_t size;
    /// How many rows there are: 0 to 2^40 - 1, and 2^43 px in all; 0.
    int64_t rows;
    /// The height of a row without `row_height_of`, in px: 1 or more; 44.
    double row_height;
    /// The height of the window that rows are seen through, in px: 0 to 65,536; 0.
    double height;
    /// Which rows are loaded; LULL_RULE_VALUE.
    lull_rule rule;
    /// How many rows beyond a landing LULL_RULE_WITHIN loads on either side: 0 to 1,000; 3.
    int32_t margin;
    /// How many values and failures are kept, of rows in view any number: 1 to 2^24; 512.
    int64_t limit;
    /// How many bytes are kept, by what loads say: more than 0; LULL_NONE for any number.
    int64_t byte_limit;
    /// How the list's own queue runs its loads; NULL for the defaults.
    const lull_queue_options *queue;
    /// Loads a value, in slices: called in a lull, again and again as long as it says LULL_AGAIN or
    /// LULL_REFINED, until it's done, has failed, or isn't wanted any more.
    lull_progress (*load)(const lull_slot *slot, lull_load *load, void *context);
    /// Shows a row: called when it comes into view, when there is more of its value, when that is
    /// there or has failed, and when it has to be loaded anew; NULL if nobody wants to know.
    void (*show)(const lull_row *row, void *context);
    /// Lets go of a value, which isn't to be shown any more; not called for NULL. NULL if there's
    /// nothing to do.
    void (*drop)(uint64_t key, void *value, void *context);
    /// What the value of a row is known by, wherever the row moves; NULL for the row's number. Rows
    /// of one key share its value. The value of a row that went is kept as long as there's room, so
    /// that a key must not come to stand for something else: an address may be given out again.
    uint64_t (*key)(int64_t row, void *context);
    /// What loading a key will cost, in nanoseconds, or LULL_NONE if nobody knows: it's asked
    /// often. NULL if nobody ever knows.
    int64_t (*cost)(uint64_t key, void *context);
    /// The height of a row in px, 1 or more, asked once for each row that is there or comes. NULL
    /// where all have the same.
    double (*row_height_of)(int64_t row, void *context);
    /// Handed to all of them.
    void *context;
} lull_list_options;

/// Fills options with the defaults, without callbacks; `size` is `sizeof *options`, and NULL does
/// nothing.
void lull_list_options_init(lull_list_options *options, size_t size);

/// Makes a list with a queue of its own, and gives its handle.
///
/// `show` is called for each row in view inside this call. O(rows) with `row_height_of`, else O(1).
/// LULL_INVALID if `list`, `options` or its `load` is NULL, or an option or a height isn't what it
/// may be; LULL_UNSUPPORTED; LULL_NO_MEMORY. Then *list is NULL.
lull_status lull_list_new(
    lull_loop *loop, const lull_list_options *options, lull_list **list);

/// Closes a list, also from inside its callbacks; nothing of it is called afterwards but `drop`.
///
/// All values are dropped inside this call; where a callback of the list makes it, the last of them
/// when that has returned.
lull_status lull_list_close(lull_list *list);

/// What happens to a list from outside.
typedef enum lull_input {
    /// A finger touches it, `y` px below the window's top.
    LULL_INPUT_DOWN = 0,
    /// The finger has moved to `y`.
    LULL_INPUT_MOVED = 1,
    /// The finger lets go at `y`.
    LULL_INPUT_UP = 2,
    /// The touch is taken away, and no fling comes of it.
    LULL_INPUT_CANCELLED = 3,
    /// A wheel has turned.
    LULL_INPUT_WHEEL = 4,
    /// A key has scrolled.
    LULL_INPUT_KEY = 5,
    /// A jump has come to its end, or was stopped on the way.
    LULL_INPUT_JUMP_ENDED = 6
} lull_input;

/// Tells a list of a touch, a wheel or a key; `y` counts for the first three only.
///
/// Here and in the next functions `time` is when it happened, LULL_NONE for now. Rows that come
/// into view are shown inside of these calls. LULL_INVALID if the input is none, `y` isn't a number
/// or is beyond 10^9 px, or the time is negative or more than 10 s ahead.
lull_status lull_list_input(lull_list *list, lull_input input, double y, int64_t time);

/// Tells that the finger lets go at `y`, and that the host's own scroller will bring the list to
/// rest at the offset `target`: instead of LULL_INPUT_UP, for those who know. LULL_INVALID as
/// above.
lull_status lull_list_fling(lull_list *list, double y, double target, int64_t time);

/// Tells where the list is, in px, in a frame that began at `time`; an offset beyond the list's
/// ends is taken for that end. LULL_INVALID if it isn't a number, or as above.
lull_status lull_list_scroll(lull_list *list, double offset, int64_t time);

/// Tells that the program begins to scroll to an offset: what it passes isn't worth loading. Frames
/// come by lull_list_scroll, the end by LULL_INPUT_JUMP_ENDED. LULL_INVALID as above.
lull_status lull_list_jump(lull_list *list, double target, int64_t time);

/// Gives the window another height, in px. LULL_INVALID if it isn't from 0 to 65,536.
lull_status lull_list_resize(lull_list *list, double height);

/// What an update does.
typedef enum lull_update_kind {
    /// A row comes.
    LULL_UPDATE_INSERT = 0,
    /// A row goes.
    LULL_UPDATE_REMOVE = 1,
    /// A row goes elsewhere.
    LULL_UPDATE_MOVE = 2,
    /// A row stays, is measured again, and its value is loaded anew.
    LULL_UPDATE_RELOAD = 3
} lull_update_kind;

/// One of the things that happen to rows at once.
typedef struct lull_update {
    /// What it is.
    lull_update_kind kind;
    /// Not used; 0.
    int32_t reserved;
    /// The row: its number before all of them, but for one that comes its number after them.
    int64_t row;
    /// Where it moves to: its number after all of them.
    int64_t to;
} lull_update;

/// Has rows come, go, move and be loaded anew, all at once, without moving what is seen.
///
/// The host changes its own rows first: keys and heights are asked anew. `rows` is how many there
/// are then. O(k log n). LULL_INVALID, and nothing was done, if `updates` is NULL or a row isn't
/// there, is named twice or has no height that may be, or the updates don't come to `rows`; or if
/// without `key` a row that stays would have another number. LULL_BUSY inside the callbacks of the
/// list, but for `load`: lull_post it.
lull_status lull_list_update(
    lull_list *list, const lull_update *updates, size_t count, int64_t rows);

/// Loads a row again that has failed, as if for the first time; nothing if it has not. LULL_INVALID
/// if the row isn't there.
lull_status lull_list_retry(lull_list *list, int64_t row);

/// Drops a row's value, as what it stands for has changed: if it's wanted, it is loaded anew.
/// LULL_INVALID if the row isn't there.
lull_status lull_list_invalidate(lull_list *list, int64_t row);

/// How many rows there are, or an error, which is negative.
int64_t lull_list_count(lull_list *list);

/// Where the list is, in px, or an error, which is negative.
double lull_list_offset(lull_list *list);

/// How many rows are in view, of which *first is the first, or an error, which is negative. `first`
/// may be NULL.
int64_t lull_list_visible(lull_list *list, int64_t *first);

/// Where a row lies: its top and its height, in px. Each may be NULL. LULL_INVALID if the row isn't
/// there.
lull_status lull_list_extent(lull_list *list, int64_t row, double *top, double *height);

/// Where the fling that moves the list will rest, in px: LULL_OK, or LULL_ABSENT if none does or
/// nobody knows. LULL_INVALID if `offset` is NULL.
lull_status lull_list_landing(lull_list *list, double *offset);

/// Fills in what there is to show of a row; `size` is `sizeof *shown`, and may be another as for
/// lull_queue_get_statistics. LULL_INVALID if the row isn't there, or `shown` is NULL.
lull_status lull_list_get_row(lull_list *list, int64_t row, lull_row *shown, size_t size);

/// Why a row is wanted or isn't, in a line of English, for a log: writes it to `text`, cut if it
/// has `size` bytes or more, and always ended by a 0 if there are any. How long it is, 0 if there's
/// nothing to say, or an error, which is negative: LULL_INVALID if the row isn't there.
int64_t lull_list_explain(lull_list *list, int64_t row, char *text, size_t size);

/// What has come of a list.
typedef struct lull_list_statistics {
    /// Rows that came into view; those of them whose values were there.
    uint64_t entered, ready;
    /// Rows whose values came while they were in view; how often a row in view has failed.
    uint64_t loaded, failed;
    /// Values and failures that are kept now, and their bytes, with those of loads that were begun,
    /// as far as there's a byte limit.
    uint64_t kept, bytes;
} lull_list_statistics;

/// Fills in the counts, as lull_queue_get_statistics does.
lull_status lull_list_get_statistics(
    lull_list *list, lull_list_statistics *statistics, size_t size);

// MARK: - In words

/// A status in a few English words, for a log; never NULL, and not to be freed.
const char *lull_status_text(lull_status status);

/// How a job ended, likewise.
const char *lull_end_text(lull_end end);

/// The LULL_VERSION of the library that is loaded.
int lull_version(void);

#ifdef __cplusplus
}
#endif

#endif
