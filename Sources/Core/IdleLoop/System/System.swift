internal import CLullLibevent
internal import LullLibC
internal import Synchronization

/// Returns whether a descriptor is open in this process.
func isOpen(_ descriptor: Int32) -> Bool {
    descriptor >= 0 && fcntl(descriptor, F_GETFD) != -1
}

/// Returns whether a signal exists and can have a handler.
func isCatchable(signal number: Int32) -> Bool {
    number > 0 && number < 65 && number != SIGKILL && number != SIGSTOP
}

/// Returns whether a descriptor can be polled for readiness; files and folders are always ready.
func isPollable(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
}

/// Returns whether a process of this number exists, including one that has ended but wasn't reaped.
func processExists(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
}

/// Returns freed memory to the system, as far as the allocator can.
///
/// It takes from 0.5 ms, with one thread, to 4 ms.
package func returnFreedMemory() {
    // Where another allocator has replaced glibc's, as a sanitizer's does, glibc's is initialised by
    // the first call, which isn't safe from two threads at once.
    trimming.withLock { _ in lull_return_freed_memory() }
}

private let trimming = Mutex(())
