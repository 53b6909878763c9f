// A hundred thousand photos: the JPEG files of a folder, again and again.

#ifndef PHOTOS_H
#define PHOTOS_H

#include <gtk/gtk.h>

#define PHOTOS 100000

/// The greatest width and height of a picture, in px.
#define PICTURE_WIDTH 88
#define PICTURE_HEIGHT 96

/// One of them: an object that is made when somebody asks for it.
#define TYPE_PHOTO (photo_item_get_type())
G_DECLARE_FINAL_TYPE(PhotoItem, photo_item, DEMO, PHOTO_ITEM, GObject)

/// Returns a model of the photos in a folder; NULL if it has no JPEG files.
GListModel *photos_open(const char *folder);

/// The file that it shows.
const char *photo_item_path(PhotoItem *item);

#endif
