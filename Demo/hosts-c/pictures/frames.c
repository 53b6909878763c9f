#include "frames.h"

/// A stroke: the finger's frames, with its px a frame, and those after which the next one touches.
#define FINGER_FRAMES 8
#define FINGER_STEP 60
#define STROKE_FRAMES 66

/// Frames before the first stroke, in which the window comes to rest.
#define FRAMES_BEFORE 60

static struct {
    GtkScrolledWindow *window;
    /// The gestures of the window, by which a finger moves it.
    GtkGesture *drag, *swipe;
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

/// Finds the gestures: nobody can touch a display that isn't there.
static void find_gestures(void) {
    GListModel *controllers = gtk_widget_observe_controllers(GTK_WIDGET(script.window));
    for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
        GtkGesture *gesture = g_list_model_get_item(controllers, i);
        if (G_OBJECT_TYPE(gesture) == GTK_TYPE_GESTURE_DRAG) script.drag = gesture;
        if (G_OBJECT_TYPE(gesture) == GTK_TYPE_GESTURE_SWIPE) script.swipe = gesture;
        g_object_unref(gesture);
    }
    g_object_unref(controllers);
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
    gtk_widget_queue_draw(GTK_WIDGET(script.window));
    if (frame < 0) return;
    if (frame == 0) {
        script.began = g_get_monotonic_time();
        script.loaded_before = script.loader ? script.loader->loaded : 0;
    }
    int step = frame % STROKE_FRAMES;
    double moved = -step * FINGER_STEP;
    if (step == 0) {
        g_signal_emit_by_name(script.drag, "drag-begin", 160.0, 560.0);
    } else if (step < FINGER_FRAMES) {
        g_signal_emit_by_name(script.drag, "drag-update", 0.0, moved);
    } else if (step == FINGER_FRAMES) {
        g_signal_emit_by_name(script.swipe, "swipe", 0.0, -FINGER_STEP * 60.0);
        g_signal_emit_by_name(script.drag, "drag-end", 0.0, moved + FINGER_STEP);
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
    GtkScrolledWindow *window, struct loader *loader, int pictures, double seconds,
    struct frames *frames, void (*then)(void *context), void *context) {
    *frames = (struct frames){.count = 0};
    script.window = window;
    find_gestures();
    script.loader = loader;
    script.pictures = pictures;
    script.seconds = seconds;
    script.frames = frames;
    script.then = then;
    script.context = context;
    script.frame = 0;
    script.clock = gtk_widget_get_frame_clock(GTK_WIDGET(window));
    g_signal_connect(script.clock, "update", G_CALLBACK(update), &script);
    g_signal_connect(script.clock, "after-paint", G_CALLBACK(painted), &script);
    gdk_frame_clock_begin_updating(script.clock);
}
