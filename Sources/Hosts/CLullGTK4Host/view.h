// What the files of a view share.

#ifndef VIEW_H
#define VIEW_H

#include <gtk/gtk.h>

#include "lull-gtk4-view.h"

struct lull_gtk_view {
    int references;
    bool has_started, has_ended;
    lull_gtk_list list;
    /// The widget, until it is destroyed.
    GtkWidget *widget;
    GtkListItemFactory *factory;
    bool is_factory_given, binds_again;

    /// The model, the number of its changes, the first row that has changed since the list was told,
    /// or -1, and whether the model is another one.
    GListModel *model;
    uint64_t changes;
    int64_t changed_at;
    bool is_replaced;
    guint retry;

    /// Items by their keys, bound list items, and the entries of those that are bound no longer.
    GHashTable *entries, *bound;
    GQueue unbound;

    /// The frame clock and the scrolled window, and what else signals come from, while it is realized.
    GdkFrameClock *clock;
    GtkWidget *window;
    GPtrArray *sources;
    GtkEventController *wheel, *keys;

    /// The lines as the list knows them, and what it was last told.
    int columns;
    double line, height, offset;
    /// The adjustment's value then, and what one of its px is in the list's.
    double value, scale;

    /// An input that is told if it scrolls; a touch: where it began, and whether a fling ends it.
    lull_input input;
    bool has_input, is_swiped, is_bar_dragged;
    double touched_at;
    /// The last fling's velocity in px of the adjustment a second, and its time in us.
    double velocity;
    int64_t flung_at;
};

/// Whether the list can be called.
static inline bool is_open(const lull_gtk_view *view) {
    return view->has_started && !view->has_ended;
}

/// Calls a function of the list, if it's open; the view outlives the call.
#define TELL(view, function, ...) \
    do { \
        if (!is_open(view)) break; \
        lull_gtk_view_ref(view); \
        (view)->list.function(__VA_ARGS__, (view)->list.context); \
        lull_gtk_view_unref(view); \
    } while (0)

static inline GtkOrientation orientation_of(lull_gtk_view *view) {
    return GTK_IS_ORIENTABLE(view->widget)
               ? gtk_orientable_get_orientation(GTK_ORIENTABLE(view->widget))
               : GTK_ORIENTATION_VERTICAL;
}

static inline GtkAdjustment *adjustment_of(lull_gtk_view *view) {
    GtkScrollable *scrollable = GTK_SCROLLABLE(view->widget);
    return orientation_of(view) == GTK_ORIENTATION_VERTICAL
               ? gtk_scrollable_get_vadjustment(scrollable)
               : gtk_scrollable_get_hadjustment(scrollable);
}

// cells.c

void lull_gtk_cells_init(lull_gtk_view *view);
/// Shows nothing in what shows a value.
void lull_gtk_cells_hide_all(lull_gtk_view *view);
/// Releases all that is known of items.
void lull_gtk_cells_clear(lull_gtk_view *view);
/// Shows cells whose rows weren't known, and releases items that may not be loaded.
void lull_gtk_cells_frame(lull_gtk_view *view);
/// Follows a factory, or none.
void lull_gtk_cells_follow(lull_gtk_view *view, GtkListItemFactory *factory);
/// Calls a function for each bound list item.
void lull_gtk_cells_each(
    lull_gtk_view *view, void (*call)(GtkListItem *list_item, void *context), void *context);

// input.c

void lull_gtk_input_follow(lull_gtk_view *view);
void lull_gtk_input_unfollow(lull_gtk_view *view);
/// Returns the velocity of a fling at a time in us, in px of the adjustment a second.
double lull_gtk_input_velocity(const lull_gtk_view *view, int64_t time);

#endif
