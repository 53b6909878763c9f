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

guint photo_item_number(PhotoItem *item) {
    return item->number;
}

const char *photo_item_path(PhotoItem *item) {
    return paths[item->number % files];
}

GdkTexture *photo_item_texture(PhotoItem *item, struct photo *photo) {
    int width = photo_width(photo), height = photo_height(photo);
    gsize size = (gsize)width * (gsize)height * 4;
    uint8_t *pixels = photo_take_pixels(photo);
    // Three weights of 3/4 to 1, which together are different for many photos.
    for (gsize i = 0; i < size; i++) {
        guint weight = 192 + item->number * (7 + 6 * (guint)(i % 4)) % 64;
        if (i % 4 < 3) pixels[i] = (uint8_t)(pixels[i] * weight / 255);
    }
    GBytes *bytes = g_bytes_new_with_free_func(pixels, size, free, pixels);
    GdkTexture *texture = gdk_memory_texture_new(
        width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, (gsize)width * 4);
    g_bytes_unref(bytes);
    return texture;
}

// MARK: - The model

#define TYPE_PHOTOS (photos_get_type())
G_DECLARE_FINAL_TYPE(Photos, photos, DEMO, PHOTOS, GObject)

struct _Photos {
    GObject parent;
    /// How many were inserted at the top.
    guint inserted;
    /// The items that exist, by their numbers. The model has no reference to them.
    GHashTable *items;
};

static guint number_at(const Photos *photos, guint position) {
    return position < photos->inserted ? PHOTOS + position : position - photos->inserted;
}

static void forget(gpointer photos, GObject *item) {
    GHashTable *items = ((Photos *)photos)->items;
    g_hash_table_remove(items, GUINT_TO_POINTER(((PhotoItem *)item)->number));
}

static GType get_item_type(GListModel *model) {
    (void)model;
    return TYPE_PHOTO;
}

static guint get_n_items(GListModel *model) {
    return PHOTOS + DEMO_PHOTOS(model)->inserted;
}

/// Makes an item, or returns the one that exists: it is the same as long as somebody has it.
static gpointer get_item(GListModel *model, guint position) {
    Photos *photos = DEMO_PHOTOS(model);
    if (position >= get_n_items(model)) return NULL;
    guint number = number_at(photos, position);
    PhotoItem *item = g_hash_table_lookup(photos->items, GUINT_TO_POINTER(number));
    if (item) return g_object_ref(item);
    item = g_object_new(TYPE_PHOTO, NULL);
    item->number = number;
    g_object_weak_ref(G_OBJECT(item), forget, photos);
    g_hash_table_insert(photos->items, GUINT_TO_POINTER(number), item);
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

void photos_insert(GListModel *model, guint count) {
    // The new ones have the last numbers, so that no other photo changes its own.
    Photos *photos = DEMO_PHOTOS(model);
    guint position = photos->inserted;
    photos->inserted += count;
    g_list_model_items_changed(model, position, 0, count);
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
