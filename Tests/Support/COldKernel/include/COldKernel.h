#ifndef LULL_COLDKERNEL_H
#define LULL_COLDKERNEL_H

/// Has all system calls that Linux 5.0 lacks fail with ENOSYS, in this process and those that it
/// starts, as on that kernel: pidfd_open, clone3, close_range, openat2 and more. This can't be
/// undone.
///
/// Returns 0, or -1 with errno.
int lull_enter_old_kernel(void);

#endif
