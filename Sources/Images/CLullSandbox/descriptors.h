#ifndef C_SANDBOX_DESCRIPTORS_H
#define C_SANDBOX_DESCRIPTORS_H

/// Calls `act` with each open descriptor from `first` on, until it returns another value than 0,
/// and returns that value; returns -1 with errno if /proc doesn't list the descriptors.
int each_descriptor(int first, int (*act)(int number, void *context), void *context);

#endif
