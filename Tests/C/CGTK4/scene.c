#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* A value, and the unfinished work on it. */
struct value {
    struct scene *scene;
    char *text;
};

static guint last_string;

void insert_strings(GtkStringList *strings, guint position, guint count) {
    char **texts = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) texts[i] = g_strdup_printf("%u", last_string++);
    gtk_string_list_splice(strings, position, 0, (const char *const *)texts);
    g_strfreev(texts);
}

GtkStringList *new_strings(guint count) {
    GtkStringList *strings = gtk_string_list_new(NULL);
    insert_strings(strings, 0, count);
    return strings;
}

static const char *text_of(gpointer item) {
    return gtk_string_object_get_string(item);
}

/* MARK: - Acts */

static void set_model(struct scene *scene, GtkStringList *strings) {
    GListModel *items = strings ? g_object_ref(G_LIST_MODEL(strings)) : NULL;
    GtkSelectionModel *model = items ? GTK_SELECTION_MODEL(gtk_no_selection_new(items)) : NULL;
    if (GTK_IS_LIST_VIEW(scene->view)) gtk_list_view_set_model(GTK_LIST_VIEW(scene->view), model);
    if (GTK_IS_GRID_VIEW(scene->view)) gtk_grid_view_set_model(GTK_GRID_VIEW(scene->view), model);
    if (GTK_IS_COLUMN_VIEW(scene->view)) {
        gtk_column_view_set_model(GTK_COLUMN_VIEW(scene->view), model);
    }
    if (model) g_object_unref(model);
}

static GtkListItemFactory *new_factory(struct scene *scene);

static void do_act(struct scene *scene) {
    if (scene->act == NOTHING || scene->acts_after-- > 0) return;
    const enum act act = scene->act;
    scene->act = NOTHING;
    switch (act) {
    case CLOSE_HANDLE: lull_gtk_close(scene->handle); break;
    case DESTROY_WINDOW:
        if (scene->window) gtk_window_destroy(GTK_WINDOW(scene->window));
        break;
    case SWAP_MODEL:
        g_object_unref(scene->strings);
        scene->strings = new_strings(500);
        if (scene->view) set_model(scene, scene->strings);
        break;
    case NO_MODEL:
        if (scene->view) set_model(scene, NULL);
        break;
    // Whole lines of a grid: GTK 4.8.3 fails to find the lines of one ("ran out of items") after others.
    case INSERT: insert_strings(scene->strings, 0, 120); break;
    case REMOVE: gtk_string_list_splice(scene->strings, 0, 600, NULL); break;
    case SWAP_FACTORY: {
        if (!scene->view || scene->kind == COLUMNS) break;
        GtkListItemFactory *factory = new_factory(scene);
        g_object_set(scene->view, "factory", factory, NULL);
        g_object_unref(scene->factory);
        scene->factory = factory;
        break;
    }
    case DESTROY_VIEW:
        if (scene->scrolled) {
            gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scene->scrolled), NULL);
        }
        break;
    default: break;
    }
}

static void act_in(struct scene *scene, enum place place) {
    if (scene->place == place) do_act(scene);
}

/* MARK: - Callbacks */

static lull_progress load(const lull_slot *slot, lull_load *load, GObject *item, void *context) {
    struct scene *scene = context;
    struct value *value = load->value;
    CHECK(lull_slot_is_over(slot) >= 0);
    CHECK(GTK_IS_STRING_OBJECT(item));
    if (!value) {
        load->value = value = g_new0(struct value, 1);
        value->scene = scene;
        scene->begun++;
        scene->values++;
        act_in(scene, IN_LOAD);
        return LULL_AGAIN;
    }
    if (scene->never_loads) return LULL_AGAIN;
    value->text = g_strdup(text_of(item));
    scene->done++;
    return LULL_DONE;
}

static void show(const lull_gtk_cell *cell, void *context) {
    struct scene *scene = context;
    const struct value *value = cell->row.value;
    scene->shown++;
    CHECK(cell->item == gtk_list_item_get_item(cell->list_item));
    CHECK(GTK_IS_LABEL(cell->child));
    if (value) CHECK(value->text && !strcmp(value->text, text_of(cell->item)));
    gtk_label_set_text(GTK_LABEL(cell->child), value ? value->text : "");
    act_in(scene, IN_SHOW);
}

static void drop(void *pointer, void *context) {
    struct value *value = pointer;
    struct scene *scene = context;
    CHECK(value->scene == scene);
    scene->values--;
    g_free(value->text);
    g_free(value);
    act_in(scene, IN_DROP);
}

static uint64_t key(GObject *item, void *context) {
    act_in(context, IN_KEY);
    return g_ascii_strtoull(text_of(item), NULL, 10);
}

static void release(void *context) {
    ((struct scene *)context)->released++;
}

/* MARK: - The window */

static void setup(GtkListItemFactory *factory, GtkListItem *list_item, void *context) {
    (void)factory;
    struct scene *scene = context;
    GtkWidget *label = gtk_label_new("");
    gtk_widget_set_size_request(label, scene->kind == GRID ? 90 : 40, 30);
    gtk_list_item_set_child(list_item, label);
}

static void bind(GtkListItemFactory *factory, GtkListItem *list_item, void *context) {
    (void)factory;
    struct scene *scene = context;
    g_hash_table_add(scene->bound, list_item);
    if (scene->heights_differ) {
        GtkWidget *label = gtk_list_item_get_child(list_item);
        const int number = atoi(text_of(gtk_list_item_get_item(list_item)));
        gtk_widget_set_size_request(label, 40, 20 + number * 7 % 90);
    }
    act_in(scene, IN_BIND);
}

static void unbind(GtkListItemFactory *factory, GtkListItem *list_item, void *context) {
    (void)factory;
    g_hash_table_remove(((struct scene *)context)->bound, list_item);
}

static GtkListItemFactory *new_factory(struct scene *scene) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(setup), scene);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), scene);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind), scene);
    return factory;
}

static void view_gone(gpointer context, GObject *view) {
    (void)view;
    ((struct scene *)context)->view = NULL;
}

static GtkWidget *new_view(struct scene *scene) {
    GtkWidget *view;
    GtkListItemFactory *factory = g_object_ref(scene->factory);
    switch (scene->kind) {
    case GRID:
        view = gtk_grid_view_new(NULL, factory);
        gtk_grid_view_set_max_columns(GTK_GRID_VIEW(view), 12);
        break;
    case COLUMNS: {
        view = gtk_column_view_new(NULL);
        GtkColumnViewColumn *column = gtk_column_view_column_new("String", factory);
        gtk_column_view_append_column(GTK_COLUMN_VIEW(view), column);
        g_object_unref(column);
        break;
    }
    default: view = gtk_list_view_new(NULL, factory);
    }
    if (scene->kind == ROW_OF_LISTS) {
        gtk_orientable_set_orientation(GTK_ORIENTABLE(view), GTK_ORIENTATION_HORIZONTAL);
    }
    return view;
}

void scene_attach(struct scene *scene, bool has_keys) {
    lull_gtk_options options;
    lull_gtk_options_init(&options, sizeof options);
    options.load = load;
    options.show = show;
    options.drop = drop;
    options.release = release;
    if (has_keys) options.key = key;
    options.context = scene;
    // Few are kept, so that values are dropped soon.
    lull_list_options limits;
    lull_list_options_init(&limits, sizeof limits);
    limits.limit = 20;
    if (scene->keeps_few) options.list = &limits;
    CHECK(lull_gtk_attach(scene->view, &options, &scene->handle) == LULL_OK);
}

struct scene *scene_with(enum kind kind, guint count, struct setting setting) {
    struct scene *scene = g_new0(struct scene, 1);
    scene->kind = kind;
    scene->act = setting.act;
    scene->place = setting.place;
    scene->acts_after = setting.acts_after;
    scene->keeps_few = setting.keeps_few;
    scene->bound = g_hash_table_new(NULL, NULL);
    scene->factory = new_factory(scene);
    scene->strings = new_strings(count);
    scene->view = new_view(scene);
    g_object_weak_ref(G_OBJECT(scene->view), view_gone, scene);
    if (!setting.is_attached_late) scene_attach(scene, setting.has_keys);
    set_model(scene, scene->strings);
    scene->window = gtk_window_new();
    scene->scrolled = gtk_scrolled_window_new();
    g_object_add_weak_pointer(G_OBJECT(scene->window), (gpointer *)&scene->window);
    g_object_add_weak_pointer(G_OBJECT(scene->scrolled), (gpointer *)&scene->scrolled);
    gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scene->scrolled), FALSE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scene->scrolled), scene->view);
    gtk_window_set_child(GTK_WINDOW(scene->window), scene->scrolled);
    gtk_window_set_default_size(GTK_WINDOW(scene->window), 320, 400);
    gtk_window_set_title(GTK_WINDOW(scene->window), "scene");
    gtk_window_present(GTK_WINDOW(scene->window));
    return scene;
}

struct scene *scene_new(enum kind kind, guint count) {
    return scene_with(kind, count, (struct setting){.act = NOTHING});
}

static bool has_released(struct scene *scene) {
    return scene->released > 0;
}

void scene_free(struct scene *scene) {
    const bool was_attached = scene->handle != NULL;
    if (scene->window) gtk_window_destroy(GTK_WINDOW(scene->window));
    CHECK(!scene->window && !scene->view);
    if (was_attached) {
        // A value that is being loaded goes when its load has returned.
        wait_until(has_released, scene);
        CHECK(scene->released == 1);
        CHECK(lull_gtk_close(scene->handle) == LULL_STALE);
    }
    CHECK(scene->values == 0);
    CHECK(g_hash_table_size(scene->bound) == 0);
    g_hash_table_unref(scene->bound);
    g_object_unref(scene->strings);
    g_object_unref(scene->factory);
    g_free(scene);
}

/* MARK: - What is seen */

void wait_until(bool (*holds)(struct scene *scene), struct scene *scene) {
    while (!holds(scene)) g_main_context_iteration(NULL, TRUE);
}

GtkAdjustment *scene_adjustment(struct scene *scene) {
    GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW(scene->scrolled);
    return scene->kind == ROW_OF_LISTS ? gtk_scrolled_window_get_hadjustment(scrolled)
                                       : gtk_scrolled_window_get_vadjustment(scrolled);
}

double scene_value(struct scene *scene) {
    return gtk_adjustment_get_value(scene_adjustment(scene));
}

/* GTK 4.8.3 shows nothing after some jumps, with or without Lull, until the list is scrolled again. */
void scroll_again(struct scene *scene) {
    const double value = scene_value(scene);
    gtk_adjustment_set_value(scene_adjustment(scene), value > 0 ? value - 1 : value + 1);
}

/* Whether a widget has pixels in its list. */
static bool is_in_view(struct scene *scene, GtkWidget *child) {
    graphene_rect_t bounds;
    GtkWidget *base = gtk_widget_get_ancestor(child, GTK_TYPE_LIST_BASE), *row = child;
    if (!base || !gtk_widget_get_mapped(child)) return false;
    while (gtk_widget_get_parent(row) != base) row = gtk_widget_get_parent(row);
    if (!gtk_widget_compute_bounds(row, base, &bounds)) return false;
    return scene->kind == ROW_OF_LISTS
               ? bounds.origin.x < gtk_widget_get_width(base) &&
                     bounds.origin.x + bounds.size.width > 0
               : bounds.origin.y < gtk_widget_get_height(base) &&
                     bounds.origin.y + bounds.size.height > 0;
}

bool is_loaded(struct scene *scene) {
    GHashTableIter iterator;
    gpointer pointer;
    guint first = G_MAXUINT, last = 0;
    bool are_loaded = true;
    g_hash_table_iter_init(&iterator, scene->bound);
    while (g_hash_table_iter_next(&iterator, &pointer, NULL)) {
        GtkListItem *list_item = pointer;
        GtkWidget *child = gtk_list_item_get_child(list_item);
        const char *text = gtk_label_get_text(GTK_LABEL(child));
        const char *expected = text_of(gtk_list_item_get_item(list_item));
        CHECK(!text[0] || !strcmp(text, expected));
        if (!is_in_view(scene, child)) continue;
        const guint position = gtk_list_item_get_position(list_item);
        first = MIN(first, position);
        last = MAX(last, position);
        are_loaded = are_loaded && text[0];
    }
    if (first > last) return false;
    // The list looks in the frame after.
    int64_t row = -1;
    const int64_t rows = lull_list_visible(lull_gtk_get_list(scene->handle), &row);
    return are_loaded && row == first && rows == (int64_t)last - first + 1;
}
