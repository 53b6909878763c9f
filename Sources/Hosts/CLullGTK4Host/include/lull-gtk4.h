// Loads what a list of GTK 4 shows in the idle time of its loop, in C.
//
// A GtkListView, GtkGridView or GtkColumnView in a scrolled window is attached by one call. Its
// scrolling, frames, gestures and model are followed from then on; the program loads an item and
// shows the result in the widget that is bound to it:
//
//     #include <lull-gtk4.h>
//
//     static lull_progress load(
//         const lull_slot *slot, lull_load *load, GObject *item, void *context) {
//         if (!load->value) load->value = picture_open(photo_path(PHOTO(item)));
//         while (!lull_slot_is_over(slot)) {
//             if (picture_decode_line(load->value)) return LULL_DONE;
//         }
//         return LULL_AGAIN;  // the rest in another slice
//     }
//
//     static void show(const lull_gtk_cell *cell, void *context) {
//         GdkTexture *texture = cell->row.value ? picture_texture(cell->row.value) : NULL;
//         gtk_picture_set_paintable(GTK_PICTURE(cell->child), GDK_PAINTABLE(texture));
//     }
//
//     lull_gtk_options options;
//     lull_gtk_options_init(&options, sizeof options);
//     options.load = load;
//     options.show = show;
//     options.drop = picture_free;
//     if (lull_gtk_attach(grid, &options, NULL) < 0) return 1;
//
// Build with `pkg-config --cflags --libs lull-gtk4`.
//
// A widget never shows the value of another item: `show` is called with no value when a widget is
// bound to an item whose value isn't there, when it is unbound, and before a value is dropped.
//
// THREADS AND CALLBACKS. All is called on GTK's thread. Callbacks may call every function here and of
// lull.h, with the exceptions of lull.h, change the model, replace it, and destroy the view or its
// window.
//
// HANDLES are as in lull.h: one that is closed, or whose view is gone, gives LULL_STALE.

#ifndef LULL_GTK4_H
#define LULL_GTK4_H

#include <gtk/gtk.h>
#include <lull.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A handle of an attached view.
typedef struct lull_gtk lull_gtk;

/// A widget that is bound to an item, and what it is to show.
typedef struct lull_gtk_cell {
    /// The size of this struct as the library was compiled with it.
    size_t size;
    /// The list item, which the factory's signals are given, too.
    GtkListItem *list_item;
    /// The list item's child.
    GtkWidget *child;
    /// The item to which it is bound.
    GObject *item;
    /// The state of the item's load, and its value; its number is the item's position.
    lull_row row;
} lull_gtk_cell;

/// The options of a view: fill them with lull_gtk_options_init, then change them.
typedef struct lull_gtk_options {
    /// The size of this struct as the program was compiled with it.
    size_t size;
    /// The loop in whose idle time items are loaded; NULL for one on the default main context, with
    /// G_PRIORITY_LOW, which all such views share.
    lull_loop *loop;
    /// The options that all lists have: `rule`, `margin`, `limit`, `byte_limit`, the prices and
    /// `queue`. The others aren't used. NULL for the defaults.
    const lull_list_options *list;
    /// The factory whose widgets show values, a GtkSignalListItemFactory. NULL for the view's own, also
    /// when it is replaced; of a GtkColumnView, that of its first column.
    GtkListItemFactory *factory;
    /// Loads the value of an item in slices, like `load` of lull_list_options.
    lull_progress (*load)(
        const lull_slot *slot, lull_load *load, GObject *item, void *context);
    /// Shows the value of an item, or nothing, in the widget that is bound to it. Called when it is
    /// bound and unbound, and when there is more of its value, it has failed, or is dropped. NULL
    /// for values that are GdkPaintable objects, which a child that is a GtkPicture or a GtkImage
    /// shows.
    void (*show)(const lull_gtk_cell *cell, void *context);
    /// Frees a value that isn't shown any more; not called for NULL. NULL if there is nothing to free;
    /// without a `show`, for g_object_unref.
    void (*drop)(void *value, void *context);
    /// Returns the key of an item's value, any but UINT64_MAX; items with the same key share a value. NULL
    /// if items are told apart by their identity: then the model returns the same object for an item
    /// as long as there is a reference to it.
    uint64_t (*key)(GObject *item, void *context);
    /// Returns what loading an item is expected to cost, like `cost` of lull_list_options; may be NULL.
    int64_t (*cost)(GObject *item, void *context);
    /// Returns the kind of an item's load, like `kind` of lull_list_options; may be NULL.
    int64_t (*kind)(GObject *item, int64_t *size, void *context);
    /// Frees the context, when nothing will be called any more; may be NULL.
    void (*release)(void *context);
    /// The context that is passed to all of these functions.
    void *context;
} lull_gtk_options;

/// Fills options with the defaults, without callbacks; `size` is `sizeof *options`. Does nothing if
/// `options` is NULL.
void lull_gtk_options_init(lull_gtk_options *options, size_t size);

/// Attaches a list to a GtkListView, GtkGridView or GtkColumnView, until the view is destroyed or
/// lull_gtk_close is called, and stores its handle; `handle` may be NULL.
///
/// The view may be empty, without a model, and not in a window yet. Widgets that are bound already are
/// bound again inside this call. References to items are held while their values are kept or may be
/// loaded, to a thousand others at most. O(items in view).
///
/// Errors: LULL_INVALID if `view` is none of these or has no factory of signals, `options` or its
/// `load` is NULL, or an option is out of range; LULL_UNSUPPORTED; LULL_NO_MEMORY; LULL_SYSTEM;
/// LULL_BUSY inside a call of a job on lanes. Then nothing is attached, `release` isn't called, and
/// *handle is NULL.
lull_status lull_gtk_attach(GtkWidget *view, const lull_gtk_options *options, lull_gtk **handle);

/// Detaches a list from its view, also from inside a callback. `show` is called with no value for each
/// widget that shows one, and `drop` for each value; nothing but `drop` and `release` is called
/// afterwards.
lull_status lull_gtk_close(lull_gtk *handle);

/// Returns the list of a view, whose rows are the view's positions, or NULL: for all questions of
/// lull.h, and lull_list_retry, lull_list_invalidate and lull_list_resume. It is scrolled, changed
/// and closed by nobody else.
lull_list *lull_gtk_get_list(lull_gtk *handle);

/// Returns the loop of a view, or NULL.
lull_loop *lull_gtk_get_loop(lull_gtk *handle);

#ifdef __cplusplus
}
#endif

#endif
