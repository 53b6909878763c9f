// A view's model, and in each frame, after GTK has laid out its widgets, its lines.
//
// GTK guesses the heights of lines that it hasn't measured, and corrects the adjustment's value
// whenever it knows better. So the list isn't told that value, but the line at the top of the view and
// the part of it that is scrolled out, by the widgets that are there.

#if defined(LULL_LIBRARY) || defined(LULL_GTK4)

#include "view.h"

#include <math.h>

/// How much lines may differ from the list's before it is told.
#define TOLERANCE 1.25
#define MOST_COLUMNS 1024
#define MOST_PX 65536.0
#define ROUNDING 0.001

// MARK: - The model

static GListModel *model_of(GtkWidget *widget) {
    GtkSelectionModel *model = NULL;
    if (GTK_IS_LIST_VIEW(widget)) model = gtk_list_view_get_model(GTK_LIST_VIEW(widget));
    if (GTK_IS_GRID_VIEW(widget)) model = gtk_grid_view_get_model(GTK_GRID_VIEW(widget));
    if (GTK_IS_COLUMN_VIEW(widget)) model = gtk_column_view_get_model(GTK_COLUMN_VIEW(widget));
    return model ? G_LIST_MODEL(model) : NULL;
}

static gboolean try_again(gpointer data);

/// Tells the list of rows that have changed. Their number is that of the model's; who they are, it asks
/// by their keys.
static void settle(lull_gtk_view *view) {
    if (view->changed_at < 0 || !is_open(view)) return;
    lull_gtk_view_ref(view);
    const int64_t count = view->model ? g_list_model_get_n_items(view->model) : 0;
    const int64_t known = view->list.count(view->list.context);
    const int64_t row = MIN(view->changed_at, MIN(count, known)), change = view->changes;
    const bool is_done = view->list.update(
        row, MAX(0, known - count), MAX(0, count - known), view->list.context);
    if (is_done && change == (int64_t)view->changes) view->changed_at = -1;
    if (!is_done && is_open(view) && !view->retry) {
        // Inside a callback of the list.
        view->retry = g_idle_add_full(
            G_PRIORITY_DEFAULT, try_again, lull_gtk_view_ref(view),
            (GDestroyNotify)lull_gtk_view_unref);
    }
    lull_gtk_view_unref(view);
}

static gboolean try_again(gpointer data) {
    lull_gtk_view *view = data;
    view->retry = 0;
    settle(view);
    return G_SOURCE_REMOVE;
}

static void change(lull_gtk_view *view, int64_t row) {
    view->changes++;
    view->changed_at = view->changed_at < 0 ? row : MIN(view->changed_at, row);
    settle(view);
}

static void items_changed(
    GListModel *model, guint position, guint removed, guint added, lull_gtk_view *view) {
    (void)model, (void)removed, (void)added;
    change(view, position);
}

static void unfollow_model(lull_gtk_view *view) {
    if (view->model) g_signal_handlers_disconnect_by_data(view->model, view);
    g_clear_object(&view->model);
}

static void model_replaced(lull_gtk_view *view) {
    unfollow_model(view);
    view->model = model_of(view->widget);
    if (view->model) {
        g_object_ref(view->model);
        g_signal_connect(view->model, "items-changed", G_CALLBACK(items_changed), view);
    }
    view->is_replaced = true;
    change(view, 0);
}

// MARK: - Lines

/// What is in view of the items whose widgets are.
struct lines {
    lull_gtk_view *view;
    GtkWidget *base;
    bool is_vertical, is_mirrored;
    double height;
    /// The starts and sizes of the first line in view, the next and the last, and their first items.
    double start, size, next_start, last_start, last_size;
    guint first, next, last;
    /// The items in view, those of the first line, and the sum of all sizes.
    int count, first_count;
    double sizes;
};

/// The widget of a list item among the view's children.
static GtkWidget *widget_in_view(GtkWidget *child) {
    GtkWidget *parent = child ? gtk_widget_get_parent(child) : NULL;
    while (parent && !GTK_IS_LIST_BASE(parent)) {
        child = parent;
        parent = gtk_widget_get_parent(child);
    }
    return parent ? child : NULL;
}

static void add_to_lines(GtkListItem *list_item, void *context) {
    struct lines *lines = context;
    GtkWidget *child = gtk_list_item_get_child(list_item);
    // Those out of view aren't placed, and not mapped either.
    if (!child || !gtk_widget_get_mapped(child)) return;
    GtkWidget *widget = widget_in_view(child);
    graphene_rect_t bounds;
    if (!widget) return;
    if (!lines->base) {
        lines->base = gtk_widget_get_parent(widget);
        lines->height = lines->is_vertical ? gtk_widget_get_height(lines->base)
                                           : gtk_widget_get_width(lines->base);
    }
    if (!gtk_widget_compute_bounds(widget, lines->base, &bounds)) return;
    const double size = lines->is_vertical ? bounds.size.height : bounds.size.width;
    double start = lines->is_vertical ? bounds.origin.y : bounds.origin.x;
    if (lines->is_mirrored) start = lines->height - start - size;
    if (size < 1 || start >= lines->height || start + size <= 0) return;
    const guint item = gtk_list_item_get_position(list_item);
    if (lines->count == 0 || start < lines->start - 0.5) {
        if (lines->count > 0) {
            lines->next_start = lines->start;
            lines->next = lines->first;
        }
        lines->start = start;
        lines->size = size;
        lines->first = item;
        lines->first_count = 0;
    } else if (start < lines->start + 0.5) {
        lines->first = MIN(lines->first, item);
    } else if (lines->next == GTK_INVALID_LIST_POSITION || start < lines->next_start - 0.5) {
        lines->next_start = start;
        lines->next = item;
    } else if (start < lines->next_start + 0.5) {
        lines->next = MIN(lines->next, item);
    }
    if (start < lines->start + 0.5) lines->first_count++;
    if (lines->count == 0 || start > lines->last_start + 0.5) {
        lines->last_start = start;
        lines->last_size = size;
        lines->last = item;
    }
    lines->count++;
    lines->sizes += size;
}

static int columns_of(lull_gtk_view *view, const struct lines *lines) {
    if (!GTK_IS_GRID_VIEW(view->widget)) return 1;
    int columns = MAX(view->columns, lines->first_count);
    if (lines->next != GTK_INVALID_LIST_POSITION && lines->next > lines->first) {
        columns = (int)MIN(lines->next - lines->first, MOST_COLUMNS);
    }
    return MIN(columns, MOST_COLUMNS);
}

/// Tells the list where it is scrolled to, with the input that has caused it.
static void scroll(lull_gtk_view *view, double offset, int64_t time) {
    const double distance = fabs(offset - view->offset);
    // In one frame, and by none of the inputs that move the list over many: it was sent there.
    const bool is_flung = fabs(lull_gtk_input_velocity(view, time / 1000)) > 1;
    const bool is_jump =
        view->is_replaced || (distance > view->height && !view->is_bar_dragged && !is_flung);
    view->offset = offset;
    if (view->has_input && distance > 0) {
        view->has_input = false;
        if (!is_jump) TELL(view, input, view->input, 0);
    }
    view->is_replaced = false;
    if (is_jump) TELL(view, jump, offset);
    TELL(view, scroll, offset, time);
    if (is_jump) TELL(view, input, LULL_INPUT_JUMP_ENDED, 0);
}

static void place(lull_gtk_view *view, int64_t time) {
    struct lines lines = {
        .view = view,
        .is_vertical = orientation_of(view) == GTK_ORIENTATION_VERTICAL,
        .next = GTK_INVALID_LIST_POSITION,
    };
    lines.is_mirrored =
        !lines.is_vertical && gtk_widget_get_direction(view->widget) == GTK_TEXT_DIR_RTL;
    lull_gtk_cells_each(view, add_to_lines, &lines);
    if (lines.count == 0) return;
    const double mean = fmin(fmax(1, lines.sizes / lines.count), MOST_PX);
    const int columns = columns_of(view, &lines);
    if (columns != view->columns || mean > view->line * TOLERANCE ||
        mean * TOLERANCE < view->line) {
        view->columns = columns;
        view->line = mean;
        TELL(view, arrange, columns, mean);
    }
    const double bottom = fmin(1, (lines.height - lines.last_start) / lines.last_size);
    const double offset = fmax(0, lines.first / columns - lines.start / lines.size) * view->line;
    const double end = (lines.last / columns + bottom) * view->line;
    // Not so high that a rounding error brings the line below into view.
    const double height = fmin(fmax(0, end - offset - ROUNDING), MOST_PX);
    if (fabs(height - view->height) >= 0.5) {
        view->height = height;
        TELL(view, resize, height);
    }
    if (!is_open(view)) return;
    GtkAdjustment *adjustment = adjustment_of(view);
    view->value = adjustment ? gtk_adjustment_get_value(adjustment) : 0;
    view->scale = view->line / mean;
    scroll(view, offset, time);
}

// MARK: - Frames

static void laid_out(GdkFrameClock *clock, lull_gtk_view *view) {
    if (!is_open(view)) return;
    lull_gtk_view_ref(view);
    const int64_t time = gdk_frame_clock_get_frame_time(clock);
    settle(view);
    if (is_open(view)) place(view, time * 1000);
    if (is_open(view)) lull_gtk_cells_frame(view);
    lull_gtk_view_unref(view);
}

static void painted(GdkFrameClock *clock, lull_gtk_view *view) {
    const int64_t time = gdk_frame_clock_get_frame_time(clock);
    int64_t interval;
    view->has_input = false;
    gdk_frame_clock_get_refresh_info(clock, time, &interval, NULL);
    TELL(view, expect_frame, (time + interval) * 1000);
}

static void unrealized(lull_gtk_view *view) {
    if (!view->clock) return;
    lull_gtk_input_unfollow(view);
    g_signal_handlers_disconnect_by_data(view->clock, view);
    g_clear_object(&view->clock);
}

static void realized(lull_gtk_view *view) {
    unrealized(view);
    view->clock = gtk_widget_get_frame_clock(view->widget);
    if (!view->clock) return;
    g_object_ref(view->clock);
    // GTK's own handler of this signal is there already, and is called before.
    g_signal_connect(view->clock, "layout", G_CALLBACK(laid_out), view);
    g_signal_connect(view->clock, "after-paint", G_CALLBACK(painted), view);
    lull_gtk_input_follow(view);
}

// MARK: - Factories

/// The first column of a view; to be unreferenced.
static GtkColumnViewColumn *first_column(GtkWidget *widget) {
    return g_list_model_get_item(gtk_column_view_get_columns(GTK_COLUMN_VIEW(widget)), 0);
}

static GtkListItemFactory *factory_of(GtkWidget *widget) {
    GtkListItemFactory *factory = NULL;
    if (GTK_IS_LIST_VIEW(widget)) factory = gtk_list_view_get_factory(GTK_LIST_VIEW(widget));
    if (GTK_IS_GRID_VIEW(widget)) factory = gtk_grid_view_get_factory(GTK_GRID_VIEW(widget));
    if (GTK_IS_COLUMN_VIEW(widget)) {
        GtkColumnViewColumn *column = first_column(widget);
        factory = column ? gtk_column_view_column_get_factory(column) : NULL;
        g_clear_object(&column);
    }
    return factory;
}

/// Has everything that is bound already bound again.
static void bind_again(lull_gtk_view *view) {
    GtkListItemFactory *factory = g_object_ref(view->factory);
    GtkWidget *widget = g_object_ref(view->widget);
    view->binds_again = true;
    if (GTK_IS_LIST_VIEW(widget)) {
        gtk_list_view_set_factory(GTK_LIST_VIEW(widget), NULL);
        gtk_list_view_set_factory(GTK_LIST_VIEW(widget), factory);
    } else if (GTK_IS_GRID_VIEW(widget)) {
        gtk_grid_view_set_factory(GTK_GRID_VIEW(widget), NULL);
        gtk_grid_view_set_factory(GTK_GRID_VIEW(widget), factory);
    } else {
        GListModel *columns = gtk_column_view_get_columns(GTK_COLUMN_VIEW(widget));
        for (guint i = 0; i < g_list_model_get_n_items(columns); i++) {
            GtkColumnViewColumn *column = g_list_model_get_item(columns, i);
            if (gtk_column_view_column_get_factory(column) == factory) {
                // GTK 4.8 doesn't bind its cells again for another factory.
                gtk_column_view_remove_column(GTK_COLUMN_VIEW(widget), column);
                gtk_column_view_insert_column(GTK_COLUMN_VIEW(widget), i, column);
            }
            g_object_unref(column);
        }
    }
    view->binds_again = false;
    g_object_unref(widget);
    g_object_unref(factory);
}

/// The view has another factory, of which what is bound isn't known.
static void factory_replaced(lull_gtk_view *view) {
    GtkListItemFactory *factory = factory_of(view->widget);
    if (view->is_factory_given || view->binds_again || factory == view->factory) return;
    if (!factory || !GTK_IS_SIGNAL_LIST_ITEM_FACTORY(factory)) {
        lull_gtk_cells_follow(view, NULL);
        return;
    }
    lull_gtk_cells_follow(view, factory);
    bind_again(view);
}

// MARK: - Life

lull_gtk_view *lull_gtk_view_ref(lull_gtk_view *view) {
    view->references++;
    return view;
}

void lull_gtk_view_unref(lull_gtk_view *view) {
    if (--view->references > 0) return;
    lull_gtk_cells_clear(view);
    g_hash_table_unref(view->entries);
    g_hash_table_unref(view->bound);
    g_free(view);
}

lull_gtk_view *lull_gtk_view_new(
    GtkWidget *widget, GtkListItemFactory *factory, const lull_gtk_list *list) {
    if (!GTK_IS_LIST_VIEW(widget) && !GTK_IS_GRID_VIEW(widget) && !GTK_IS_COLUMN_VIEW(widget)) {
        return NULL;
    }
    const bool is_given = factory != NULL;
    if (!factory) factory = factory_of(widget);
    if (!factory || !GTK_IS_SIGNAL_LIST_ITEM_FACTORY(factory)) return NULL;
    lull_gtk_view *view = g_new0(lull_gtk_view, 1);
    view->references = 1;
    view->list = *list;
    view->widget = widget;
    view->is_factory_given = is_given;
    view->changed_at = -1;
    view->scale = 1;
    lull_gtk_cells_init(view);
    lull_gtk_cells_follow(view, factory);
    return view;
}

void lull_gtk_view_start(lull_gtk_view *view) {
    lull_gtk_view_ref(view);
    view->has_started = true;
    const char *factory = GTK_IS_COLUMN_VIEW(view->widget) ? NULL : "notify::factory";
    g_signal_connect_swapped(
        view->widget, "destroy", G_CALLBACK(lull_gtk_view_close), view);
    g_signal_connect_swapped(
        view->widget, "notify::model", G_CALLBACK(model_replaced), view);
    g_signal_connect_swapped(view->widget, "realize", G_CALLBACK(realized), view);
    g_signal_connect_swapped(view->widget, "unrealize", G_CALLBACK(unrealized), view);
    if (factory) {
        g_signal_connect_swapped(view->widget, factory, G_CALLBACK(factory_replaced), view);
    }
    model_replaced(view);
    if (is_open(view) && gtk_widget_get_realized(view->widget)) realized(view);
    if (is_open(view) && gtk_widget_get_first_child(view->widget)) bind_again(view);
    lull_gtk_view_unref(view);
}

void lull_gtk_view_close(lull_gtk_view *view) {
    if (view->has_ended) return;
    lull_gtk_view_ref(view);
    if (view->has_started) lull_gtk_cells_hide_all(view);
    if (!view->has_ended) {
        view->has_ended = true;
        unrealized(view);
        unfollow_model(view);
        lull_gtk_cells_follow(view, NULL);
        g_signal_handlers_disconnect_by_data(view->widget, view);
        view->widget = NULL;
        if (view->retry) g_source_remove(view->retry);
        view->retry = 0;
        lull_gtk_cells_clear(view);
        if (view->has_started) view->list.end(view->list.context);
    }
    lull_gtk_view_unref(view);
}

#endif
