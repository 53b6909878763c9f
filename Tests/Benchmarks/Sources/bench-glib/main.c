// GLib: g_idle_add at its default priority, g_unix_fd_add, g_timeout_add.

#include <CWorkloads.h>
#include <glib-unix.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static GMainLoop *main_loop;

static guint watch(int descriptor, int priority, GUnixFDSourceFunc callback, void *data) {
    return g_unix_fd_add_full(priority, descriptor, G_IO_IN, callback, data, NULL);
}

/// What a callback returns that goes on while there is more, and else ends the run.
static gboolean go_on(bool more) {
    if (!more) g_main_loop_quit(main_loop);
    return G_SOURCE_CONTINUE;
}

// MARK: M1

static gboolean ignore_descriptor(int descriptor, GIOCondition condition, void *data) {
    (void)descriptor, (void)condition, (void)data;
    return G_SOURCE_CONTINUE;
}

static gboolean tiny_jobs_idle(void *data) {
    return go_on(tiny_jobs_pass(data));
}

static void tiny_jobs(struct tiny_jobs *jobs) {
    int descriptor = quiet_descriptor();
    guint source = watch(descriptor, G_PRIORITY_DEFAULT, ignore_descriptor, NULL);
    guint idle = g_idle_add(tiny_jobs_idle, jobs);

    tiny_jobs_start(jobs);
    g_main_loop_run(main_loop);

    g_source_remove(idle);
    g_source_remove(source);
    close(descriptor);
}

// MARK: M2

static gboolean foreground_ready(int descriptor, GIOCondition condition, void *data) {
    (void)descriptor, (void)condition;
    return go_on(foreground_read(data));
}

static gboolean foreground_idle(void *data) {
    return go_on(foreground_job(data));
}

static void foreground(struct foreground *fore) {
    guint source = watch(fore->descriptor, G_PRIORITY_HIGH, foreground_ready, fore);
    guint idles[FOREGROUND_MAX_SOURCES];
    for (int i = 0; i < fore->sources; i++) idles[i] = g_idle_add(foreground_idle, fore);

    foreground_start(fore);
    g_main_loop_run(main_loop);

    for (int i = 0; i < fore->sources; i++) g_source_remove(idles[i]);
    g_source_remove(source);
}

// MARK: M3

static struct chain *the_chain;

static gboolean chain_ready(int descriptor, GIOCondition condition, void *data) {
    (void)descriptor, (void)condition;
    chain_receive(the_chain, GPOINTER_TO_INT(data));
    return G_SOURCE_CONTINUE;
}

static void chain(struct chain *chain) {
    the_chain = chain;
    guint *sources = calloc((size_t)chain->count, sizeof *sources);
    for (int i = 0; i < chain->count; i++) {
        sources[i] = watch(
            chain->descriptors[i], G_PRIORITY_DEFAULT, chain_ready, GINT_TO_POINTER(i));
    }
    while (chain_next_run(chain)) {
        while (chain_is_running(chain)) g_main_context_iteration(NULL, FALSE);
    }
    for (int i = 0; i < chain->count; i++) g_source_remove(sources[i]);
    free(sources);
}

// MARK: M4

static gboolean ignore_timeout(void *data) {
    (void)data;
    return G_SOURCE_REMOVE;
}

static void timers(struct timers *timers) {
    guint *all = calloc((size_t)timers->count, sizeof *all);
    timers_start(timers);
    for (int i = 0; i < timers->count; i++) {
        all[i] = g_timeout_add(timers->due_ms[i], ignore_timeout, NULL);
    }
    timers_added(timers);
    for (int i = 0; i < timers->count; i++) g_source_remove(all[timers->order[i]]);
    timers_cancelled(timers);
    free(all);
}

// MARK: M5

static gboolean submissions_invoked(void *data) {
    go_on(submissions_answer(data));
    return G_SOURCE_REMOVE;
}

static void invoke(void *argument) {
    g_main_context_invoke_full(NULL, G_PRIORITY_HIGH, submissions_invoked, argument, NULL);
}

static void submissions(struct submissions *submissions) {
    // While nobody owns the context, the submitting thread would run what it submits itself.
    g_main_context_acquire(NULL);
    submissions_start(submissions, invoke, submissions);
    g_main_loop_run(main_loop);
    g_main_context_release(NULL);
}

// MARK: M6

static int wake_descriptor;

static void wake(void *argument) {
    (void)argument;
    uint64_t one = 1;
    if (write(wake_descriptor, &one, sizeof one) < 0) die("write");
}

static gboolean quiet_idle(void *data) {
    if (quiet_job(data)) return G_SOURCE_CONTINUE;
    quiet_begin(data, wake, NULL);
    return G_SOURCE_REMOVE;
}

static gboolean quiet_woken(int descriptor, GIOCondition condition, void *data) {
    (void)descriptor, (void)condition;
    quiet_end(data);
    return go_on(false);
}

static void quiet(struct quiet *quiet) {
    wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    guint source = watch(wake_descriptor, G_PRIORITY_DEFAULT, quiet_woken, quiet);
    g_idle_add(quiet_idle, quiet);
    g_main_loop_run(main_loop);
    g_source_remove(source);
    close(wake_descriptor);
}

// MARK: M7

static gboolean frames_ready(int descriptor, GIOCondition condition, void *data) {
    (void)condition;
    drain_descriptor(descriptor);
    return go_on(frames_handle(data));
}

static gboolean frames_idle(void *data) {
    return go_on(frames_run_job(data));
}

/// The frames' timer is a timer descriptor at high priority: g_timeout_add counts whole
/// milliseconds, of which no number is a sixtieth of a second.
static void frames(struct frames *frames) {
    frames_start(frames);
    int timer = timer_descriptor(frames->start_ns, frames->period_ns);
    guint source = watch(timer, G_PRIORITY_HIGH, frames_ready, frames);
    guint idle = g_idle_add(frames_idle, frames);

    g_main_loop_run(main_loop);

    g_source_remove(idle);
    g_source_remove(source);
    close(timer);
}

int main(int count, char **arguments) {
    static const struct contender contender = {
        .name = "glib",
        .tiny_jobs = tiny_jobs,
        .foreground = foreground,
        .chain = chain,
        .timers = timers,
        .submissions = submissions,
        .quiet = quiet,
        .frames = frames,
    };
    if (count != 2) return 64;
    main_loop = g_main_loop_new(NULL, FALSE);
    return run_workload(&contender, arguments[1]);
}
