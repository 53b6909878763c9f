// A client on a thread of its own, which sends lines to an echo and measures how long each takes.

#ifndef CLIENT_H
#define CLIENT_H

#include <pthread.h>
#include <stdbool.h>

#define CLIENT_MOST_TRIPS 200000

/// The length of each message.
#define CLIENT_BYTES 64

struct client {
    /// Where it writes, and where it reads its echoes: the same descriptor if that is a socket's.
    int output, input;
    /// Called on its thread when the last echo has come, or one is lost.
    void (*leave)(void *context);
    void *context;

    /// Round trips, their times in ms, and echoes that were wrong or didn't come within 10 s.
    int trips, lost;
    double median, p99, longest;
    /// How long all took, in s.
    double time;

    pthread_t thread;
    double *times;
};

/// Connects to a port of this machine, and returns the socket, or -1.
int client_connect(int port);

/// Begins to send; returns whether it could.
bool client_begin(struct client *client);

/// Has any client stop after the next echo; may be called from any thread.
void client_stop(void);

/// Waits until it has stopped, and prints a line with its figures; returns whether no echo was
/// lost.
bool client_report(struct client *client, const char *name);

/// Prints the heads of such lines.
void client_print_heads(void);

#endif
