/* Lists of GTK 4, under an X server of their own: what people do with them, and what programs do in
   the wrong order. `main TEST` runs one test. */

#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int failures;

/* Has the X server's input made by a program. */
static void type(const char *arguments) {
    char *line = g_strdup_printf("xdotool %s", arguments);
    GError *error = NULL;
    int status = 1;
    CHECK(g_spawn_command_line_sync(line, NULL, NULL, &status, &error) && status == 0);
    g_free(line);
}

static double offset_before;

static lull_list *list_of(struct scene *scene) {
    return lull_gtk_get_list(scene->handle);
}

static double offset_of(struct scene *scene) {
    return lull_list_offset(list_of(scene));
}

/* Whether the list has followed a scroll. */
static bool has_moved(struct scene *scene) {
    return offset_of(scene) != offset_before && is_loaded(scene);
}

/* MARK: - What people do */

static void test_kinds(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        for (int has_keys = 0; has_keys < 2; has_keys++) {
            struct scene *scene = scene_with(
                kind, 10000, (struct setting){.has_keys = has_keys});
            wait_until(is_loaded, scene);
            CHECK(lull_list_count(list_of(scene)) == 10000);
            CHECK(scene->begun < 1000);
            scene_free(scene);
        }
    }
}

static void test_wheel(void) {
    struct scene *scene = scene_new(GRID, 10000);
    wait_until(is_loaded, scene);
    type("mousemove 100 200");
    for (int i = 0; i < 5; i++) {
        offset_before = offset_of(scene);
        type("click --repeat 3 --delay 20 5");
        wait_until(has_moved, scene);
    }
    CHECK(fabs(offset_of(scene) - scene_value(scene)) < 0.01);
    offset_before = offset_of(scene);
    type("click --repeat 5 --delay 5 4");
    scroll_again(scene);
    wait_until(has_moved, scene);
    scene_free(scene);
}

static void test_scroll_bar(void) {
    struct scene *scene = scene_new(GRID, 100000);
    wait_until(is_loaded, scene);
    offset_before = 0;
    type("mousemove 314 12 mousedown 1 mousemove 314 60 mousemove 314 120");
    scroll_again(scene);
    wait_until(has_moved, scene);
    offset_before = offset_of(scene);
    type("mousemove 314 220 mousemove 314 300 mouseup 1");
    scroll_again(scene);
    wait_until(has_moved, scene);
    CHECK(scene_value(scene) > 100000);
    CHECK(scene->begun < 2000);
    scene_free(scene);
}

static void test_keyboard(void) {
    struct scene *scene = scene_new(GRID, 10000);
    wait_until(is_loaded, scene);
    type("mousemove 100 200 click 1");
    const char *const keys[] = {"Next", "Next", "End", "Prior Prior", "Home"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        offset_before = offset_of(scene);
        char *line = g_strdup_printf("key %s", keys[i]);
        type(line);
        g_free(line);
        wait_until(has_moved, scene);
    }
    CHECK(scene->begun < 1000);
    scene_free(scene);
}

static int width_then;

static bool is_as_wide(struct scene *scene) {
    return gtk_widget_get_width(scene->window) == width_then && is_loaded(scene);
}

static void test_resize(void) {
    struct scene *scene = scene_new(GRID, 10000);
    wait_until(is_loaded, scene);
    offset_before = 0;
    gtk_adjustment_set_value(scene_adjustment(scene), 1500);
    wait_until(has_moved, scene);
    for (int width = 200; width <= 340; width += 35) {
        width_then = width;
        char *line =
            g_strdup_printf("search --name scene windowsize %d %d", width, 500 - width);
        type(line);
        g_free(line);
        wait_until(is_as_wide, scene);
    }
    scene_free(scene);
}

static GtkGesture *gesture(struct scene *scene, GType type) {
    GListModel *controllers = gtk_widget_observe_controllers(scene->scrolled);
    GtkGesture *found = NULL;
    for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
        GtkGesture *controller = g_list_model_get_item(controllers, i);
        if (G_OBJECT_TYPE(controller) == type) found = controller;
        g_object_unref(controller);
    }
    g_object_unref(controllers);
    return found;
}

static double landing;

static bool has_landed(struct scene *scene) {
    return fabs(offset_of(scene) - landing) < 2 && is_loaded(scene);
}

/* A finger moves the window by its gestures, twice, so that the second fling adds to the first. */
static void test_fling(void) {
    for (int heights_differ = 0; heights_differ < 2; heights_differ++) {
        struct scene *scene = scene_new(LIST, 100000);
        scene->heights_differ = heights_differ;
        wait_until(is_loaded, scene);
        GtkGesture *drag = gesture(scene, GTK_TYPE_GESTURE_DRAG);
        GtkGesture *swipe = gesture(scene, GTK_TYPE_GESTURE_SWIPE);
        double target = 0;
        for (int i = 0; i < 2; i++) {
            offset_before = offset_of(scene);
            g_signal_emit_by_name(drag, "drag-begin", 100.0, 300.0);
            g_signal_emit_by_name(drag, "drag-update", 0.0, -100.0);
            wait_until(has_moved, scene);
            g_signal_emit_by_name(swipe, "swipe", 0.0, -1600.0);
            g_signal_emit_by_name(drag, "drag-end", 0.0, -100.0);
            target = scene_value(scene) + 400;
            CHECK(lull_list_landing(list_of(scene), &landing) == LULL_OK);
            if (i == 0 && !heights_differ) CHECK(fabs(landing - target) < 1);
            if (i == 1 && !heights_differ) CHECK(landing > target + 100);
        }
        if (heights_differ) {
            offset_before = offset_of(scene);
            wait_until(has_moved, scene);
        } else {
            wait_until(has_landed, scene);
        }
        scene_free(scene);
    }
}

/* MARK: - Changes */

static void test_insertion(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct scene *scene = scene_new(kind, 10000);
        wait_until(is_loaded, scene);
        gtk_adjustment_set_value(scene_adjustment(scene), 1500);
        scroll_again(scene);
        offset_before = 0;
        wait_until(has_moved, scene);
        int64_t first, then;
        lull_list_visible(list_of(scene), &first);
        const int begun = scene->begun;
        insert_strings(scene->strings, 0, 1000);
        CHECK(lull_list_count(list_of(scene)) == 11000);
        wait_until(is_loaded, scene);
        lull_list_visible(list_of(scene), &then);
        
        CHECK(llabs(then - first - 1000) < 20);
        // What was in view has its values still: at most a line of a grid has come into view.
        CHECK(scene->begun - begun < 100);
        const char *none[] = {NULL};
        gtk_string_list_splice(scene->strings, 500, 10000, none);
        wait_until(is_loaded, scene);
        gtk_string_list_splice(scene->strings, 0, 1000, none);
        while (g_main_context_iteration(NULL, FALSE)) continue;
        CHECK(lull_list_count(list_of(scene)) == 0);
        insert_strings(scene->strings, 0, 3);
        wait_until(is_loaded, scene);
        scene_free(scene);
    }
}

static void test_swap(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct scene *scene = scene_new(kind, 10000);
        for (int i = 0; i < 3; i++) {
            wait_until(is_loaded, scene);
            scene->act = i == 2 ? SWAP_FACTORY : SWAP_MODEL;
            scene->place = IN_LOAD;
            scene->acts_after = 7 * i;
            insert_strings(scene->strings, 0, 1000);
        }
        wait_until(is_loaded, scene);
        scene_free(scene);
    }
}

/* A hundred thousand items are inserted and removed at once. */
static void test_many(void) {
    struct scene *scene = scene_new(GRID, 10);
    wait_until(is_loaded, scene);
    insert_strings(scene->strings, 5, 100000);
    wait_until(is_loaded, scene);
    const char *none[] = {NULL};
    gtk_string_list_splice(scene->strings, 1, 100000, none);
    wait_until(is_loaded, scene);
    scene_free(scene);
}

/* MARK: - Lives */

static bool has_begun(struct scene *scene) {
    return scene->begun > 0;
}

/* A window that is closed while its items are loaded. */
static void test_closing(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct scene *scene = scene_new(kind, 10000);
        scene->never_loads = true;
        wait_until(has_begun, scene);
        scene_free(scene);
        scene = scene_new(kind, 10000);
        scene_free(scene);
        scene = scene_new(kind, 10000);
        wait_until(is_loaded, scene);
        CHECK(lull_gtk_close(scene->handle) == LULL_OK);
        CHECK(scene->values == 0 && scene->released == 1);
        CHECK(lull_gtk_get_list(scene->handle) == NULL);
        scene_free(scene);
    }
}

static bool has_acted(struct scene *scene) {
    return scene->act == NOTHING;
}

static bool is_detached(struct scene *scene) {
    return lull_gtk_get_list(scene->handle) == NULL;
}

static bool has_acted_or_loaded(struct scene *scene) {
    return has_acted(scene) || is_loaded(scene);
}

/* Each act from inside a load, and the end of the handle from inside all other callbacks. */
static void test_acts(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        for (enum place place = 0; place < PLACES; place++) {
            for (enum act act = CLOSE_HANDLE; act < ACTS; act++) {
                if (place != IN_LOAD && act != CLOSE_HANDLE) continue;
                if (kind == COLUMNS && act == SWAP_FACTORY) continue;
                for (int after = 0; after < 10; after += 9) {
                    const struct setting setting = {
                        .act = act,
                        .place = place,
                        .acts_after = after,
                        .has_keys = place == IN_KEY,
                        .keeps_few = place == IN_DROP,
                    };
                    struct scene *scene = scene_with(kind, 2000, setting);
                    for (int i = 0; place == IN_DROP && !has_acted(scene) && i < 200; i++) {
                        wait_until(has_acted_or_loaded, scene);
                        gtk_adjustment_set_value(scene_adjustment(scene), 40 * i);
                    }
                    wait_until(has_acted, scene);
                    const bool is_gone =
                        act == CLOSE_HANDLE || act == DESTROY_WINDOW || act == DESTROY_VIEW;
                    if (!is_gone) scroll_again(scene);
                    if (act != NO_MODEL) wait_until(is_gone ? is_detached : is_loaded, scene);
                    scene_free(scene);
                }
            }
        }
    }
}

/* A list that is attached to a view which is shown already, and one more on the same factory. */
static void test_late(void) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct scene *scene =
            scene_with(kind, 3000, (struct setting){.is_attached_late = true});
        while (!gtk_widget_get_mapped(scene->view)) g_main_context_iteration(NULL, TRUE);
        while (g_main_context_iteration(NULL, FALSE)) continue;
        scene_attach(scene, false);
        wait_until(is_loaded, scene);
        lull_gtk *first = scene->handle;
        CHECK(lull_gtk_close(first) == LULL_OK);
        CHECK(lull_gtk_close(first) == LULL_STALE);
        CHECK(scene->released == 1 && scene->values == 0);
        scene->released = 0;
        scene_attach(scene, true);
        CHECK(scene->handle != first);
        wait_until(is_loaded, scene);
        scene_free(scene);
    }
}

static lull_progress fail(
    const lull_slot *slot, lull_load *load, GObject *item, void *context) {
    (void)slot, (void)load, (void)item, (void)context;
    return LULL_FAILED;
}

static void test_arguments(void) {
    lull_gtk_options options;
    lull_gtk *handle = (lull_gtk *)7;
    GtkWidget *list = g_object_ref_sink(gtk_list_view_new(NULL, NULL));
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    lull_gtk_options_init(NULL, 0);
    lull_gtk_options_init(&options, sizeof options);
    CHECK(lull_gtk_attach(NULL, &options, &handle) == LULL_INVALID && !handle);
    CHECK(lull_gtk_attach(list, NULL, &handle) == LULL_INVALID);
    CHECK(lull_gtk_attach(list, &options, &handle) == LULL_INVALID);
    options.load = fail;
    CHECK(lull_gtk_attach(label, &options, &handle) == LULL_INVALID);
    // It has no factory.
    CHECK(lull_gtk_attach(list, &options, &handle) == LULL_INVALID);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    gtk_list_view_set_factory(GTK_LIST_VIEW(list), factory);
    struct {
        lull_gtk_options options;
        int later;
    } longer = {options, 1};
    longer.options.size = sizeof longer;
    CHECK(lull_gtk_attach(list, &longer.options, &handle) == LULL_UNSUPPORTED);
    lull_list_options limits;
    lull_list_options_init(&limits, sizeof limits);
    limits.limit = -1;
    options.list = &limits;
    CHECK(lull_gtk_attach(list, &options, &handle) == LULL_INVALID);
    options.list = NULL;
    options.loop = (lull_loop *)3;
    CHECK(lull_gtk_attach(list, &options, &handle) < 0);
    options.loop = NULL;
    CHECK(lull_gtk_attach(list, &options, NULL) == LULL_OK);
    CHECK(lull_gtk_attach(list, &options, &handle) == LULL_OK);
    CHECK(lull_gtk_get_list(handle) && lull_gtk_get_loop(handle));
    lull_loop *loop = lull_gtk_get_loop(handle);
    CHECK(lull_gtk_close(NULL) == LULL_INVALID);
    CHECK(lull_gtk_close((lull_gtk *)list) == LULL_INVALID);
    CHECK(lull_gtk_get_list(NULL) == NULL);
    g_object_unref(list);
    CHECK(lull_gtk_close(handle) == LULL_STALE);
    // Nobody uses the loop any more.
    CHECK(lull_poke(loop) == LULL_STALE);
    g_object_unref(factory);
    g_object_unref(label);
}

/* A loop of the program's own that is closed before the view is. */
static void test_loop(void) {
    lull_loop *loop;
    lull_gtk *handle;
    lull_gtk_options options;
    CHECK(lull_adopt_glib(NULL, 200, &loop) == LULL_OK);
    lull_gtk_options_init(&options, sizeof options);
    options.load = fail;
    options.loop = loop;
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    GListModel *strings = G_LIST_MODEL(new_strings(100));
    GtkWidget *window = gtk_window_new();
    GtkWidget *list =
        gtk_list_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(strings)), factory);
    CHECK(lull_gtk_attach(list, &options, &handle) == LULL_OK);
    CHECK(lull_gtk_get_loop(handle) == loop);
    gtk_window_set_child(GTK_WINDOW(window), list);
    gtk_window_present(GTK_WINDOW(window));
    while (!gtk_widget_get_mapped(list)) g_main_context_iteration(NULL, TRUE);
    CHECK(lull_close(loop) == LULL_OK);
    gtk_string_list_append(GTK_STRING_LIST(strings), "another");
    while (g_main_context_iteration(NULL, FALSE)) continue;
    gtk_window_destroy(GTK_WINDOW(window));
    CHECK(lull_gtk_close(handle) == LULL_STALE);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"kinds", test_kinds},
        {"wheel", test_wheel},
        {"scroll-bar", test_scroll_bar},
        {"keyboard", test_keyboard},
        {"resize", test_resize},
        {"fling", test_fling},
        {"insertion", test_insertion},
        {"swap", test_swap},
        {"many", test_many},
        {"closing", test_closing},
        {"acts", test_acts},
        {"late", test_late},
        {"arguments", test_arguments},
        {"loop", test_loop},
    };
    if (!gtk_init_check()) return 69;
    for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name)) continue;
        fprintf(stderr, "%s\n", tests[i].name);
        tests[i].run();
    }
    fprintf(stderr, "%d failures\n", failures);
    return failures ? 1 : 0;
}
