// Follows a list of GTK 4 for a list of Lull's, in whatever language that is written.

#ifndef LULL_GTK4_VIEW_H
#define LULL_GTK4_VIEW_H

#include <lull.h>
#include <stdbool.h>

// As in GTK's headers, which a program in Swift needn't import for this.
typedef struct _GObject GObject;
typedef struct _GtkWidget GtkWidget;
typedef struct _GtkListItem GtkListItem;
typedef struct _GtkListItemFactory GtkListItemFactory;

/// A view that is followed: its scrolling, frames, gestures, model, and bound widgets.
typedef struct lull_gtk_view lull_gtk_view;

/// The list that is told of a view, on GTK's thread. Its px are those of lines of one height: what GTK
/// guesses of lines that it hasn't measured isn't in them.
typedef struct lull_gtk_list {
    /// Returns the number of rows.
    int64_t (*count)(void *context);
    /// Removes and inserts rows at a position, and asks for the keys of all again. Returns whether that
    /// could be done now; if not, it is tried again.
    bool (*update)(int64_t row, int64_t removed, int64_t inserted, void *context);
    /// Sets the number of rows in a line, and the height of lines.
    void (*arrange)(int columns, double line, void *context);
    /// Sets the height of the viewport.
    void (*resize)(double height, void *context);
    /// Takes an input, a lift at `y` with the offset of the landing, and the start of a jump.
    void (*input)(lull_input input, double y, void *context);
    void (*fling)(double y, double target, void *context);
    void (*jump)(double target, void *context);
    /// Sets the offset in a frame that began at `time`, in ns.
    void (*scroll)(double offset, int64_t time, void *context);
    /// Notes when the next frame is due.
    void (*expect_frame)(int64_t time, void *context);
    /// Gets the state of a row that exists.
    void (*get_row)(int64_t row, lull_row *state, void *context);
    /// Shows a row in the child of a list item that is bound to its item.
    void (*show)(GtkListItem *list_item, GObject *item, const lull_row *state, void *context);
    /// Returns the key of an item; NULL if items are told apart by their identity.
    uint64_t (*key)(GObject *item, void *context);
    /// Closes the list, since its view is gone or was closed. Nothing is called afterwards.
    void (*end)(void *context);
    /// For all functions.
    void *context;
} lull_gtk_list;

/// Follows a view for a list without rows, from lull_gtk_view_start on; see lull_gtk_options for
/// `factory`. NULL if the widget is no list of GTK's, or has no factory of signals.
lull_gtk_view *lull_gtk_view_new(
    GtkWidget *widget, GtkListItemFactory *factory, const lull_gtk_list *list);

/// Begins to call the list, which must be there by then.
void lull_gtk_view_start(lull_gtk_view *view);

/// Ends following, if it hasn't ended. Widgets that show a value are told to show none before.
void lull_gtk_view_close(lull_gtk_view *view);

/// Keeps a view in memory, or no longer. Its maker has one reference.
lull_gtk_view *lull_gtk_view_ref(lull_gtk_view *view);
void lull_gtk_view_unref(lull_gtk_view *view);

/// Returns the key of the item at a position; that of no item is UINT64_MAX.
uint64_t lull_gtk_view_key(lull_gtk_view *view, int64_t row);

/// Returns the item of a key that was asked for, without a reference; NULL if it isn't known any more.
GObject *lull_gtk_view_item(lull_gtk_view *view, uint64_t key);

/// Shows the state of a row in the widgets that are bound to its item.
void lull_gtk_view_show(lull_gtk_view *view, int64_t row);

/// Shows nothing in the widgets that show a value of a key.
void lull_gtk_view_hide(lull_gtk_view *view, uint64_t key, const void *value);

#endif
