// Descriptors, signals, and what other threads send.
extension MainLoop {
    /// Calls `handler` whenever `descriptor` is ready, again as long as it stays so.
    ///
    /// Throws `badDescriptor` if it isn't open, `notPollable` for a regular file or a folder, which
    /// are never waited for, or what the kernel says.
    @discardableResult
    public func watch(
        _ descriptor: Int32, for readiness: Watch.Readiness,
        _ handler: @escaping (Watch.Readiness) -> Void
    ) throws(LoopError) -> Watch {
        precondition(!isClosed, "a closed loop watches nothing")
        precondition(!readiness.isEmpty, "a watch waits for reading, for writing or for both")
        guard isOpen(descriptor) else { throw .badDescriptor(descriptor) }
        guard isPollable(descriptor) else { throw .notPollable(descriptor) }
        let watch = Watch(loop: self, handler: handler)
        watch.attach(
            try base.event(
                for: descriptor, readable: readiness.contains(.readable),
                writable: readiness.contains(.writable), watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    /// Calls `handler` on the loop after each signal `number`, such as SIGTERM.
    ///
    /// Of all loops in a process only one can watch signals; that is libevent's limit.
    @discardableResult
    public func watch(
        signal number: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        precondition(!isClosed, "a closed loop watches nothing")
        guard isCatchable(signal: number) else { throw .badSignal(number) }
        let watch = Watch(loop: self) { _ in handler() }
        watch.attach(try base.event(forSignal: number, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    func internalWatch(
        _ descriptor: Int32, _ handler: @escaping () -> Void
    ) throws(LoopError) {
        let watch = Watch(loop: self) { _ in handler() }
        watch.attach(
            try base.event(for: descriptor, readable: true, writable: false, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
    }

    func forget(_ watch: Watch) {
        watches[ObjectIdentifier(watch)] = nil
    }

    /// A way for other threads to hand values to `handler`, which runs on the loop.
    public func port<Value: Sendable>(
        of type: Value.Type = Value.self, _ handler: @escaping (Value) -> Void
    ) -> Port<Value> {
        precondition(!isClosed, "a closed loop has no ports")
        let id = ports.insert { value in
            guard let value = value as? Value else { return }
            handler(value)
        }
        return Port(inbox: inbox, id: id)
    }

    /// Closes a port: what was sent and hasn't arrived is thrown away.
    ///
    /// A second call does nothing.
    public func close<Value>(_ port: Port<Value>) {
        if ports.contains(port.id) { ports.remove(at: port.id.index) }
    }

    func deliver(_ messages: [Inbox.Message]) {
        for message in messages {
            switch message {
            case .call(let body):
                body(self)
            case .value(let index, let generation, let value):
                guard ports.contains(.init(index: index, generation: generation)) else { continue }
                ports[index](value)
            }
        }
    }
}
