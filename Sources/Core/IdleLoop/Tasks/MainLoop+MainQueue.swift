internal import CLullLibevent
internal import LullLibC

// Dispatch's main queue, which also runs `@MainActor`.
extension MainLoop {
    /// Runs the work of `DispatchQueue.main` and of `@MainActor` on this loop, until it's closed.
    ///
    /// A loop that was created on the main thread does so by itself, because nothing else can while
    /// it runs. Call this where a program relies on it: it does nothing if the loop does, and throws
    /// if it can't. On each wake-up, the loop runs the work that is queued at that time, and then
    /// polls. The queue is found at run time in Dispatch's library, through the same functions that
    /// Core Foundation uses. In a forked child, the loop serves the child's queue.
    ///
    /// Throws `noMainQueue` if these functions are missing or the program doesn't link Dispatch,
    /// `otherMainExecutor` if `@MainActor` doesn't run on Dispatch's main queue, `notOnMainThread` on
    /// any other thread, `closed`, or the system's error.
    public func serveMainQueue() throws(LoopError) {
        try beginMainQueue()
        if let other = MainQueue.otherExecutor { throw .otherMainExecutor(other) }
    }

    private func beginMainQueue() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !servesMainQueue else { return }
        guard lull_is_main_thread() != 0 else { throw .notOnMainThread }
        let queue = try MainQueue()
        let watch = Watch(on: engine, isInternal: true) { [weak self] _ in
            guard let servedTasks = self?.servedTasks else { return queue.run() }
            servedTasks.onMainActor { queue.run() }
        }
        _ = try engine.keep(watch, of: queue.descriptor, .readable)
        servesMainQueue = true
        whenForked(for: watch) { [weak self, weak watch] () throws(LoopError) in
            guard let self, let watch else { return }
            watch.pause()
            try queue.renew()
            try engine.attach(watch, to: queue.descriptor, .readable)
        }
    }

    /// Serves the main queue if this is the main thread and Dispatch's library is there.
    func serveMainQueueIfPossible() throws(LoopError) {
        do {
            try beginMainQueue()
        } catch .notOnMainThread, .noMainQueue {
            return  // whoever needs it learns this from `serveMainQueue`
        }
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
        guard let handle = unsafe lull_main_queue_handle() else {
            throw .noMainQueue(missing: "_dispatch_get_main_queue_handle_4CF")
        }
        guard let drain = unsafe lull_main_queue_callback() else {
            throw .noMainQueue(missing: "_dispatch_main_queue_callback_4CF")
        }
        try checkDescriptors(atLeast: 1)  // without one, Dispatch ends the process
        unsafe self.drain = unsafe unsafeBitCast(drain, to: Drain.self)
        descriptor = Int32(truncatingIfNeeded: unsafe unsafeBitCast(handle, to: Handle.self)())
    }

    /// The name of what runs the main actor instead of this queue; nil if nothing does.
    static var otherExecutor: String? {
        let executor = unsafe MainActor.sharedUnownedExecutor.asSerialExecutor()
        let name = executor.map { String(reflecting: type(of: $0)) } ?? "an unknown executor"
        guard name.hasPrefix("Swift.Dispatch") else { return name }
        return lull_main_executor_has_hook() != 0 ? "swift_task_enqueueMainExecutor_hook" : nil
    }

    /// Runs the work that is queued now.
    func run() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
        drain(nil)
    }

    /// Replaces the descriptor in a forked child, under the number that Dispatch knows, and has what
    /// was queued before the fork run.
    func renew() throws(LoopError) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        try replace(descriptor, by: eventfd(1, flags), call: "eventfd")
    }
}
