#include "view.h"

#include <math.h>

#include "rows.h"

/// A fling slows down to 1/e of its speed in this time, in s.
#define DECAY 0.325

/// Frames after the last movement that are still reported, as the list rests by then.
#define FRAMES_AT_REST 15

#define WHEEL_STEP 60

struct View {
    GtkWidget parent;
    GtkAdjustment *adjustment;
    struct loader *loader;
    /// Called in each frame while something moves.
    guint tick;
    int frames_at_rest;
    double shown;
    /// Where the finger and the list were when it touched.
    double touched_at, offset_then;
    /// The fling: where it rests, how far that was, and when it began, in us; 0 if there is none.
    double target, distance;
    int64_t flung_at;
};

typedef struct {
    GtkWidgetClass parent;
} ViewClass;

static GType view_get_type(void);
G_DEFINE_TYPE(View, view, GTK_TYPE_WIDGET)

static double clamp(View *view, double offset) {
    double most = gtk_adjustment_get_upper(view->adjustment) -
                  gtk_adjustment_get_page_size(view->adjustment);
    return fmax(0, fmin(offset, most));
}

static void set_offset(View *view, double offset) {
    gtk_adjustment_set_value(view->adjustment, clamp(view, offset));
}

// MARK: - Frames

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer context) {
    (void)context;
    View *view = (View *)widget;
    int64_t time = gdk_frame_clock_get_frame_time(clock);
    if (view->flung_at) {
        double passed = fmax(0, (double)(time - view->flung_at) / 1e6);
        double left = view->distance * exp(-passed / DECAY);
        set_offset(view, view->target - left);
        if (fabs(left) < 0.5) view->flung_at = 0;
    }
    double offset = gtk_adjustment_get_value(view->adjustment);
    view->frames_at_rest = offset == view->shown ? view->frames_at_rest + 1 : 0;
    view->shown = offset;
    if (view->loader) view->loader->scroll(view->loader, offset, time * 1000);
    if (view->frames_at_rest < FRAMES_AT_REST) return G_SOURCE_CONTINUE;
    view->tick = 0;
    return G_SOURCE_REMOVE;
}

/// Has frames drawn as long as something moves; a list at rest costs nothing.
static void has_moved(GtkAdjustment *adjustment, View *view) {
    (void)adjustment;
    view->frames_at_rest = 0;
    if (!view->tick) {
        view->tick = gtk_widget_add_tick_callback(GTK_WIDGET(view), tick, NULL, NULL);
    }
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

static void draw_row(View *view, GtkSnapshot *snapshot, int64_t row, double offset) {
    GdkTexture *texture = view->loader ? view->loader->texture(view->loader, row) : NULL;
    float top = roundf((float)(rows_top(row) - offset));
    graphene_rect_t frame = GRAPHENE_RECT_INIT(8, top + 4, PICTURE_WIDTH, rows_height(row) - 8);
    if (texture) {
        frame.size.width = (float)gdk_texture_get_width(texture);
        frame.size.height = (float)gdk_texture_get_height(texture);
        gtk_snapshot_append_texture(snapshot, texture, &frame);
    } else {
        gtk_snapshot_append_color(snapshot, &(GdkRGBA){0.8f, 0.8f, 0.8f, 1}, &frame);
    }
    char number[32];
    g_snprintf(number, sizeof number, "%" G_GINT64_FORMAT, row);
    PangoLayout *layout = gtk_widget_create_pango_layout(GTK_WIDGET(view), number);
    gtk_snapshot_save(snapshot);
    gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(PICTURE_WIDTH + 20, top + 4));
    gtk_snapshot_append_layout(snapshot, layout, &(GdkRGBA){0.2f, 0.2f, 0.2f, 1});
    gtk_snapshot_restore(snapshot);
    g_object_unref(layout);
}

static void draw(GtkWidget *widget, GtkSnapshot *snapshot) {
    View *view = (View *)widget;
    float width = (float)gtk_widget_get_width(widget);
    float height = (float)gtk_widget_get_height(widget);
    double offset = gtk_adjustment_get_value(view->adjustment);
    graphene_rect_t all = GRAPHENE_RECT_INIT(0, 0, width, height);
    gtk_snapshot_push_clip(snapshot, &all);
    gtk_snapshot_append_color(snapshot, &(GdkRGBA){1, 1, 1, 1}, &all);
    for (int64_t row = rows_at(offset); row < ROWS && rows_top(row) < offset + height; row++) {
        draw_row(view, snapshot, row, offset);
    }
    gtk_snapshot_pop(snapshot);
}

static void allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)width, (void)baseline;
    View *view = (View *)widget;
    gtk_adjustment_set_page_size(view->adjustment, height);
    set_offset(view, gtk_adjustment_get_value(view->adjustment));
    if (view->loader) view->loader->resize(view->loader, height);
    has_moved(view->adjustment, view);
}

// MARK: - Gestures

static void tell(View *view, lull_input input, double y) {
    if (view->loader && view->loader->input) view->loader->input(view->loader, input, y);
}

void view_touch(View *view, double y) {
    view->flung_at = 0;
    view->touched_at = y;
    view->offset_then = gtk_adjustment_get_value(view->adjustment);
    tell(view, LULL_INPUT_DOWN, y);
}

void view_move(View *view, double y) {
    tell(view, LULL_INPUT_MOVED, y);
    set_offset(view, view->offset_then + view->touched_at - y);
}

void view_lift(View *view, double y, double velocity) {
    double offset = gtk_adjustment_get_value(view->adjustment);
    view->target = clamp(view, offset - velocity * DECAY);
    view->distance = view->target - offset;
    if (fabs(view->distance) < 1) {
        tell(view, LULL_INPUT_UP, y);
        return;
    }
    GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(view));
    view->flung_at = clock ? gdk_frame_clock_get_frame_time(clock) : g_get_monotonic_time();
    if (view->loader && view->loader->fling) view->loader->fling(view->loader, y, view->target);
    has_moved(view->adjustment, view);
}

bool view_is_flung(const View *view) {
    return view->flung_at != 0;
}

static void drag_began(GtkGestureDrag *drag, double x, double y, View *view) {
    (void)drag, (void)x;
    view_touch(view, y);
}

static void drag_moved(GtkGestureDrag *drag, double x, double y, View *view) {
    (void)drag, (void)x;
    view_move(view, view->touched_at + y);
}

/// A drag ends, with a fling if the finger was moving.
static void drag_ended(GtkGestureDrag *drag, double x, double y, View *view) {
    (void)x;
    double across = 0, down = 0;
    GtkGestureSwipe *swipe = g_object_get_data(G_OBJECT(drag), "swipe");
    if (!gtk_gesture_swipe_get_velocity(swipe, &across, &down)) down = 0;
    view_lift(view, view->touched_at + y, down);
}

static void drag_cancelled(GtkGesture *drag, GdkEventSequence *sequence, View *view) {
    (void)drag, (void)sequence;
    tell(view, LULL_INPUT_CANCELLED, 0);
}

static gboolean wheel_turned(GtkEventControllerScroll *scroll, double x, double y, View *view) {
    (void)scroll, (void)x;
    view->flung_at = 0;
    tell(view, LULL_INPUT_WHEEL, 0);
    set_offset(view, gtk_adjustment_get_value(view->adjustment) + y * WHEEL_STEP);
    return TRUE;
}

static void add_gestures(View *view) {
    GtkGesture *drag = gtk_gesture_drag_new(), *swipe = gtk_gesture_swipe_new();
    GtkEventController *wheel =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    gtk_gesture_group(drag, swipe);
    g_object_set_data(G_OBJECT(drag), "swipe", swipe);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_began), view);
    g_signal_connect(drag, "drag-update", G_CALLBACK(drag_moved), view);
    g_signal_connect(drag, "drag-end", G_CALLBACK(drag_ended), view);
    g_signal_connect(drag, "cancel", G_CALLBACK(drag_cancelled), view);
    g_signal_connect(wheel, "scroll", G_CALLBACK(wheel_turned), view);
    // GTK begins with the controller that was added last: when a drag ends, the swipe hasn't.
    gtk_widget_add_controller(GTK_WIDGET(view), GTK_EVENT_CONTROLLER(swipe));
    gtk_widget_add_controller(GTK_WIDGET(view), GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(GTK_WIDGET(view), wheel);
}

// MARK: - The widget

static void view_init(View *view) {
    view->adjustment = g_object_ref_sink(
        gtk_adjustment_new(0, 0, rows_top(ROWS), WHEEL_STEP, 10 * WHEEL_STEP, 0));
    g_signal_connect(view->adjustment, "value-changed", G_CALLBACK(has_moved), view);
    add_gestures(view);
}

static void dispose(GObject *object) {
    View *view = (View *)object;
    if (view->adjustment) g_signal_handlers_disconnect_by_data(view->adjustment, view);
    g_clear_object(&view->adjustment);
    view->loader = NULL;
    G_OBJECT_CLASS(view_parent_class)->dispose(object);
}

static void view_class_init(ViewClass *type) {
    G_OBJECT_CLASS(type)->dispose = dispose;
    GTK_WIDGET_CLASS(type)->snapshot = draw;
    GTK_WIDGET_CLASS(type)->size_allocate = allocate;
}

View *view_new(void) {
    return g_object_new(view_get_type(), "hexpand", TRUE, "vexpand", TRUE, NULL);
}

void view_set_loader(View *view, struct loader *loader) {
    view->loader = loader;
}

GtkAdjustment *view_adjustment(View *view) {
    return view->adjustment;
}
