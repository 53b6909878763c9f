#include <errno.h>
#include <stdlib.h>

#include "loader.h"
#include "rows.h"

struct lull_loader {
    struct loader base;
    lull_loop *loop;
    lull_list *list;
};

/// The value of a row: a photo, of which a texture is made when it's decoded.
struct picture {
    struct photo *photo;
    GdkTexture *texture;
};

static lull_progress load(const lull_slot *slot, lull_load *load, void *context) {
    struct lull_loader *loader = context;
    struct picture *picture = load->value;
    if (!picture) {
        load->value = picture = g_new0(struct picture, 1);
        picture->photo = photo_open(rows_path((int64_t)load->key), PICTURE_WIDTH, PICTURE_HEIGHT);
        load->error = picture->photo ? 0 : errno;
        if (!picture->photo) return LULL_FAILED;
    }
    while (!lull_slot_is_over(slot)) {
        switch (photo_decode(picture->photo)) {
        case PHOTO_MORE: break;
        case PHOTO_FAILED: load->error = EINVAL; return LULL_FAILED;
        case PHOTO_DONE:
            picture->texture = loader_make_texture(picture->photo, (int64_t)load->key);
            photo_free(picture->photo);
            picture->photo = NULL;
            loader->base.loaded++;
            return LULL_DONE;
        }
    }
    load->share = photo_share(picture->photo);
    return LULL_AGAIN;
}

static void show(const lull_row *row, void *context) {
    (void)row;
    struct lull_loader *loader = context;
    gtk_widget_queue_draw(loader->base.view);
}

static void drop(uint64_t key, void *value, void *context) {
    (void)key, (void)context;
    struct picture *picture = value;
    photo_free(picture->photo);
    g_clear_object(&picture->texture);
    g_free(picture);
}

static double height_of(int64_t row, void *context) {
    (void)context;
    return rows_height(row);
}

/// Files of one kind cost what those before have cost.
static int64_t kind_of(uint64_t key, int64_t *size, void *context) {
    (void)size, (void)context;
    return (int64_t)(key % 19);
}

static void resize(struct loader *loader, double height) {
    lull_list_resize(((struct lull_loader *)loader)->list, height);
}

static void input(struct loader *loader, lull_input input, double y) {
    lull_list_input(((struct lull_loader *)loader)->list, input, y, LULL_NONE);
}

static void fling(struct loader *loader, double y, double target) {
    lull_list_fling(((struct lull_loader *)loader)->list, y, target, LULL_NONE);
}

static void scroll(struct loader *loader, double offset, int64_t time) {
    lull_list_scroll(((struct lull_loader *)loader)->list, offset, time);
    GdkFrameClock *clock = gtk_widget_get_frame_clock(loader->view);
    if (!clock) return;
    gint64 interval;
    gdk_frame_clock_get_refresh_info(clock, time / 1000, &interval, NULL);
    lull_expect_frame(((struct lull_loader *)loader)->loop, time + interval * 1000);
}

static GdkTexture *texture(struct loader *loader, int64_t row) {
    lull_row shown;
    lull_status status =
        lull_list_get_row(((struct lull_loader *)loader)->list, row, &shown, sizeof shown);
    return status == LULL_OK && shown.value ? ((struct picture *)shown.value)->texture : NULL;
}

static void free_loader(struct loader *loader) {
    lull_close(((struct lull_loader *)loader)->loop);
    g_free(loader);
}

struct loader *loader_in_lulls(GtkWidget *view) {
    struct lull_loader *loader = g_new0(struct lull_loader, 1);
    loader->base = (struct loader){
        .resize = resize,
        .input = input,
        .fling = fling,
        .scroll = scroll,
        .texture = texture,
        .free = free_loader,
        .view = view,
    };
    lull_status status = lull_adopt_glib(NULL, G_PRIORITY_LOW, &loader->loop);
    if (status != LULL_OK) g_error("lull: %s", lull_status_text(status));
    lull_list_options options;
    lull_list_options_init(&options, sizeof options);
    options.rows = ROWS;
    options.row_height_of = height_of;
    options.kind = kind_of;
    options.load = load;
    options.show = show;
    options.drop = drop;
    options.context = loader;
    status = lull_list_new(loader->loop, &options, &loader->list);
    if (status != LULL_OK) g_error("lull: %s", lull_status_text(status));
    return &loader->base;
}
