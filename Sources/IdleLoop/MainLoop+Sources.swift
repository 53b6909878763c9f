// Descriptors, signals, children, and what other threads send.
extension MainLoop {
    /// Calls `handler` whenever `descriptor` is ready, again as long as it stays so, or once each
    /// time that it gets so if the trigger is `edge`.
    ///
    /// Throws `badDescriptor` if it isn't open, `notPollable` for a regular file or a folder, which
    /// are never waited for, `closed` if the loop is, or what the kernel says.
    @discardableResult
    public func watch(
        _ descriptor: Int32, for readiness: Watch.Readiness, trigger: Watch.Trigger = .level,
        _ handler: @escaping (Watch.Readiness) -> Void
    ) throws(LoopError) -> Watch {
        precondition(
            !readiness.isEmpty, "a watch waits for reading, for writing or for the other's end")
        guard !isClosed else { throw .closed }
        guard isOpen(descriptor) else { throw .badDescriptor(descriptor) }
        guard isPollable(descriptor) else { throw .notPollable(descriptor) }
        var kind = readiness.kind
        if trigger == .edge { kind.insert(.edge) }
        let watch = Watch(loop: self, .descriptor(descriptor), handler: handler)
        return try keep(watch, of: descriptor, kind)
    }

    /// Calls `handler` on the loop after each signal `number`, such as SIGTERM.
    ///
    /// Of all loops in a process only one can watch signals; that is libevent's limit.
    @discardableResult
    public func watch(
        signal number: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        guard isCatchable(signal: number) else { throw .badSignal(number) }
        let watch = Watch(loop: self, .signal(number)) { _ in handler() }
        return try keep(watch, of: number, .signal)
    }

    /// Calls `handler` once, when the process `number` has ended, and reaps it if it is a child.
    ///
    /// It needs no signal handler and disturbs no other child. Throws `noProcess`, or what the
    /// system says if it's out of descriptors.
    @discardableResult
    public func watch(
        child number: Int32, _ handler: @escaping (ChildExit) -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        guard processExists(number) else { throw .noProcess(number) }
        let child = Child(try ProcessDescriptor(of: number))
        let watch = Watch(loop: self, .child(number)) { _ in
            guard let end = child.reap() else { return }
            child.watch?.cancel()
            handler(end)
        }
        child.watch = watch
        return try keep(watch, of: child.descriptor, .readable)
    }

    /// A process that is watched, which its handler reaps and then watches no more.
    private final class Child {
        private let process: ProcessDescriptor
        weak var watch: Watch?

        init(_ process: consuming ProcessDescriptor) {
            self.process = consume process
        }

        var descriptor: Int32 { process.descriptor }

        func reap() -> ChildExit? { process.reap() }
    }

    /// Calls `handler` at each event of a file of the kernel's own.
    ///
    /// Such a file is a regular one, and called readable always: only a change tells. One comes at
    /// once, which tells nothing. It doesn't keep a host's dispatch from ending.
    func watchKernelFile(
        _ descriptor: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        guard !isClosed else { throw .closed }
        let watch = Watch(loop: self, .descriptor(descriptor)) { _ in handler() }
        return try keep(watch, of: descriptor, [.readable, .edge], isInternal: true)
    }

    /// A way for other threads to hand values to `handler`, which runs on the loop.
    public func port<Value: Sendable>(
        of type: Value.Type = Value.self, _ handler: @escaping (Value) -> Void
    ) -> InboxPort<Value> {
        // That of a closed loop leads nowhere: its inbox takes nothing.
        guard !isClosed else { return InboxPort(inbox: inbox, id: .init(index: 0, generation: 0)) }
        let id = deliveries.addPort { value in
            guard let value = value as? Value else { return }
            handler(value)
        }
        return InboxPort(inbox: inbox, id: id)
    }

    /// Closes a port: what was sent and hasn't arrived is thrown away.
    ///
    /// A second call does nothing.
    public func close<Value>(_ port: InboxPort<Value>) {
        deliveries.removePort(port.id)
    }
}
