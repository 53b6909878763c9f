#include "photos.h"

#include <stdlib.h>

#define MOST_FILES 1000

static char *paths[MOST_FILES];
static guint files;

// MARK: - A photo

struct _PhotoItem {
    GObject parent;
    guint number;
};

G_DEFINE_FINAL_TYPE(PhotoItem, photo_item, G_TYPE_OBJECT)

static void photo_item_init(PhotoItem *item) {
    (void)item;
}

static void photo_item_class_init(PhotoItemClass *type) {
    (void)type;
}

const char *photo_item_path(PhotoItem *item) {
    return paths[item->number % files];
}

// MARK: - The model

#define TYPE_PHOTOS (photos_get_type())
G_DECLARE_FINAL_TYPE(Photos, photos, DEMO, PHOTOS, GObject)

struct _Photos {
    GObject parent;
    /// The items that exist, by their numbers. The model has no reference to them.
    GHashTable *items;
};

static void forget(gpointer photos, GObject *item) {
    GHashTable *items = ((Photos *)photos)->items;
    g_hash_table_remove(items, GUINT_TO_POINTER(((PhotoItem *)item)->number));
}

static GType get_item_type(GListModel *model) {
    (void)model;
    return TYPE_PHOTO;
}

static guint get_n_items(GListModel *model) {
    (void)model;
    return PHOTOS;
}

/// Makes an item, or returns the one that exists: it is the same as long as somebody has it.
static gpointer get_item(GListModel *model, guint position) {
    Photos *photos = DEMO_PHOTOS(model);
    if (position >= PHOTOS) return NULL;
    PhotoItem *item = g_hash_table_lookup(photos->items, GUINT_TO_POINTER(position));
    if (item) return g_object_ref(item);
    item = g_object_new(TYPE_PHOTO, NULL);
    item->number = position;
    g_object_weak_ref(G_OBJECT(item), forget, photos);
    g_hash_table_insert(photos->items, GUINT_TO_POINTER(position), item);
    return item;
}

static void implement(GListModelInterface *model) {
    model->get_item_type = get_item_type;
    model->get_n_items = get_n_items;
    model->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(
    Photos, photos, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, implement))

static void photos_init(Photos *photos) {
    photos->items = g_hash_table_new(NULL, NULL);
}

static void finalize(GObject *object) {
    Photos *photos = DEMO_PHOTOS(object);
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, photos->items);
    while (g_hash_table_iter_next(&iterator, NULL, &item)) {
        g_object_weak_unref(item, forget, photos);
    }
    g_hash_table_unref(photos->items);
    G_OBJECT_CLASS(photos_parent_class)->finalize(object);
}

static void photos_class_init(PhotosClass *type) {
    G_OBJECT_CLASS(type)->finalize = finalize;
}

// MARK: - Files

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/// Whether a file is a JPEG, by the extension of its name.
static gboolean is_jpeg(const char *name) {
    static const char *const endings[] = {
        "jpg", "jpeg", "jpe", "jif", "jfif", "jfi", "pjp", "pjpeg",
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < G_N_ELEMENTS(endings); i++)
        if (!g_ascii_strcasecmp(dot + 1, endings[i])) return TRUE;
    return FALSE;
}

GListModel *photos_open(const char *folder) {
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && files < MOST_FILES && (name = g_dir_read_name(dir))) {
        if (is_jpeg(name)) paths[files++] = g_build_filename(folder, name, NULL);
    }
    if (dir) g_dir_close(dir);
    qsort(paths, files, sizeof *paths, compare);
    return files > 0 ? G_LIST_MODEL(g_object_new(TYPE_PHOTOS, NULL)) : NULL;
}
