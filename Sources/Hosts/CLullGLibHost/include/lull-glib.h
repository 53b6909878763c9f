#ifndef LULL_GLIB_H
#define LULL_GLIB_H

#include <lull.h>

/// Makes a host of a GLib main context, NULL for the default one; its `begin` is NULL if there is no
/// memory. Idle work has a priority of GLib's: G_PRIORITY_LOW is below all of GTK's and of g_idle_add.
lull_host lull_glib_host(struct _GMainContext *context, int priority);

#endif
