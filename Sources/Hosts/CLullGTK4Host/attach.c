// The functions of lull-gtk4.h, over lull.h.

#ifdef LULL_LIBRARY

#include "lull-gtk4.h"
#include "lull-gtk4-view.h"

#include <errno.h>
#include <string.h>

/// A loop is tried to be closed again after this time, in ms, while one of its callbacks is called.
#define CLOSE_AGAIN 50

struct attached {
    /// One of the view, and one of each value.
    int references;
    lull_gtk_options options;
    lull_gtk_view *view;
    lull_loop *loop;
    lull_list *list;
    uintptr_t handle;
};

/// A value of the program's, or the unfinished work on it.
struct value {
    struct attached *owner;
    GObject *item;
    void *value;
};

// MARK: - The loop of the default main context

static lull_loop *shared_loop;
static int loop_users;

static lull_status take_loop(lull_loop **loop) {
    if (!shared_loop) {
        const lull_status status = lull_adopt_glib(NULL, G_PRIORITY_LOW, &shared_loop);
        if (status < 0) return status;
    }
    loop_users++;
    *loop = shared_loop;
    return LULL_OK;
}

static gboolean close_loop(gpointer data) {
    (void)data;
    if (loop_users > 0 || !shared_loop) return G_SOURCE_REMOVE;
    if (lull_close(shared_loop) == LULL_BUSY) return G_SOURCE_CONTINUE;
    shared_loop = NULL;
    return G_SOURCE_REMOVE;
}

static void return_loop(void) {
    if (--loop_users == 0 && close_loop(NULL) == G_SOURCE_CONTINUE) {
        g_timeout_add(CLOSE_AGAIN, close_loop, NULL);
    }
}

// MARK: - Handles

static GHashTable *handles;
static uintptr_t last_handle;

/// Returns what a handle names, or NULL and why.
static struct attached *named(const lull_gtk *handle, lull_status *status) {
    const uintptr_t number = (uintptr_t)handle;
    struct attached *attached =
        handles ? g_hash_table_lookup(handles, (gpointer)number) : NULL;
    *status = attached                                ? LULL_OK
              : number == 0 || number > last_handle ? LULL_INVALID
                                                      : LULL_STALE;
    return attached;
}

static void unref(struct attached *attached) {
    if (--attached->references > 0) return;
    if (attached->options.release) attached->options.release(attached->options.context);
    if (attached->view) lull_gtk_view_unref(attached->view);
    if (attached->loop && !attached->options.loop) return_loop();
    g_free(attached);
}

// MARK: - What the list asks

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    struct attached *attached = context;
    struct value *value = load->value;
    if (!value) {
        GObject *item = lull_gtk_view_item(attached->view, load->key);
        if (!item) {
            load->error = ESTALE;
            return LULL_FAILED;
        }
        load->value = value = g_new0(struct value, 1);
        value->owner = attached;
        value->item = g_object_ref(item);
        attached->references++;
    }
    attached->references++;
    // Until it returns, the program sees its own value, and the list owns ours.
    load->value = value->value;
    const lull_progress progress =
        attached->options.load(slot, load, value->item, attached->options.context);
    value->value = load->value;
    load->value = value;
    unref(attached);
    return progress;
}

static void drop_own(struct attached *attached, void *value) {
    if (attached->options.drop) {
        attached->options.drop(value, attached->options.context);
    } else if (!attached->options.show) {
        g_object_unref(value);
    }
}

static void drop(uint64_t key, void *pointer, void *context) {
    struct attached *attached = context;
    struct value *value = pointer;
    if (value->value) {
        lull_gtk_view_hide(attached->view, key, value->value);
        drop_own(attached, value->value);
    }
    g_object_unref(value->item);
    g_free(value);
    unref(attached);
}

static void show_row(const lull_row *row, void *context) {
    lull_gtk_view_show(((struct attached *)context)->view, row->row);
}

static uint64_t key_of_row(int64_t row, void *context) {
    return lull_gtk_view_key(((struct attached *)context)->view, row);
}

static int64_t cost(uint64_t key, void *context) {
    struct attached *attached = context;
    GObject *item = lull_gtk_view_item(attached->view, key);
    return item ? attached->options.cost(item, attached->options.context) : LULL_NONE;
}

static int64_t kind(uint64_t key, int64_t *size, void *context) {
    struct attached *attached = context;
    GObject *item = lull_gtk_view_item(attached->view, key);
    return item ? attached->options.kind(item, size, attached->options.context) : LULL_NONE;
}

// MARK: - What the view tells

static int64_t count(void *context) {
    return MAX(0, lull_list_count(((struct attached *)context)->list));
}

static bool update(int64_t row, int64_t removed, int64_t inserted, void *context) {
    lull_list *list = ((struct attached *)context)->list;
    const int64_t rows = MAX(0, lull_list_count(list)), changed = removed + inserted;
    lull_update *updates = g_new0(lull_update, (gsize)MAX(1, changed));
    for (int64_t i = 0; i < changed; i++) {
        updates[i].kind = removed ? LULL_UPDATE_REMOVE : LULL_UPDATE_INSERT;
        updates[i].row = row + i;
    }
    const lull_status status =
        lull_list_update(list, updates, (size_t)changed, rows + inserted - removed);
    g_free(updates);
    return status != LULL_BUSY;
}

static lull_flow flow(int columns, double line) {
    return (lull_flow){
        .rule = LULL_FLOW_FIXED, .columns = columns, .measure = line, .width = columns};
}

static void arrange(int columns, double line, void *context) {
    const lull_flow lines = flow(columns, line);
    lull_list_arrange(((struct attached *)context)->list, &lines);
}

static void resize(double height, void *context) {
    lull_list_resize(((struct attached *)context)->list, height);
}

static void input(lull_input input, double y, void *context) {
    lull_list_input(((struct attached *)context)->list, input, y, LULL_NONE);
}

static void fling(double y, double target, void *context) {
    lull_list_fling(((struct attached *)context)->list, y, target, LULL_NONE);
}

static void jump(double target, void *context) {
    lull_list_jump(((struct attached *)context)->list, target, LULL_NONE);
}

static void scroll(double offset, int64_t time, void *context) {
    lull_list_scroll(((struct attached *)context)->list, offset, time);
}

static void expect_frame(int64_t time, void *context) {
    lull_expect_frame(((struct attached *)context)->loop, time);
}

static void get_row(int64_t row, lull_row *state, void *context) {
    lull_row known;
    if (lull_list_get_row(((struct attached *)context)->list, row, &known, sizeof known) < 0) {
        return;
    }
    if (known.value) known.value = ((struct value *)known.value)->value;
    *state = known;
}

/// Shows a paintable in what can.
static void show_paintable(GtkWidget *child, GdkPaintable *paintable) {
    if (GTK_IS_PICTURE(child)) {
        gtk_picture_set_paintable(GTK_PICTURE(child), paintable);
    } else if (GTK_IS_IMAGE(child)) {
        gtk_image_set_from_paintable(GTK_IMAGE(child), paintable);
    }
}

static void show(GtkListItem *list_item, GObject *item, const lull_row *state, void *context) {
    struct attached *attached = context;
    const lull_gtk_cell cell = {
        .size = sizeof cell,
        .list_item = list_item,
        .child = gtk_list_item_get_child(list_item),
        .item = item,
        .row = *state,
    };
    if (attached->options.show) {
        attached->options.show(&cell, attached->options.context);
    } else {
        show_paintable(cell.child, cell.row.value);
    }
}

static uint64_t key_of_item(GObject *item, void *context) {
    struct attached *attached = context;
    return attached->options.key(item, attached->options.context);
}

static void end(void *context) {
    struct attached *attached = context;
    g_hash_table_remove(handles, (gpointer)attached->handle);
    lull_list_close(attached->list);
    unref(attached);
}

// MARK: - Attaching

static lull_status refuse(lull_status status, const char *text) {
    lull_set_last_error(text);
    return status;
}

void lull_gtk_options_init(lull_gtk_options *options, size_t size) {
    if (!options || size < sizeof options->size) return;
    memset(options, 0, size);
    options->size = size;
}

/// Copies options of another version, if nothing is set in them that this one doesn't know.
static lull_status copy_options(const lull_gtk_options *options, lull_gtk_options *copy) {
    const unsigned char *bytes = (const unsigned char *)options;
    memset(copy, 0, sizeof *copy);
    if (options->size < sizeof options->size) {
        return refuse(LULL_INVALID, "lull_gtk_attach: options->size is too small");
    }
    for (size_t i = sizeof *copy; i < options->size; i++) {
        if (bytes[i]) {
            return refuse(LULL_UNSUPPORTED, "lull_gtk_attach: options are of a later version");
        }
    }
    memcpy(copy, options, MIN(options->size, sizeof *copy));
    return copy->load ? LULL_OK
                      : refuse(LULL_INVALID, "lull_gtk_attach: options->load is NULL");
}

static lull_status make_list(struct attached *attached) {
    const lull_flow lines = flow(1, 44);
    lull_list_options options;
    lull_list_options_init(&options, sizeof options);
    const lull_list_options *given = attached->options.list;
    if (given) {
        // By size, as the program's may be of another version.
        const size_t size = given->size;
#define TAKE(member) \
    if (size >= offsetof(lull_list_options, member) + sizeof options.member) \
    options.member = given->member
        TAKE(rule);
        TAKE(margin);
        TAKE(limit);
        TAKE(byte_limit);
        TAKE(least_price);
        TAKE(greatest_price);
        TAKE(queue);
    }
    options.flow = &lines;
    options.load = load;
    options.show = show_row;
    options.drop = drop;
    options.key = key_of_row;
    options.cost = attached->options.cost ? cost : NULL;
    options.kind = attached->options.kind ? kind : NULL;
    options.context = attached;
    return lull_list_new(attached->loop, &options, &attached->list);
}

/// Follows a view; on an error, nothing is left.
static lull_status follow(struct attached *attached, GtkWidget *widget) {
    const lull_gtk_list list = {
        .count = count,
        .update = update,
        .arrange = arrange,
        .resize = resize,
        .input = input,
        .fling = fling,
        .jump = jump,
        .scroll = scroll,
        .expect_frame = expect_frame,
        .get_row = get_row,
        .show = show,
        .key = attached->options.key ? key_of_item : NULL,
        .end = end,
        .context = attached,
    };
    attached->view = lull_gtk_view_new(widget, attached->options.factory, &list);
    if (attached->view) return make_list(attached);
    return refuse(
        LULL_INVALID, "lull_gtk_attach: view is no list, or has no GtkSignalListItemFactory");
}

lull_status lull_gtk_attach(
    GtkWidget *widget, const lull_gtk_options *options, lull_gtk **handle) {
    if (handle) *handle = NULL;
    if (!widget || !options) {
        return refuse(LULL_INVALID, "lull_gtk_attach: view or options is NULL");
    }
    struct attached *attached = g_new0(struct attached, 1);
    attached->references = 1;
    lull_status status = copy_options(options, &attached->options);
    void (*release)(void *) = attached->options.release;
    attached->options.release = NULL;
    if (status >= 0) {
        attached->loop = attached->options.loop;
        if (!attached->loop) status = take_loop(&attached->loop);
    }
    if (status >= 0) status = follow(attached, widget);
    if (status < 0) {
        if (attached->view) lull_gtk_view_close(attached->view);
        unref(attached);
        return status;
    }
    attached->options.release = release;
    attached->handle = ++last_handle;
    if (!handles) handles = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(handles, (gpointer)attached->handle, attached);
    if (handle) *handle = (lull_gtk *)attached->handle;
    lull_gtk_view_start(attached->view);
    return LULL_OK;
}

lull_status lull_gtk_close(lull_gtk *handle) {
    lull_status status;
    struct attached *attached = named(handle, &status);
    if (attached) lull_gtk_view_close(attached->view);
    return attached ? LULL_OK : refuse(status, "lull_gtk_close: handle isn't one, or has ended");
}

lull_list *lull_gtk_get_list(lull_gtk *handle) {
    lull_status status;
    const struct attached *attached = named(handle, &status);
    return attached ? attached->list : NULL;
}

lull_loop *lull_gtk_get_loop(lull_gtk *handle) {
    lull_status status;
    const struct attached *attached = named(handle, &status);
    return attached ? attached->loop : NULL;
}

#endif
