// Somebody who asks the server how things stand, again and again, from another thread.

#ifndef EMBED_C_VISITOR_H
#define EMBED_C_VISITOR_H

#include <stdbool.h>

struct visit {
    int port;
    /// Called on the visitor's thread when it has seen enough.
    void (*leave)(void *context);
    void *context;

    /// How many answers came, and how many of them while rows were missing.
    int answers;
    int early;
    /// Of the answers, in milliseconds.
    double median;
    double longest;
    /// Whether the picture came, whole, and everything before it.
    bool is_content;
};

/// Begins a visit in a thread of its own; false if there can't be one.
bool visit_begin(struct visit *visit);

/// Waits for its end.
void visit_end(struct visit *visit);

#endif
