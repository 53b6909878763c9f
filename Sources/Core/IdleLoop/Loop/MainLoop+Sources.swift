internal import LullLibC

// Descriptors, signals, child processes, and ports for other threads.
extension MainLoop {
    /// Calls `handler` whenever `descriptor` is ready, in each pass while it stays ready.
    ///
    /// Cancel the watch before the descriptor is closed: the kernel forgets it then, unless it has a
    /// copy, and the watch isn't called any more. When the number has come to stand for another file
    /// and that is watched, the watch of the closed one ends, which its `isActive` tells.
    ///
    /// Throws `badDescriptor` if it isn't open, `notPollable` for what is always ready, as files,
    /// folders and /dev/null are, `closed` if the loop is closed, or the system's error. Traps if
    /// `readiness` is empty.
    @discardableResult
    public func watch(
        _ descriptor: Int32, for readiness: Watch.Readiness,
        _ handler: @escaping (Watch.Readiness) -> Void
    ) throws(LoopError) -> Watch {
        let readiness = readiness.intersection([.readable, .writable, .closed])
        precondition(
            !readiness.isEmpty, "a watch waits for reading, for writing or for the other's end")
        guard !isClosed else { throw .closed }
        let file = try WatchedFile(pollable: descriptor)
        return try engine.keep(
            Watch(on: engine, file: file, handler), of: descriptor, readiness)
    }

    /// Calls `handler` on the loop after each signal `number`, such as SIGTERM.
    ///
    /// Only one loop of a process can watch signals; this is a limit of libevent.
    @discardableResult
    public func watch(
        signal number: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        guard isCatchable(signal: number) else { throw .badSignal(number) }
        return try engine.keep(Watch(on: engine) { _ in handler() }, of: number, .signal)
    }

    /// Calls `handler` once, when the process `number` has ended, and reaps it if it is a child.
    ///
    /// It needs no signal handler and doesn't affect other children, but it needs Linux 5.4. Throws
    /// `noProcess`, or the system's error if there are no more descriptors or the kernel has no
    /// `pidfd_open`.
    @discardableResult
    public func watch(
        child number: Int32, _ handler: @escaping (ChildExit) -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        guard processExists(number) else { throw .noProcess(number) }
        let process = try ProcessDescriptor(of: number)
        weak var own: Watch?
        let watch = Watch(on: engine) { _ in
            guard let end = process.reap() else { return }
            own?.cancel()
            handler(end)
        }
        own = watch
        return try engine.keep(watch, of: process.descriptor, .readable)
    }

    /// Calls `handler` at each event of one of the kernel's files.
    ///
    /// Such a file is a regular one, and always reported as readable: only a change is an event.
    /// One event comes at once, without a meaning. The watch doesn't keep a host's dispatch from
    /// ending.
    func watchKernelFile(
        _ descriptor: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        let watch = Watch(on: engine, isInternal: true) { _ in handler() }
        return try engine.keep(watch, of: descriptor, [.readable, .edge])
    }

    /// Creates a port by which other threads send values to `handler`, which runs on the loop.
    package func port<Value: Sendable>(
        of type: Value.Type = Value.self, _ handler: @escaping (Value) -> Void
    ) -> InboxPort<Value> {
        // The port of a closed loop discards everything: its inbox accepts nothing.
        guard !isClosed else { return InboxPort(inbox: inbox, id: .init(index: 0, generation: 0)) }
        let id = turn.dispatcher.addPort { value in
            guard let value = value as? Value else { return }
            handler(value)
        }
        return InboxPort(inbox: inbox, id: id)
    }

    /// Closes a port: values that were sent and have not arrived are discarded.
    ///
    /// A second call does nothing.
    package func close<Value>(_ port: InboxPort<Value>) {
        turn.dispatcher.removePort(port.id)
    }
}
