internal import CLullLibevent

/// Starts a thread that runs `body` and then ends; returns 0 or an error number.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let task = unsafe Unmanaged.passRetained(ThreadTask(body))
    let result = unsafe lull_start_thread(
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<ThreadTask>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, task.toOpaque())
    if result != 0 { unsafe task.release() }
    return result
}

/// The body of a thread, as an object for a pointer.
private final class ThreadTask: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
