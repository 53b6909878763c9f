// What loads the pictures of a list, in one of several ways.

#ifndef LOADER_H
#define LOADER_H

#include <gtk/gtk.h>
#include <lull.h>
#include <stdint.h>

#include "../photo.h"

/// A loader and its functions. Those that are NULL aren't needed by it.
struct loader {
    /// The height of the viewport has changed.
    void (*resize)(struct loader *loader, double height);
    /// A finger touches, moves or lifts, or a wheel was turned.
    void (*input)(struct loader *loader, lull_input input, double y);
    /// A finger lifts, and the list will come to rest at `target`.
    void (*fling)(struct loader *loader, double y, double target);
    /// A frame shows an offset; `time` is the frame's, in ns.
    void (*scroll)(struct loader *loader, double offset, int64_t time);
    /// Returns the picture of a row, or NULL if it isn't loaded.
    GdkTexture *(*texture)(struct loader *loader, int64_t row);
    void (*free)(struct loader *loader);
    /// The widget, which is redrawn when a picture is there, and how many have been.
    GtkWidget *view;
    int loaded;
};

/// In lulls, by Lull's list.
struct loader *loader_in_lulls(GtkWidget *view);

/// Each picture as a whole in a callback of g_idle_add, or on a thread of a GThreadPool.
struct loader *loader_in_idle_callbacks(GtkWidget *view);
struct loader *loader_on_threads(GtkWidget *view);

/// Makes a texture of a photo that is decoded, with its row's tint.
GdkTexture *loader_make_texture(struct photo *photo, int64_t row);

#endif
