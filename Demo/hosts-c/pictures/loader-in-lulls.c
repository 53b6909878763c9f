#include <errno.h>
#include <lull-gtk4.h>

#include "loader.h"
#include "photos.h"

/// The value of an item: its file, of which a texture is made when it's decoded.
struct picture {
    struct photo *photo;
    GdkTexture *texture;
};

static lull_progress load(const lull_slot *slot, lull_load *load, GObject *item, void *context) {
    struct loader *loader = context;
    struct picture *picture = load->value;
    if (!picture) {
        load->value = picture = g_new0(struct picture, 1);
        picture->photo =
            photo_open(photo_item_path(DEMO_PHOTO_ITEM(item)), PICTURE_WIDTH, PICTURE_HEIGHT);
        load->error = picture->photo ? 0 : errno;
        if (!picture->photo) return LULL_FAILED;
    }
    while (!lull_slot_is_over(slot)) {
        switch (photo_decode(picture->photo)) {
        case PHOTO_MORE: break;
        case PHOTO_FAILED: load->error = EINVAL; return LULL_FAILED;
        case PHOTO_DONE:
            picture->texture = photo_item_texture(DEMO_PHOTO_ITEM(item), picture->photo);
            photo_free(picture->photo);
            picture->photo = NULL;
            loader->loaded++;
            return LULL_DONE;
        }
    }
    load->share = photo_share(picture->photo);
    return LULL_AGAIN;
}

static void show(const lull_gtk_cell *cell, void *context) {
    (void)context;
    const struct picture *picture = cell->row.value;
    GdkPaintable *paintable = picture ? GDK_PAINTABLE(picture->texture) : NULL;
    gtk_picture_set_paintable(GTK_PICTURE(cell->child), paintable);
}

static void drop(void *value, void *context) {
    (void)context;
    struct picture *picture = value;
    photo_free(picture->photo);
    g_clear_object(&picture->texture);
    g_free(picture);
}

/// Files of one name cost what those before have cost.
static int64_t kind_of(GObject *item, int64_t *size, void *context) {
    (void)size, (void)context;
    return g_str_hash(photo_item_path(DEMO_PHOTO_ITEM(item)));
}

static void free_loader(struct loader *loader) {
    g_free(loader);
}

struct loader *loader_in_lulls(GtkGridView *grid) {
    struct loader *loader = g_new0(struct loader, 1);
    loader->free = free_loader;
    lull_gtk_options options;
    lull_gtk_options_init(&options, sizeof options);
    options.load = load;
    options.show = show;
    options.drop = drop;
    options.kind = kind_of;
    options.context = loader;
    lull_status status = lull_gtk_attach(GTK_WIDGET(grid), &options, NULL);
    if (status != LULL_OK) g_error("lull: %s", lull_status_text(status));
    return loader;
}
