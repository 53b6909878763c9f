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
// lull.h, with the exceptions of lull.h. `load` may also change the model, replace it, and destroy the
// view or its window. The others may not, as they are called inside the signals of GTK's models and
// factories, too, where GTK doesn't allow it.
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

#ifdef LULL_PICTURES_H

// MARK: - Pictures
//
// For a program that includes lull-pictures.h before, and links it: pictures as GdkTexture. Its loads
// return what lull_gtk_load_picture does, `show` is lull_gtk_show_picture or another function that shows
// the texture of a lull_gtk_picture, and `drop` is lull_gtk_drop_picture.

/// The value of an item that is a picture.
typedef struct lull_gtk_picture {
    /// The picture while it is loaded, and then its texture; the other is NULL.
    lull_picture *picture;
    GdkTexture *texture;
} lull_gtk_picture;

static inline void lull_gtk_free_pixels(void *picture) {
    lull_picture_free((lull_picture *)picture);
}

/// Makes a texture of the pixels of a picture, which aren't copied: the picture is freed with the
/// texture. NULL if it has no pixels; then it isn't freed.
static inline GdkTexture *lull_gtk_texture(lull_picture *picture) {
    lull_picture_info info;
    if (lull_picture_get(picture, &info, sizeof info) != LULL_OK) return NULL;
    GdkMemoryFormat format = GDK_MEMORY_R8G8B8A8_PREMULTIPLIED;
    if (info.format == LULL_PIXELS_RGBA) format = GDK_MEMORY_R8G8B8A8;
    if (info.format == LULL_PIXELS_BGRA_PREMULTIPLIED) {
        format = GDK_MEMORY_B8G8R8A8_PREMULTIPLIED;
    }
    GBytes *bytes = g_bytes_new_with_free_func(
        info.pixels, info.stride * (size_t)info.height, lull_gtk_free_pixels, picture);
    GdkTexture *texture =
        gdk_memory_texture_new(info.width, info.height, format, bytes, info.stride);
    g_bytes_unref(bytes);
    return texture;
}

/// Loads the picture of an item, as lull_picture_load_row does that of a row.
static inline lull_progress lull_gtk_load_picture(
    lull_pictures *pictures, const lull_slot *slot, lull_load *load,
    const lull_picture_request *request) {
    lull_gtk_picture *value = (lull_gtk_picture *)load->value;
    if (!value) value = g_new0(lull_gtk_picture, 1);
    load->value = value->picture;
    const lull_progress progress = lull_picture_load_row(pictures, slot, load, request);
    value->picture = (lull_picture *)load->value;
    load->value = value;
    if (progress == LULL_DONE) {
        value->texture = lull_gtk_texture(value->picture);
        if (!value->texture) return LULL_FAILED;
        value->picture = NULL;
    }
    // A preview's pixels change.
    return progress == LULL_REFINED ? LULL_AGAIN : progress;
}

/// Shows the picture of an item in a child that is a GtkPicture or a GtkImage.
static inline void lull_gtk_show_picture(const lull_gtk_cell *cell, void *context) {
    const lull_gtk_picture *value = (const lull_gtk_picture *)cell->row.value;
    GdkPaintable *paintable = value ? GDK_PAINTABLE(value->texture) : NULL;
    (void)context;
    if (GTK_IS_PICTURE(cell->child)) {
        gtk_picture_set_paintable(GTK_PICTURE(cell->child), paintable);
    } else if (GTK_IS_IMAGE(cell->child)) {
        gtk_image_set_from_paintable(GTK_IMAGE(cell->child), paintable);
    }
}

/// Frees the picture of an item; a widget that still shows the texture keeps that.
static inline void lull_gtk_drop_picture(void *value, void *context) {
    lull_gtk_picture *picture = (lull_gtk_picture *)value;
    (void)context;
    if (picture->picture) lull_picture_free(picture->picture);
    g_clear_object(&picture->texture);
    g_free(picture);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
