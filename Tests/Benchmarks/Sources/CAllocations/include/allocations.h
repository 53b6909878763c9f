#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// How often the program has asked for memory.
unsigned long allocation_count(void);

#endif
