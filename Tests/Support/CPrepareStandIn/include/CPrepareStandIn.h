#ifndef LULL_CPREPARESTANDIN_H
#define LULL_CPREPARESTANDIN_H

// Stands in for what libevent has from 2.2 on, as far as a loop looks for it: a library that a
// test opens at run time, so that no other sees it.

/// Calls the callback that was registered, as libevent does when a base is about to sleep: for
/// so many microseconds, or without bounds if it's negative. 0 if there's none.
int lull_prepare(long microseconds);

/// How many watches there are.
int lull_prepare_count(void);

/// How many were freed inside their own call, after which libevent would go on from them to the next.
int lull_prepare_freed_inside(void);

#endif
