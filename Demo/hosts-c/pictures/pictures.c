// A grid of 100,000 pictures in GTK 4, which decodes JPEG files while it scrolls:
//
//     pictures [--work lull|idle|threads|none] FOLDER    shows the photos of a folder
//     pictures --measure [--count N] FOLDER              flings the grid until 500 pictures are
//                                                        loaded, or N, says how many frames were
//                                                        late, and ends; status 1 if it takes more
//                                                        than a minute
//     pictures --compare FOLDER                          measures all four ways; status 1 also if a
//                                                        frame was late with Lull

#include <gtk/gtk.h>
#include <stdbool.h>

#include "frames.h"
#include "loader.h"
#include "photos.h"

#define MOST_SECONDS 60
#define SECONDS_WITHOUT_WORK 15

static char *work = "lull";
static gboolean measures, compares;
static int pictures = 500;

static GOptionEntry options[] = {
    {"work", 0, 0, G_OPTION_ARG_STRING, &work, "What loads: lull, idle, threads, none", "WAY"},
    {"measure", 0, 0, G_OPTION_ARG_NONE, &measures, "Fling, count late frames, and end", NULL},
    {"count", 0, 0, G_OPTION_ARG_INT, &pictures, "The number of pictures to load", "N"},
    {"compare", 0, 0, G_OPTION_ARG_NONE, &compares, "Measure all ways", NULL},
    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL},
};

struct program {
    GMainLoop *loop;
    GtkWidget *scrolled;
    struct loader *loader;
    struct frames frames;
};

static void leave(void *context) {
    g_main_loop_quit(((struct program *)context)->loop);
}

static gboolean begin(gpointer context) {
    struct program *program = context;
    double seconds = program->loader ? MOST_SECONDS : SECONDS_WITHOUT_WORK;
    frames_begin(
        GTK_SCROLLED_WINDOW(program->scrolled), program->loader, pictures, seconds, &program->frames, leave, program);
    return G_SOURCE_REMOVE;
}

static gboolean window_closed(GtkWindow *window, gpointer context) {
    (void)window;
    leave(context);
    return TRUE;
}

static struct loader *make_loader(GtkGridView *grid) {
    if (!strcmp(work, "lull")) return loader_in_lulls(grid);
    if (!strcmp(work, "idle")) return loader_in_idle_callbacks(grid);
    if (!strcmp(work, "threads")) return loader_on_threads(grid);
    return NULL;
}

static void setup(GtkListItemFactory *factory, GtkListItem *list_item) {
    (void)factory;
    GtkWidget *picture = gtk_picture_new();
    gtk_widget_set_size_request(picture, PICTURE_WIDTH, PICTURE_HEIGHT);
    gtk_list_item_set_child(list_item, picture);
}

static GtkWidget *make_grid(GListModel *photos) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
    GtkSelectionModel *selection = GTK_SELECTION_MODEL(gtk_single_selection_new(photos));
    GtkWidget *grid = gtk_grid_view_new(selection, factory);
    // GTK has thirty widgets for each column that there may be, and measures all for each picture.
    gtk_grid_view_set_max_columns(GTK_GRID_VIEW(grid), 4);
    return grid;
}

static GtkWidget *make_window(struct program *program, GListModel *photos) {
    GtkWidget *window = gtk_window_new(), *grid = make_grid(photos);
    program->loader = make_loader(GTK_GRID_VIEW(grid));
    program->scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(program->scrolled), grid);
    gtk_window_set_child(GTK_WINDOW(window), program->scrolled);
    gtk_window_set_title(GTK_WINDOW(window), "Pictures");
    gtk_window_set_default_size(GTK_WINDOW(window), 320, 600);
    g_signal_connect(window, "close-request", G_CALLBACK(window_closed), program);
    return window;
}

/// Returns whether all pictures were loaded.
static bool report(const struct program *program) {
    const struct frames *frames = &program->frames;
    int loaded = program->loader ? program->loader->loaded : 0;
    g_print(
        "%-8s %4d pictures, %5d frames, %4d late, longest %5.1f ms, %4.1f s\n", work, loaded,
        frames->count, frames->late, frames->longest, frames->time);
    return !program->loader || loaded >= pictures;
}

/// Shows the window until it's closed, or its frames are measured.
static bool show(GListModel *photos) {
    struct program program = {.loop = g_main_loop_new(NULL, FALSE)};
    GtkWidget *window = make_window(&program, photos);
    gtk_window_present(GTK_WINDOW(window));
    if (measures) g_timeout_add(500, begin, &program);
    g_main_loop_run(program.loop);
    bool is_well = !measures || report(&program);
    gtk_window_destroy(GTK_WINDOW(window));
    if (program.loader) program.loader->free(program.loader);
    g_main_loop_unref(program.loop);
    return is_well;
}

/// Measures each way in a process of its own; returns whether none failed, and no frame of Lull's
/// was late.
static bool compare(char *folder) {
    char *ways[] = {"none", "lull", "idle", "threads"};
    bool is_well = true;
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        char count[16];
        g_snprintf(count, sizeof count, "%d", pictures);
        char *line[] = {
            "/proc/self/exe", "--measure", "--count", count, "--work", ways[i], folder, NULL};
        char *output = NULL;
        int status = 1, late = 0;
        g_spawn_sync(NULL, line, NULL, 0, NULL, NULL, &output, NULL, &status, NULL);
        g_print("%s", output ? output : "");
        is_well = is_well && status == 0 && output &&
                  sscanf(output, "%*s %*d pictures, %*d frames, %d", &late) == 1;
        is_well = is_well && (late == 0 || strcmp(ways[i], "lull"));
        g_free(output);
    }
    return is_well;
}

int main(int argc, char **argv) {
    GOptionContext *line = g_option_context_new("FOLDER");
    GError *error = NULL;
    g_option_context_add_main_entries(line, options, NULL);
    if (!g_option_context_parse(line, &argc, &argv, &error) || argc != 2) {
        g_printerr("%s\n", error ? error->message : "pictures FOLDER");
        return 64;
    }
    g_option_context_free(line);
    if (compares) return compare(argv[1]) ? 0 : 1;
    GListModel *photos = photos_open(argv[1]);
    if (!photos) {
        g_printerr("%s: no JPEG files\n", argv[1]);
        return 1;
    }
    if (!gtk_init_check()) {
        g_printerr("can't open the display\n");
        return 69;
    }
    return show(photos) ? 0 : 1;
}
