#ifndef HEAP_H
#define HEAP_H

#include <CWorkloads.h>

/// M4 on a plain indexed binary heap: what the data structure alone takes.
void heap_timers(struct timers *timers);

#endif
