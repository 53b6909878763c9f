#include <lull-pictures.h>

#include <lull-gtk4.h>

#include "loader.h"
#include "photos.h"

struct lull_loader {
    struct loader base;
    lull_pictures *pictures;
};

static lull_progress load(const lull_slot *slot, lull_load *load, GObject *item, void *context) {
    struct lull_loader *loader = context;
    lull_picture_request request;
    lull_picture_request_init(&request, sizeof request);
    request.path = photo_item_path(DEMO_PHOTO_ITEM(item));
    request.width = PICTURE_WIDTH;
    request.height = PICTURE_HEIGHT;
    lull_progress progress = lull_gtk_load_picture(loader->pictures, slot, load, &request);
    if (progress == LULL_DONE) loader->base.loaded++;
    return progress;
}

/// Files of one name cost what those before have cost.
static int64_t kind_of(GObject *item, int64_t *size, void *context) {
    (void)size, (void)context;
    return g_str_hash(photo_item_path(DEMO_PHOTO_ITEM(item)));
}

static void free_loader(struct loader *base) {
    lull_pictures_close(((struct lull_loader *)base)->pictures);
    g_free(base);
}

struct loader *loader_in_lulls(GtkGridView *grid) {
    struct lull_loader *loader = g_new0(struct lull_loader, 1);
    loader->base.free = free_loader;
    lull_gtk *attached;
    lull_gtk_options options;
    lull_gtk_options_init(&options, sizeof options);
    options.load = load;
    options.show = lull_gtk_show_picture;
    options.drop = lull_gtk_drop_picture;
    options.kind = kind_of;
    options.context = loader;
    lull_status status = lull_gtk_attach(GTK_WIDGET(grid), &options, &attached);
    if (status == LULL_OK) {
        status = lull_pictures_new(lull_gtk_get_loop(attached), NULL, &loader->pictures);
    }
    if (status != LULL_OK) g_error("lull: %s", lull_status_text(status));
    return &loader->base;
}
