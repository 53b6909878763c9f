// Two ways without Lull. A photo is requested when a widget is bound to it, and what hasn't begun when
// that is unbound is cancelled. The last 512 pictures are kept, as in Lull's list.

#include <stdbool.h>

#include "loader.h"
#include "photos.h"

#define KEPT 512

struct plain_loader {
    struct loader base;
    GHashTable *cells;
    /// Cells with pictures, the oldest first.
    GQueue kept;
    /// The threads, if there are any.
    GThreadPool *pool;
    int requested;
    bool is_closing;
};

struct cell {
    struct plain_loader *loader;
    PhotoItem *item;
    /// The widget that is bound to it, if there is one.
    GtkPicture *widget;
    GdkTexture *texture;
    /// The idle callback that will load it.
    guint source;
    /// Whether a thread needn't begin.
    gint is_cancelled;
    bool is_on_thread;
    /// Whether it is among the kept.
    bool is_loaded;
};

/// As GTK's own programs do.
static GdkTexture *load_whole(PhotoItem *item) {
    GdkPixbuf *pixels = gdk_pixbuf_new_from_file_at_scale(
        photo_item_path(item), PICTURE_WIDTH, PICTURE_HEIGHT, TRUE, NULL);
    GdkTexture *texture = pixels ? gdk_texture_new_for_pixbuf(pixels) : NULL;
    g_clear_object(&pixels);
    return texture;
}

static void free_cell(struct cell *cell) {
    if (cell->source) g_source_remove(cell->source);
    g_clear_object(&cell->texture);
    g_object_unref(cell->item);
    g_free(cell);
}

static void commit(struct cell *cell) {
    struct plain_loader *loader = cell->loader;
    loader->base.loaded++;
    cell->is_loaded = true;
    if (cell->widget) gtk_picture_set_paintable(cell->widget, GDK_PAINTABLE(cell->texture));
    g_queue_push_tail(&loader->kept, cell);
    for (guint i = g_queue_get_length(&loader->kept); i > KEPT; i--) {
        struct cell *oldest = g_queue_pop_head(&loader->kept);
        if (oldest->widget) {
            g_queue_push_tail(&loader->kept, oldest);
        } else {
            g_hash_table_remove(loader->cells, oldest->item);
            free_cell(oldest);
        }
    }
}

static gboolean load_in_idle_callback(gpointer context) {
    struct cell *cell = context;
    cell->source = 0;
    cell->texture = load_whole(cell->item);
    commit(cell);
    return G_SOURCE_REMOVE;
}

static void free_if_unused(struct plain_loader *loader) {
    if (!loader->is_closing || loader->requested > 0) return;
    g_hash_table_unref(loader->cells);
    g_free(loader);
}

/// The result of a thread.
static gboolean thread_ended(gpointer context) {
    struct cell *cell = context;
    struct plain_loader *loader = cell->loader;
    loader->requested--;
    cell->is_on_thread = false;
    if (g_atomic_int_get(&cell->is_cancelled)) {
        free_cell(cell);
    } else {
        commit(cell);
    }
    free_if_unused(loader);
    return G_SOURCE_REMOVE;
}

static void load_on_thread(gpointer data, gpointer context) {
    (void)context;
    struct cell *cell = data;
    if (!g_atomic_int_get(&cell->is_cancelled)) cell->texture = load_whole(cell->item);
    g_idle_add(thread_ended, cell);
}

static struct cell *request(struct plain_loader *loader, PhotoItem *item) {
    struct cell *cell = g_new0(struct cell, 1);
    cell->loader = loader;
    cell->item = g_object_ref(item);
    g_hash_table_insert(loader->cells, cell->item, cell);
    if (loader->pool) {
        loader->requested++;
        cell->is_on_thread = true;
        g_thread_pool_push(loader->pool, cell, NULL);
    } else {
        cell->source = g_idle_add(load_in_idle_callback, cell);
    }
    return cell;
}

static void bind(GtkListItemFactory *factory, GtkListItem *list_item, void *context) {
    (void)factory;
    struct plain_loader *loader = context;
    PhotoItem *item = gtk_list_item_get_item(list_item);
    struct cell *cell = g_hash_table_lookup(loader->cells, item);
    if (!cell) cell = request(loader, item);
    cell->widget = GTK_PICTURE(gtk_list_item_get_child(list_item));
    GdkTexture *texture = cell->is_loaded ? cell->texture : NULL;
    gtk_picture_set_paintable(cell->widget, GDK_PAINTABLE(texture));
}

static void unbind(GtkListItemFactory *factory, GtkListItem *list_item, void *context) {
    (void)factory;
    struct plain_loader *loader = context;
    PhotoItem *item = gtk_list_item_get_item(list_item);
    struct cell *cell = g_hash_table_lookup(loader->cells, item);
    if (!cell) return;
    cell->widget = NULL;
    if (cell->is_loaded) return;
    g_hash_table_remove(loader->cells, item);
    if (cell->is_on_thread) {
        g_atomic_int_set(&cell->is_cancelled, 1);
    } else {
        free_cell(cell);
    }
}

/// The widgets are gone by now, and with them all that hadn't begun.
static void free_loader(struct loader *base) {
    struct plain_loader *loader = (struct plain_loader *)base;
    struct cell *cell;
    while ((cell = g_queue_pop_head(&loader->kept))) free_cell(cell);
    g_hash_table_remove_all(loader->cells);
    loader->is_closing = true;
    if (loader->pool) g_thread_pool_free(loader->pool, FALSE, TRUE);
    free_if_unused(loader);
}

static struct loader *make(GtkGridView *grid, bool has_threads) {
    struct plain_loader *loader = g_new0(struct plain_loader, 1);
    loader->base.free = free_loader;
    loader->cells = g_hash_table_new(NULL, NULL);
    g_queue_init(&loader->kept);
    if (has_threads) {
        int count = (int)g_get_num_processors();
        loader->pool = g_thread_pool_new(load_on_thread, NULL, count, FALSE, NULL);
    }
    GtkListItemFactory *factory = gtk_grid_view_get_factory(grid);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), loader);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind), loader);
    return &loader->base;
}

struct loader *loader_in_idle_callbacks(GtkGridView *grid) {
    return make(grid, false);
}

struct loader *loader_on_threads(GtkGridView *grid) {
    return make(grid, true);
}
