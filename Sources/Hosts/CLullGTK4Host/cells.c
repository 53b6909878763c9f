// The items of a view by their keys, and the widgets that are bound to them.

#if defined(LULL_LIBRARY) || defined(LULL_GTK4)

#include "view.h"

/// The number of items without a widget that are remembered in any case, and of those that are looked
/// at in a frame.
#define MOST_UNBOUND 1000
#define MOST_LOOKS 256

/// What is known of a key.
struct entry {
    uint64_t key;
    GObject *item;
    /// Its row when the key was asked for, and the number of changes of the model by then.
    int64_t row;
    uint64_t change;
    /// The list items that are bound to it.
    GPtrArray *list_items;
    /// Its place among the unbound.
    GList link;
};

/// A list item that is bound.
struct cell {
    struct entry *entry;
    /// What it shows, and whether that is shown in the next frame, as its row isn't known.
    lull_row shown;
    bool is_due;
};

static guint hash(gconstpointer key) {
    const uint64_t value = *(const uint64_t *)key;
    return (guint)(value ^ value >> 32);
}

static gboolean is_equal(gconstpointer a, gconstpointer b) {
    return *(const uint64_t *)a == *(const uint64_t *)b;
}

static void free_entry(gpointer data) {
    struct entry *entry = data;
    g_ptr_array_unref(entry->list_items);
    g_object_unref(entry->item);
    g_free(entry);
}

void lull_gtk_cells_init(lull_gtk_view *view) {
    view->entries = g_hash_table_new(hash, is_equal);
    view->bound = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_queue_init(&view->unbound);
}

void lull_gtk_cells_clear(lull_gtk_view *view) {
    g_hash_table_remove_all(view->bound);
    g_queue_init(&view->unbound);
    // Items are released when all is clear: that may call back.
    GList *entries = g_hash_table_get_values(view->entries);
    g_hash_table_remove_all(view->entries);
    g_list_free_full(entries, free_entry);
}

// MARK: - Keys

/// The number of an object, which no other has, also when its address is used again.
static uint64_t identity(GObject *item) {
    static GQuark quark;
    static uintptr_t last;
    if (!quark) quark = g_quark_from_static_string("lull-gtk4-key");
    uintptr_t number = (uintptr_t)g_object_get_qdata(item, quark);
    if (number) return number;
    g_object_set_qdata(item, quark, (gpointer)++last);
    return last;
}

static struct entry *find(lull_gtk_view *view, uint64_t key) {
    return g_hash_table_lookup(view->entries, &key);
}

/// Returns what is known of an item at a row; NULL if the view is closed.
static struct entry *remember(lull_gtk_view *view, GObject *item, int64_t row) {
    lull_gtk_view_ref(view);
    const uint64_t key =
        view->list.key ? view->list.key(item, view->list.context) : identity(item);
    struct entry *entry = NULL;
    if (is_open(view)) {
        entry = find(view, key);
        if (!entry) {
            entry = g_new0(struct entry, 1);
            entry->key = key;
            entry->item = g_object_ref(item);
            entry->list_items = g_ptr_array_new();
            entry->link.data = entry;
            g_hash_table_insert(view->entries, &entry->key, entry);
            g_queue_push_tail_link(&view->unbound, &entry->link);
        }
        entry->row = row;
        entry->change = view->changes;
    }
    lull_gtk_view_unref(view);
    return entry;
}

uint64_t lull_gtk_view_key(lull_gtk_view *view, int64_t row) {
    if (!is_open(view) || !view->model || row < 0 || row > G_MAXUINT) return UINT64_MAX;
    lull_gtk_view_ref(view);
    GObject *item = g_list_model_get_item(view->model, (guint)row);
    const struct entry *entry = item ? remember(view, item, row) : NULL;
    const uint64_t key = entry ? entry->key : UINT64_MAX;
    if (item) g_object_unref(item);
    lull_gtk_view_unref(view);
    return key;
}

GObject *lull_gtk_view_item(lull_gtk_view *view, uint64_t key) {
    const struct entry *entry = find(view, key);
    return entry ? entry->item : NULL;
}

/// Releases the oldest of the items without a widget that don't wait to be loaded.
static void forget(lull_gtk_view *view) {
    int looks = MOST_LOOKS;
    while (is_open(view) && view->unbound.length > MOST_UNBOUND && looks-- > 0) {
        struct entry *entry = view->unbound.head->data;
        const uint64_t key = entry->key;
        // What is wanted was asked for again after each change.
        bool is_wanted = entry->change == view->changes;
        if (is_wanted && entry->row < view->list.count(view->list.context)) {
            lull_row state = {.state = LULL_ROW_PLACEHOLDER};
            TELL(view, get_row, entry->row, &state);
            is_wanted = state.state != LULL_ROW_PLACEHOLDER;
        }
        entry = find(view, key);
        if (!entry || entry->list_items->len > 0) continue;
        g_queue_unlink(&view->unbound, &entry->link);
        if (is_wanted) {
            g_queue_push_tail_link(&view->unbound, &entry->link);
        } else {
            g_hash_table_remove(view->entries, &entry->key);
            free_entry(entry);
        }
    }
}

// MARK: - Showing

static bool shows_same(const lull_row *a, const lull_row *b) {
    return a->value == b->value && a->state == b->state && a->share == b->share &&
           a->error == b->error;
}

/// Shows a state in a list item that is bound, unless it shows it already.
static void show_state(lull_gtk_view *view, GtkListItem *list_item, const lull_row *state) {
    struct cell *cell = g_hash_table_lookup(view->bound, list_item);
    if (!cell || shows_same(&cell->shown, state)) return;
    cell->shown = *state;
    GObject *item = g_object_ref(cell->entry->item);
    g_object_ref(list_item);
    TELL(view, show, list_item, item, state);
    g_object_unref(list_item);
    g_object_unref(item);
}

static lull_row nothing(GtkListItem *list_item) {
    return (lull_row){
        .size = sizeof(lull_row),
        .row = gtk_list_item_get_position(list_item),
        .share = -1,
        .state = LULL_ROW_PLACEHOLDER,
    };
}

/// Shows the state of a list item's row.
static void show(lull_gtk_view *view, GtkListItem *list_item) {
    lull_row state = nothing(list_item);
    // While the model changes, positions may be those of other items.
    const bool is_known = view->list.count(view->list.context) > state.row;
    const uint64_t key = is_known ? lull_gtk_view_key(view, state.row) : UINT64_MAX;
    struct cell *cell = g_hash_table_lookup(view->bound, list_item);
    if (!cell) return;
    cell->is_due = cell->entry->key != key || !is_known;
    if (!cell->is_due) TELL(view, get_row, state.row, &state);
    show_state(view, list_item, &state);
}

/// Calls a function for list items, whatever happens to them meanwhile.
static void each(
    lull_gtk_view *view, const GPtrArray *list_items,
    void (*call)(lull_gtk_view *view, GtkListItem *list_item)) {
    GPtrArray *held = g_ptr_array_new_full(list_items->len, g_object_unref);
    for (guint i = 0; i < list_items->len; i++) {
        g_ptr_array_add(held, g_object_ref(list_items->pdata[i]));
    }
    for (guint i = 0; i < held->len && is_open(view); i++) call(view, held->pdata[i]);
    g_ptr_array_unref(held);
}

void lull_gtk_view_show(lull_gtk_view *view, int64_t row) {
    lull_gtk_view_ref(view);
    const struct entry *entry = find(view, lull_gtk_view_key(view, row));
    if (entry && entry->list_items->len > 0) each(view, entry->list_items, show);
    lull_gtk_view_unref(view);
}

static void hide(lull_gtk_view *view, GtkListItem *list_item) {
    const struct cell *cell = g_hash_table_lookup(view->bound, list_item);
    const lull_row state = nothing(list_item);
    if (cell && cell->shown.value) show_state(view, list_item, &state);
}

void lull_gtk_view_hide(lull_gtk_view *view, uint64_t key, const void *value) {
    const struct entry *entry = is_open(view) ? find(view, key) : NULL;
    if (!entry || entry->list_items->len == 0) return;
    GPtrArray *showing = g_ptr_array_new();
    for (guint i = 0; i < entry->list_items->len; i++) {
        const struct cell *cell = g_hash_table_lookup(view->bound, entry->list_items->pdata[i]);
        if (cell->shown.value == value) g_ptr_array_add(showing, entry->list_items->pdata[i]);
    }
    lull_gtk_view_ref(view);
    each(view, showing, hide);
    lull_gtk_view_unref(view);
    g_ptr_array_unref(showing);
}

static GPtrArray *all_bound(lull_gtk_view *view, bool is_due) {
    GPtrArray *list_items = g_ptr_array_new();
    GHashTableIter iterator;
    gpointer list_item, cell;
    g_hash_table_iter_init(&iterator, view->bound);
    while (g_hash_table_iter_next(&iterator, &list_item, &cell)) {
        if (!is_due || ((struct cell *)cell)->is_due) g_ptr_array_add(list_items, list_item);
    }
    return list_items;
}

void lull_gtk_cells_hide_all(lull_gtk_view *view) {
    GPtrArray *list_items = all_bound(view, false);
    each(view, list_items, hide);
    g_ptr_array_unref(list_items);
}

void lull_gtk_cells_frame(lull_gtk_view *view) {
    GPtrArray *list_items = all_bound(view, true);
    each(view, list_items, show);
    g_ptr_array_unref(list_items);
    forget(view);
}

void lull_gtk_cells_each(
    lull_gtk_view *view, void (*call)(GtkListItem *list_item, void *context), void *context) {
    GHashTableIter iterator;
    gpointer list_item;
    g_hash_table_iter_init(&iterator, view->bound);
    while (g_hash_table_iter_next(&iterator, &list_item, NULL)) call(list_item, context);
}

// MARK: - The factory

static void unbind(GtkListItemFactory *factory, GtkListItem *list_item, lull_gtk_view *view) {
    (void)factory;
    if (!g_hash_table_contains(view->bound, list_item)) return;
    lull_gtk_view_ref(view);
    hide(view, list_item);
    struct cell *cell = g_hash_table_lookup(view->bound, list_item);
    if (cell) {
        struct entry *entry = cell->entry;
        g_ptr_array_remove_fast(entry->list_items, list_item);
        if (entry->list_items->len == 0) g_queue_push_tail_link(&view->unbound, &entry->link);
        g_hash_table_remove(view->bound, list_item);
    }
    lull_gtk_view_unref(view);
}

static void bind(GtkListItemFactory *factory, GtkListItem *list_item, lull_gtk_view *view) {
    unbind(factory, list_item, view);
    GtkWidget *child = gtk_list_item_get_child(list_item);
    GObject *item = gtk_list_item_get_item(list_item);
    // A factory may serve several views.
    if (!is_open(view) || !child || !item) return;
    if (!gtk_widget_is_ancestor(child, view->widget)) return;
    lull_gtk_view_ref(view);
    struct entry *entry = remember(view, item, gtk_list_item_get_position(list_item));
    if (entry) {
        struct cell *cell = g_new0(struct cell, 1);
        cell->entry = entry;
        cell->shown.state = (lull_row_state)-1;
        if (entry->list_items->len == 0) g_queue_unlink(&view->unbound, &entry->link);
        g_ptr_array_add(entry->list_items, list_item);
        g_hash_table_insert(view->bound, list_item, cell);
        show(view, list_item);
    }
    lull_gtk_view_unref(view);
}

void lull_gtk_cells_follow(lull_gtk_view *view, GtkListItemFactory *factory) {
    if (view->factory) g_signal_handlers_disconnect_by_data(view->factory, view);
    g_clear_object(&view->factory);
    if (!factory) return;
    view->factory = g_object_ref(factory);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), view);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind), view);
    g_signal_connect(factory, "teardown", G_CALLBACK(unbind), view);
}

#endif
