// What loads the pictures of a grid, in one of several ways.

#ifndef LOADER_H
#define LOADER_H

#include <gtk/gtk.h>

/// A loader: the number of pictures that it has loaded, and its end, after the grid's.
struct loader {
    int loaded;
    void (*free)(struct loader *loader);
};

/// In lulls, by Lull's list.
struct loader *loader_in_lulls(GtkGridView *grid);

/// Each picture as a whole in a callback of g_idle_add, or on a thread of a GThreadPool.
struct loader *loader_in_idle_callbacks(GtkGridView *grid);
struct loader *loader_on_threads(GtkGridView *grid);

#endif
