internal import CLibevent
internal import LullLibC

// Dispatch's main queue, which also runs `@MainActor`.
extension MainLoop {
    /// Runs the work of `DispatchQueue.main` and of `@MainActor` on this loop.
    ///
    /// This is for a program whose main thread runs this loop, instead of `dispatchMain` or a run
    /// loop. On each wake-up, the loop runs the work that is queued at that time, and then polls.
    /// The queue is found at run time in Dispatch's library, through the same functions that Core
    /// Foundation uses. To end it, cancel the watch.
    ///
    /// Throws `noMainQueue` if these functions are missing or the program doesn't link Dispatch,
    /// `notOnMainThread` on any other thread, or the system's error.
    @discardableResult
    public func serveMainQueue() throws(LoopError) -> Watch {
        guard lull_is_main_thread() != 0 else { throw .notOnMainThread }
        let queue = try MainQueue()
        return try watch(queue.descriptor, for: .readable) { _ in queue.run() }
    }
}

/// Dispatch's main queue, accessed by the functions of its library.
@safe struct MainQueue {
    private typealias Handle = @convention(c) () -> UInt
    private typealias Drain = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// A descriptor that is readable while work is queued.
    let descriptor: Int32
    private let drain: Drain

    init() throws(LoopError) {
        let handle = try unsafe MainQueue.find("_dispatch_get_main_queue_handle_4CF")
        let drain = try unsafe MainQueue.find("_dispatch_main_queue_callback_4CF")
        unsafe self.drain = unsafe unsafeBitCast(drain, to: Drain.self)
        descriptor = Int32(truncatingIfNeeded: unsafe unsafeBitCast(handle, to: Handle.self)())
    }

    /// Finds a function of the library by its name.
    static func find(_ name: String) throws(LoopError) -> UnsafeMutableRawPointer {
        guard let place = unsafe dlsym(nil, name) else { throw .noMainQueue(missing: name) }
        return unsafe place
    }

    /// Runs the work that is queued now.
    func run() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
        drain(nil)
    }
}
