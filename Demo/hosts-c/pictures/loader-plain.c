// Two ways without Lull. A row that comes into view is requested, and what hasn't begun when it
// leaves is cancelled. The last 512 pictures are kept, as in Lull's list.

#include <stdbool.h>

#include "loader.h"
#include "rows.h"

#define KEPT 512

struct plain_loader {
    struct loader base;
    double height;
    int64_t first, last;
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
    int64_t row;
    GdkTexture *texture;
    /// The idle callback that will load it.
    guint source;
    /// Whether a thread needn't begin.
    gint is_cancelled;
    bool is_on_thread;
    /// Whether it is among the kept.
    bool is_loaded;
};

GdkTexture *loader_make_texture(struct photo *photo, int64_t row) {
    int width = photo_width(photo), height = photo_height(photo);
    gsize size = (gsize)width * (gsize)height * 4;
    uint8_t *pixels = photo_take_pixels(photo);
    rows_tint(row, pixels, width * height);
    GBytes *bytes = g_bytes_new_with_free_func(pixels, size, free, pixels);
    GdkTexture *texture = gdk_memory_texture_new(
        width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, (gsize)width * 4);
    g_bytes_unref(bytes);
    return texture;
}

static GdkTexture *load_whole(int64_t row) {
    GdkTexture *texture = NULL;
    struct photo *photo = photo_open(rows_path(row), PICTURE_WIDTH, PICTURE_HEIGHT);
    enum photo_progress progress = photo ? PHOTO_MORE : PHOTO_FAILED;
    while (progress == PHOTO_MORE) progress = photo_decode(photo);
    if (progress == PHOTO_DONE) texture = loader_make_texture(photo, row);
    photo_free(photo);
    return texture;
}

static void free_cell(struct cell *cell) {
    if (cell->source) g_source_remove(cell->source);
    g_clear_object(&cell->texture);
    g_free(cell);
}

static bool is_in_view(struct plain_loader *loader, int64_t row) {
    return row >= loader->first && row < loader->last;
}

static void commit(struct cell *cell) {
    struct plain_loader *loader = cell->loader;
    loader->base.loaded++;
    cell->is_loaded = true;
    g_queue_push_tail(&loader->kept, cell);
    for (guint i = g_queue_get_length(&loader->kept); i > KEPT; i--) {
        struct cell *oldest = g_queue_pop_head(&loader->kept);
        if (is_in_view(loader, oldest->row)) {
            g_queue_push_tail(&loader->kept, oldest);
        } else {
            g_hash_table_remove(loader->cells, &oldest->row);
            free_cell(oldest);
        }
    }
    gtk_widget_queue_draw(loader->base.view);
}

static gboolean load_in_idle_callback(gpointer context) {
    struct cell *cell = context;
    cell->source = 0;
    cell->texture = load_whole(cell->row);
    commit(cell);
    return G_SOURCE_REMOVE;
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
    if (loader->is_closing && loader->requested == 0) g_free(loader);
    return G_SOURCE_REMOVE;
}

static void load_on_thread(gpointer data, gpointer context) {
    (void)context;
    struct cell *cell = data;
    if (!g_atomic_int_get(&cell->is_cancelled)) cell->texture = load_whole(cell->row);
    g_idle_add(thread_ended, cell);
}

static void request(struct plain_loader *loader, int64_t row) {
    struct cell *cell = g_new0(struct cell, 1);
    cell->loader = loader;
    cell->row = row;
    g_hash_table_insert(loader->cells, &cell->row, cell);
    if (loader->pool) {
        loader->requested++;
        cell->is_on_thread = true;
        g_thread_pool_push(loader->pool, cell, NULL);
    } else {
        cell->source = g_idle_add(load_in_idle_callback, cell);
    }
}

static void cancel(struct plain_loader *loader, int64_t row) {
    struct cell *cell = g_hash_table_lookup(loader->cells, &row);
    if (!cell || cell->is_loaded) return;
    g_hash_table_remove(loader->cells, &row);
    if (cell->is_on_thread) {
        g_atomic_int_set(&cell->is_cancelled, 1);
    } else {
        free_cell(cell);
    }
}

static void resize(struct loader *base, double height) {
    ((struct plain_loader *)base)->height = height;
}

static void scroll(struct loader *base, double offset, int64_t time) {
    (void)time;
    struct plain_loader *loader = (struct plain_loader *)base;
    int64_t first = loader->first, last = loader->last;
    loader->first = rows_at(offset);
    loader->last = rows_at(offset + loader->height) + 1;
    for (int64_t row = first; row < last; row++) {
        if (!is_in_view(loader, row)) cancel(loader, row);
    }
    for (int64_t row = loader->first; row < loader->last; row++) {
        if (!g_hash_table_contains(loader->cells, &row)) request(loader, row);
    }
}

static GdkTexture *texture(struct loader *base, int64_t row) {
    struct cell *cell = g_hash_table_lookup(((struct plain_loader *)base)->cells, &row);
    return cell && !cell->is_on_thread ? cell->texture : NULL;
}

static void free_loader(struct loader *base) {
    struct plain_loader *loader = (struct plain_loader *)base;
    GHashTableIter iterator;
    gpointer cell;
    g_hash_table_iter_init(&iterator, loader->cells);
    while (g_hash_table_iter_next(&iterator, NULL, &cell)) {
        if (!((struct cell *)cell)->is_on_thread) {
            free_cell(cell);
        } else {
            g_atomic_int_set(&((struct cell *)cell)->is_cancelled, 1);
        }
    }
    g_hash_table_unref(loader->cells);
    g_queue_clear(&loader->kept);
    loader->is_closing = true;
    if (loader->pool) g_thread_pool_free(loader->pool, FALSE, TRUE);
    if (loader->requested == 0) g_free(loader);
}

static struct loader *make(GtkWidget *view, bool has_threads) {
    struct plain_loader *loader = g_new0(struct plain_loader, 1);
    loader->base = (struct loader){
        .resize = resize, .scroll = scroll, .texture = texture, .free = free_loader, .view = view};
    loader->cells = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_queue_init(&loader->kept);
    if (has_threads) {
        int count = (int)g_get_num_processors();
        loader->pool = g_thread_pool_new(load_on_thread, NULL, count, FALSE, NULL);
    }
    return &loader->base;
}

struct loader *loader_in_idle_callbacks(GtkWidget *view) {
    return make(view, false);
}

struct loader *loader_on_threads(GtkWidget *view) {
    return make(view, true);
}
