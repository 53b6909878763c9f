// A small HTTP server on libevent's own evhttp. It knows nothing of Lull.

#ifndef EMBED_C_SERVER_H
#define EMBED_C_SERVER_H

#include <event2/event.h>
#include <stddef.h>

/// What the server serves.
struct site {
    /// Writes how things stand, as one line of JSON.
    void (*state)(void *context, char *line, size_t size);
    /// The picture's bytes, or NULL while there is none.
    const unsigned char *(*picture)(void *context, size_t *size);
    void *context;
};

/// Serves a site on 127.0.0.1 and gives the port, or -1; port 0 is any that is free.
int server_start(struct event_base *base, int port, const struct site *site);

/// Closes it.
void server_stop(void);

#endif
