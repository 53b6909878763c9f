internal import CLibevent
internal import Glibc

// Dispatch's main queue, which is also where `@MainActor` lives.
extension MainLoop {
    /// Has this loop run what is handed to `DispatchQueue.main` and what is isolated to `@MainActor`.
    ///
    /// For a program whose main thread runs this loop, instead of `dispatchMain` or a run loop. On each
    /// wake-up it runs what was there then, so that the loop polls between. It's found at run time in
    /// Dispatch's library, by the way that Core Foundation takes. Cancel the watch to end it.
    ///
    /// Throws `noMainQueue` where that way is missing, or Dispatch isn't part of the program;
    /// `notOnMainThread` on any other thread; or what the system says.
    @discardableResult
    public func serveMainQueue() throws(LoopError) -> Watch {
        guard lull_is_main_thread() != 0 else { throw .notOnMainThread }
        let queue = try MainQueue()
        return try watch(queue.descriptor, for: .readable) { _ in queue.run() }
    }
}

/// Dispatch's main queue, by its library's own functions.
@safe struct MainQueue {
    private typealias Handle = @convention(c) () -> UInt
    private typealias Drain = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// Readable when something waits.
    let descriptor: Int32
    private let drain: Drain

    init() throws(LoopError) {
        let handle = try unsafe MainQueue.find("_dispatch_get_main_queue_handle_4CF")
        let drain = try unsafe MainQueue.find("_dispatch_main_queue_callback_4CF")
        unsafe self.drain = unsafe unsafeBitCast(drain, to: Drain.self)
        descriptor = Int32(truncatingIfNeeded: unsafe unsafeBitCast(handle, to: Handle.self)())
    }

    /// A function of the library, by its name.
    static func find(_ name: String) throws(LoopError) -> UnsafeMutableRawPointer {
        guard let place = unsafe dlsym(nil, name) else { throw .noMainQueue(missing: name) }
        return unsafe place
    }

    /// Runs what waits now.
    func run() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
        drain(nil)
    }
}
