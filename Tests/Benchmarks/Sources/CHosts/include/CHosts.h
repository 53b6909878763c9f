// Loops of other libraries on which Lull is a guest, behind one set of functions.

#ifndef CHOSTS_H
#define CHOSTS_H

#include <stdbool.h>

enum host_kind { HOST_GLIB, HOST_SD_EVENT, HOST_UV };

/// Makes a loop, for the rest of the process.
void *host_open(enum host_kind kind);

/// Runs a loop until host_stop.
void host_run(enum host_kind kind, void *loop);
void host_stop(void);

/// Has a loop watch a descriptor by its own means, for the rest of the process or until `call`
/// returns false, which stops the loop.
void host_watch(
    enum host_kind kind, void *loop, int descriptor, bool (*call)(void *), void *context);

#endif
