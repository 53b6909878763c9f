internal import Glibc

/// Starts a thread that does `body` and then ends; 0, or what the system said.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    var thread = pthread_t()
    let task = unsafe Unmanaged.passRetained(ThreadTask(body))
    let result = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<ThreadTask>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, task.toOpaque())
    if result == 0 {
        pthread_detach(thread)
    } else {
        unsafe task.release()
    }
    return result
}

/// What a thread does, as an object that a pointer can stand for.
private final class ThreadTask: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
