// A hundred thousand photos, the JPEG files of a folder again and again, each in another tint.

#ifndef PHOTOS_H
#define PHOTOS_H

#include <gtk/gtk.h>
#include <stdint.h>

#include "../photo.h"

#define PHOTOS 100000

/// The greatest width and height of a picture, in px.
#define PICTURE_WIDTH 88
#define PICTURE_HEIGHT 96

/// One of them: an object that is made when somebody asks for it.
#define TYPE_PHOTO (photo_item_get_type())
G_DECLARE_FINAL_TYPE(PhotoItem, photo_item, DEMO, PHOTO_ITEM, GObject)

/// Returns a model of the photos in a folder; NULL if it has no JPEG files.
GListModel *photos_open(const char *folder);

/// Inserts photos that aren't there yet at the top.
void photos_insert(GListModel *photos, guint count);

/// The number of a photo, from 0; those that are inserted follow the others.
guint photo_item_number(PhotoItem *item);

/// The file that it shows.
const char *photo_item_path(PhotoItem *item);

/// Makes a texture of its file when that is decoded, in its tint.
GdkTexture *photo_item_texture(PhotoItem *item, struct photo *photo);

#endif
