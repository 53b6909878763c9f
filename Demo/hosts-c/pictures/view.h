// A scrolling list of pictures: a widget that is dragged with a finger or the mouse, flung, and
// turned with a wheel, and shows what its loader has loaded.

#ifndef VIEW_H
#define VIEW_H

#include <gtk/gtk.h>
#include <stdbool.h>

#include "loader.h"

typedef struct View View;

/// Makes one, without a loader; its rows are grey then.
View *view_new(void);

/// Sets the loader, which must outlive the widget.
void view_set_loader(View *view, struct loader *loader);

/// The offset and the range of a scroll bar.
GtkAdjustment *view_adjustment(View *view);

/// What gestures do. `velocity` is the finger's, in px a second, downwards; the list then moves by
/// itself until it comes to rest.
void view_touch(View *view, double y);
void view_move(View *view, double y);
void view_lift(View *view, double y, double velocity);

/// Whether it is moving by itself.
bool view_is_flung(const View *view);

#endif
