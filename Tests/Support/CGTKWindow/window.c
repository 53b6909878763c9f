#ifdef LULL_GTK4

#include "window.h"

#include <gtk/gtk.h>

static GtkWidget *window, *scrolled;
static GtkStringList *strings;
static int last;

static void setup(GtkListItemFactory *factory, GtkListItem *list_item) {
    (void)factory;
    GtkWidget *label = gtk_label_new("");
    gtk_widget_set_size_request(label, 90, 30);
    gtk_list_item_set_child(list_item, label);
}

void window_insert(int count) {
    char **texts = g_new0(char *, (gsize)count + 1);
    for (int i = 0; i < count; i++) texts[i] = g_strdup_printf("%d", last++);
    gtk_string_list_splice(strings, 0, 0, (const char *const *)texts);
    g_strfreev(texts);
}

void *window_open(int count) {
    if (!gtk_init_check()) return NULL;
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
    strings = gtk_string_list_new(NULL);
    window_insert(count);
    GtkSelectionModel *model =
        GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(strings)));
    GtkWidget *grid = gtk_grid_view_new(model, factory);
    window = gtk_window_new();
    scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), grid);
    gtk_window_set_child(GTK_WINDOW(window), scrolled);
    gtk_window_set_default_size(GTK_WINDOW(window), 320, 400);
    gtk_window_present(GTK_WINDOW(window));
    return grid;
}

void window_iterate(void) {
    g_main_context_iteration(NULL, TRUE);
}

const char *window_text(void *item) {
    return gtk_string_object_get_string(item);
}

void window_show(void *list_item, const char *text) {
    gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(list_item)), text);
}

void window_scroll(double offset) {
    GtkAdjustment *adjustment =
        gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled));
    // GTK 4.8.3 shows nothing after a jump until it is scrolled again.
    gtk_adjustment_set_value(adjustment, offset + 1);
    gtk_adjustment_set_value(adjustment, offset);
}

void window_close(void) {
    gtk_window_destroy(GTK_WINDOW(window));
}

#endif
