// A scripted scroll, and which of its frames are late.

#ifndef FRAMES_H
#define FRAMES_H

#include <gtk/gtk.h>

#include "loader.h"

struct frames {
    /// Frames of the script; those that were drawn more than one and a half periods after the one
    /// before; and the longest time between two, in ms.
    int count, late;
    double longest;
    /// How long all took, in s.
    double time;
};

/// Begins to fling what is in a scrolled window again and again, until its loader has loaded
/// `pictures`, or for `seconds` if that is sooner. Calls `then` at the end.
void frames_begin(
    GtkScrolledWindow *window, struct loader *loader, int pictures, double seconds,
    struct frames *frames, void (*then)(void *context), void *context);

#endif
