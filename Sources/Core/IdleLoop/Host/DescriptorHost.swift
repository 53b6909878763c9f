internal import CLullLibevent
internal import LullLibC

/// A host for any event loop: the loop watches one descriptor, and calls `process` when it is
/// readable.
///
/// ```swift
/// let host = try DescriptorHost()
/// let loop = try MainLoop(on: host)
/// try loop.serveMainQueue()  // @MainActor is on this loop, if it's the main thread's
/// // In the program's own loop:
/// var ready = pollfd(fd: host.descriptor, events: Int16(POLLIN), revents: 0)
/// while poll(&ready, 1, -1) >= 0 { host.process() }
/// ```
///
/// A loop like this has no idle moment that could be asked for. The next best is a pass that
/// dispatched nothing: while there are jobs, the descriptor stays readable, so that the program's
/// loop polls without sleeping, and each `process` that finds nothing else to do runs one job, one
/// slice, or 50 µs of tiny jobs. A ready event of the program's therefore waits for one of these,
/// as with any host. A program that knows whether its pass served other events passes this to
/// `process`, and jobs wait until it's idle.
public final class DescriptorHost: LoopHost {
    /// The descriptor that is readable while `process` has something to do.
    public var descriptor: Int32 { queue.descriptor }

    private let queue: EpollDescriptor
    /// Readable while an idle moment is requested.
    private let request: EventFD
    private var isRequested = false
    private var isSignaled = false
    private var guest: LoopGuest?

    /// Creates a host for one loop; throws if the process is out of descriptors, of which it needs
    /// two.
    public init() throws(LoopError) {
        queue = try EpollDescriptor()
        request = try EventFD()
        try queue.add(request.descriptor)
    }

    /// Dispatches what is ready on the loop or, if that is nothing, lets it do some of its idle
    /// work.
    ///
    /// It never blocks, and may be called from inside the loop's callbacks: one that runs the
    /// program's loop calls it before that polls. Pass `wasBusy` if the program's loop has served
    /// events of its own in the same pass: then no job runs, unless it has waited too long.
    public func process(wasBusy: Bool = false) {
        guard let guest else { return }
        let hasServed = guest.serve()
        if isRequested {
            isRequested = false
            guest.idle(isBusy: wasBusy || hasServed)
        }
        guest.prepare()
        guard isSignaled, !isRequested else { return }
        isSignaled = false
        request.clear()
    }

    /// Begins to serve a loop; throws `EBUSY` while it serves another.
    package func begin(_ guest: LoopGuest) throws(LoopError) {
        guard self.guest == nil else { throw .system(call: "begin", errno: EBUSY) }
        try queue.add(guest.descriptor)
        self.guest = guest
    }

    /// Makes the descriptor readable.
    package func requestIdle() {
        isRequested = true
        guard !isSignaled else { return }
        isSignaled = true
        request.signal()
    }

    /// Begins anew in a forked child, with the same number for another descriptor: what it stood for
    /// is the parent's, too.
    package func renewAfterFork(_ guest: LoopGuest) throws(LoopError) {
        self.guest = nil
        try queue.renew()
        try request.renew()
        isRequested = false
        isSignaled = false
        try queue.add(request.descriptor)
        try begin(guest)
    }

    /// Ends serving the loop.
    package func end() {
        if let guest { queue.remove(guest.descriptor) }
        guest = nil
        isRequested = false
        if isSignaled { request.clear() }
        isSignaled = false
    }
}

/// An epoll set, which is itself readable while one of its descriptors is.
private struct EpollDescriptor: ~Copyable {
    let descriptor: Int32

    init() throws(LoopError) {
        descriptor = epoll_create1(Int32(O_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Replaces the set by an empty one under the same number.
    func renew() throws(LoopError) {
        try replace(descriptor, by: epoll_create1(Int32(O_CLOEXEC)), call: "epoll_create1")
    }

    func add(_ member: Int32) throws(LoopError) {
        var event = unsafe epoll_event(events: UInt32(EPOLLIN.rawValue), data: epoll_data_t())
        guard unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, member, &event) == 0 else {
            throw .system(call: "epoll_ctl", errno: errno)
        }
    }

    func remove(_ member: Int32) {
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, member, nil)
    }
}
