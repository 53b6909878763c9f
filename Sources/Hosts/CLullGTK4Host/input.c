// The inputs that scroll a view: those of the scrolled window's own gestures, wheels and keys.

#if defined(LULL_LIBRARY) || defined(LULL_GTK4)

#include "view.h"

#include <math.h>

/// GTK's kinetic scrolling: v(t) = v0 exp(-4t), from gtkscrolledwindow.c. A fling that follows another
/// in its direction, and is faster than a third of it, adds to it.
#define FRICTION 4
#define FLOOR 0.33
#define MOST_ADDED 6
/// What touchpads scroll by.
#define TOUCHPAD_FACTOR 2.5

static double along(lull_gtk_view *view, double x, double y) {
    return orientation_of(view) == GTK_ORIENTATION_VERTICAL ? y : x;
}

static int64_t now(lull_gtk_view *view) {
    return view->clock ? gdk_frame_clock_get_frame_time(view->clock) : g_get_monotonic_time();
}

double lull_gtk_input_velocity(const lull_gtk_view *view, int64_t time) {
    const double passed = (double)(time - view->flung_at) / G_USEC_PER_SEC;
    return view->velocity * exp(-FRICTION * passed);
}

/// A fling begins, with a velocity of the adjustment's value.
static void fling(lull_gtk_view *view, double velocity, double y) {
    const int64_t time = now(view);
    const double left = lull_gtk_input_velocity(view, time);
    if (velocity * left > 0 && fabs(velocity) >= FLOOR * fabs(left)) {
        velocity += left * fmin((velocity - FLOOR * left) / (left - FLOOR * left), MOST_ADDED);
    }
    view->velocity = velocity;
    view->flung_at = time;
    GtkAdjustment *adjustment = adjustment_of(view);
    if (!adjustment) return;
    const double lower = gtk_adjustment_get_lower(adjustment);
    const double upper =
        gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment);
    const double value = gtk_adjustment_get_value(adjustment) + velocity / FRICTION;
    const double target = fmax(lower, fmin(value, upper));
    TELL(view, fling, y, fmax(0, view->offset + (target - view->value) * view->scale));
}

// MARK: - Touches

static void drag_begin(GtkGestureDrag *drag, double x, double y, lull_gtk_view *view) {
    (void)drag;
    view->has_input = view->is_swiped = false;
    view->touched_at = along(view, x, y);
    TELL(view, input, LULL_INPUT_DOWN, view->touched_at);
}

static void drag_update(GtkGestureDrag *drag, double x, double y, lull_gtk_view *view) {
    (void)drag;
    TELL(view, input, LULL_INPUT_MOVED, view->touched_at + along(view, x, y));
}

/// The end of a touch, of which a swipe is told before.
static void drag_end(GtkGestureDrag *drag, double x, double y, lull_gtk_view *view) {
    (void)drag;
    if (view->is_swiped) return;
    view->velocity = 0;
    TELL(view, input, LULL_INPUT_UP, view->touched_at + along(view, x, y));
}

static void drag_cancel(GtkGesture *drag, GdkEventSequence *sequence, lull_gtk_view *view) {
    (void)drag, (void)sequence;
    TELL(view, input, LULL_INPUT_CANCELLED, 0);
}

static void swipe(GtkGestureSwipe *swipe, double x, double y, lull_gtk_view *view) {
    (void)swipe;
    const double velocity = -along(view, x, y);
    if (velocity == 0) return;
    view->is_swiped = true;
    fling(view, velocity, view->touched_at);
}

// MARK: - Wheels, touchpads, keys

static gboolean scroll(GtkEventControllerScroll *wheel, double x, double y, lull_gtk_view *view) {
    (void)wheel, (void)x, (void)y;
    view->has_input = true;
    view->input = LULL_INPUT_WHEEL;
    view->velocity = 0;
    return GDK_EVENT_PROPAGATE;
}

static void decelerate(
    GtkEventControllerScroll *wheel, double x, double y, lull_gtk_view *view) {
    GtkEventController *controller = GTK_EVENT_CONTROLLER(wheel);
    const bool is_shifted =
        gtk_event_controller_get_current_event_state(controller) & GDK_SHIFT_MASK;
    const double velocity = is_shifted ? along(view, y, x) : along(view, x, y);
    GtkAdjustment *adjustment = adjustment_of(view);
    if (velocity == 0 || !adjustment) return;
    double factor = TOUCHPAD_FACTOR;
#if GTK_CHECK_VERSION(4, 8, 0)
    if (gtk_event_controller_scroll_get_unit(wheel) == GDK_SCROLL_UNIT_WHEEL) {
        factor = pow(gtk_adjustment_get_page_size(adjustment), 2.0 / 3);
    }
#endif
    fling(view, velocity * factor, 0);
}

static gboolean press(
    GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
    lull_gtk_view *view) {
    (void)keys, (void)key, (void)code, (void)state;
    view->has_input = true;
    view->input = LULL_INPUT_KEY;
    return GDK_EVENT_PROPAGATE;
}

// MARK: - The scroll bar

static void bar_begin(GtkGestureDrag *drag, double x, double y, lull_gtk_view *view) {
    (void)drag, (void)x, (void)y;
    view->is_bar_dragged = true;
    view->velocity = 0;
}

static void bar_end(GtkGestureDrag *drag, double x, double y, lull_gtk_view *view) {
    (void)drag, (void)x, (void)y;
    view->is_bar_dragged = false;
    TELL(view, input, LULL_INPUT_JUMP_ENDED, 0);
}

static void bar_cancel(GtkGesture *drag, GdkEventSequence *sequence, lull_gtk_view *view) {
    (void)sequence;
    if (view->is_bar_dragged) bar_end(GTK_GESTURE_DRAG(drag), 0, 0, view);
}

// MARK: - Following

static void follow(lull_gtk_view *view, gpointer source, const char *signal, GCallback call) {
    if (!g_ptr_array_find(view->sources, source, NULL)) {
        g_ptr_array_add(view->sources, g_object_ref(source));
    }
    g_signal_connect(source, signal, call, view);
}

/// Calls a function for each controller of a widget.
static void controllers(
    lull_gtk_view *view, GtkWidget *widget,
    void (*call)(lull_gtk_view *view, GtkEventController *controller)) {
    GListModel *all = gtk_widget_observe_controllers(widget);
    for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
        GtkEventController *controller = g_list_model_get_item(all, i);
        call(view, controller);
        g_object_unref(controller);
    }
    g_object_unref(all);
}

static void follow_window(lull_gtk_view *view, GtkEventController *controller) {
    if (GTK_IS_GESTURE_SWIPE(controller)) {
        follow(view, controller, "swipe", G_CALLBACK(swipe));
    } else if (G_OBJECT_TYPE(controller) == GTK_TYPE_GESTURE_DRAG) {
        follow(view, controller, "drag-begin", G_CALLBACK(drag_begin));
        follow(view, controller, "drag-update", G_CALLBACK(drag_update));
        follow(view, controller, "drag-end", G_CALLBACK(drag_end));
        follow(view, controller, "cancel", G_CALLBACK(drag_cancel));
    } else if (GTK_IS_EVENT_CONTROLLER_SCROLL(controller)) {
        const GtkEventControllerScrollFlags flags =
            gtk_event_controller_scroll_get_flags(GTK_EVENT_CONTROLLER_SCROLL(controller));
        if (flags & GTK_EVENT_CONTROLLER_SCROLL_KINETIC) {
            follow(view, controller, "decelerate", G_CALLBACK(decelerate));
        }
    }
}

static void follow_bar(lull_gtk_view *view, GtkEventController *controller) {
    if (G_OBJECT_TYPE(controller) != GTK_TYPE_GESTURE_DRAG) return;
    follow(view, controller, "drag-begin", G_CALLBACK(bar_begin));
    follow(view, controller, "drag-end", G_CALLBACK(bar_end));
    follow(view, controller, "cancel", G_CALLBACK(bar_cancel));
}

/// Adds a controller of our own, which sees events before others and takes none.
static void add(lull_gtk_view *view, GtkEventController *controller) {
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(view->widget, controller);
}

void lull_gtk_input_follow(lull_gtk_view *view) {
    view->sources = g_ptr_array_new_with_free_func(g_object_unref);
    view->wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
    g_signal_connect(view->wheel, "scroll", G_CALLBACK(scroll), view);
    add(view, view->wheel);
    view->keys = gtk_event_controller_key_new();
    g_signal_connect(view->keys, "key-pressed", G_CALLBACK(press), view);
    add(view, view->keys);
    GtkWidget *window = gtk_widget_get_ancestor(view->widget, GTK_TYPE_SCROLLED_WINDOW);
    if (!window) return;
    controllers(view, window, follow_window);
    GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW(window);
    GtkWidget *bar = orientation_of(view) == GTK_ORIENTATION_VERTICAL
                         ? gtk_scrolled_window_get_vscrollbar(scrolled)
                         : gtk_scrolled_window_get_hscrollbar(scrolled);
    GtkWidget *range = bar ? gtk_widget_get_first_child(bar) : NULL;
    if (range) controllers(view, range, follow_bar);
}

void lull_gtk_input_unfollow(lull_gtk_view *view) {
    view->has_input = view->is_bar_dragged = false;
    view->velocity = 0;
    if (!view->sources) return;
    for (guint i = 0; i < view->sources->len; i++) {
        g_signal_handlers_disconnect_by_data(view->sources->pdata[i], view);
    }
    g_clear_pointer(&view->sources, g_ptr_array_unref);
    GtkEventController *own[] = {view->wheel, view->keys};
    view->wheel = view->keys = NULL;
    for (int i = 0; i < 2; i++) {
        g_signal_handlers_disconnect_by_data(own[i], view);
        gtk_widget_remove_controller(view->widget, own[i]);
    }
}

#endif
