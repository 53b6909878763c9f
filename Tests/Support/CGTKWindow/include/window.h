// A window with a GtkGridView of strings, for a program in Swift that doesn't import GTK.

#ifndef LULL_TEST_GTK_WINDOW_H
#define LULL_TEST_GTK_WINDOW_H

/// Opens a window with a number of strings; returns its grid view, or NULL without a display.
void *window_open(int count);

/// Dispatches what is ready, and waits for it if there is nothing.
void window_iterate(void);

/// The text of an item, and a text that a list item shows.
const char *window_text(void *item);
void window_show(void *list_item, const char *text);

/// Scrolls the grid, and inserts strings at its top.
void window_scroll(double offset);
void window_insert(int count);

/// Closes the window, and all that is in it.
void window_close(void);

#endif
