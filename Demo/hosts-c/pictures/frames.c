#include "frames.h"

/// A stroke: the finger's frames, with its px a frame, and those after which the next one touches.
#define FINGER_FRAMES 8
#define FINGER_STEP 60
#define STROKE_FRAMES 66

/// Frames before the first stroke, in which the window comes to rest.
#define FRAMES_BEFORE 60

static struct {
    View *view;
    struct loader *loader;
    int pictures;
    double seconds;
    struct frames *frames;
    void (*then)(void *context);
    void *context;
    GdkFrameClock *clock;
    int frame, loaded_before;
    int64_t began, painted;
} script;

static int64_t period(void) {
    int64_t interval = 0;
    gdk_frame_clock_get_refresh_info(script.clock, 0, &interval, NULL);
    return interval > 0 ? interval : 16667;
}

static void end(void) {
    g_signal_handlers_disconnect_by_data(script.clock, &script);
    gdk_frame_clock_end_updating(script.clock);
    script.frames->time = (double)(g_get_monotonic_time() - script.began) / 1e6;
    script.then(script.context);
}

/// Moves the finger, before a frame is drawn.
static void update(GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    int frame = script.frame++ - FRAMES_BEFORE;
    gtk_widget_queue_draw(GTK_WIDGET(script.view));
    if (frame < 0) return;
    if (frame == 0) {
        script.began = g_get_monotonic_time();
        script.loaded_before = script.loader ? script.loader->loaded : 0;
    }
    double y = 560 - (frame % STROKE_FRAMES) * FINGER_STEP;
    if (frame % STROKE_FRAMES == 0) view_touch(script.view, y);
    if (frame % STROKE_FRAMES < FINGER_FRAMES) view_move(script.view, y);
    if (frame % STROKE_FRAMES == FINGER_FRAMES) {
        view_lift(script.view, y + FINGER_STEP, -FINGER_STEP * 60.0);
    }
}

static void painted(GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    int64_t now = g_get_monotonic_time(), before = script.painted;
    script.painted = now;
    if (script.frame <= FRAMES_BEFORE + 1) return;
    double interval = (double)(now - before);
    script.frames->count++;
    if (interval > 1.5 * (double)period()) script.frames->late++;
    if (interval / 1e3 > script.frames->longest) script.frames->longest = interval / 1e3;
    int loaded = script.loader ? script.loader->loaded - script.loaded_before : 0;
    if ((script.loader && loaded >= script.pictures) ||
        (double)(now - script.began) / 1e6 >= script.seconds) {
        end();
    }
}

void frames_begin(
    View *view, struct loader *loader, int pictures, double seconds, struct frames *frames,
    void (*then)(void *context), void *context) {
    *frames = (struct frames){.count = 0};
    script.view = view;
    script.loader = loader;
    script.pictures = pictures;
    script.seconds = seconds;
    script.frames = frames;
    script.then = then;
    script.context = context;
    script.frame = 0;
    script.clock = gtk_widget_get_frame_clock(GTK_WIDGET(view));
    g_signal_connect(script.clock, "update", G_CALLBACK(update), &script);
    g_signal_connect(script.clock, "after-paint", G_CALLBACK(painted), &script);
    gdk_frame_clock_begin_updating(script.clock);
}
