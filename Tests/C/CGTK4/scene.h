/* A window with a list of strings, and what is checked of it in each frame. */

#ifndef SCENE_H
#define SCENE_H

#include <lull-gtk4.h>
#include <stdbool.h>

#include "../check.h"

enum kind { LIST, ROW_OF_LISTS, GRID, COLUMNS, KINDS };

/* What a callback does to its own scene, once. */
enum act {
    NOTHING,
    CLOSE_HANDLE,
    DESTROY_WINDOW,
    SWAP_MODEL,
    NO_MODEL,
    INSERT,
    REMOVE,
    SWAP_FACTORY,
    DESTROY_VIEW,
    ACTS
};

/* The place in which it does so. */
enum place { IN_LOAD, IN_SHOW, IN_DROP, IN_KEY, IN_BIND, PLACES };

struct scene {
    enum kind kind;
    GtkWidget *window, *scrolled, *view;
    GtkStringList *strings;
    GtkListItemFactory *factory;
    lull_gtk *handle;
    /* Loads that have begun, that are done, and values that exist; calls of release. */
    int begun, done, values, released, shown;
    /* The list items that are bound. */
    GHashTable *bound;
    bool never_loads, heights_differ, keeps_few;
    enum act act;
    enum place place;
    int acts_after;
};

/* What differs from other scenes. */
struct setting {
    enum act act;
    enum place place;
    int acts_after;
    bool has_keys, keeps_few, is_attached_late;
};

/* Makes a scene of `count` strings in a window, attached before it is shown. */
struct scene *scene_new(enum kind kind, guint count);
struct scene *scene_with(enum kind kind, guint count, struct setting setting);

/* Attaches a list with what the scene has. */
void scene_attach(struct scene *scene, bool has_keys);

/* Ends it; checks that nothing is left. */
void scene_free(struct scene *scene);

/* Runs the loop until a condition holds of a scene; also while a callback of it runs. */
void wait_until(bool (*holds)(struct scene *scene), struct scene *scene);

/* Whether all in view are loaded, and the list knows which they are. */
bool is_loaded(struct scene *scene);

/* Strings that no list has. */
GtkStringList *new_strings(guint count);
void insert_strings(GtkStringList *strings, guint position, guint count);

/* The adjustment of its scrolled window, and its value. */
GtkAdjustment *scene_adjustment(struct scene *scene);
double scene_value(struct scene *scene);

/* Scrolls by a pixel. */
void scroll_again(struct scene *scene);

#endif
