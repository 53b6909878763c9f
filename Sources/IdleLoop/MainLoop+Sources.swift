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
        watch.attach(try EventHandle(on: base, descriptor, kind, watch: watch))
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
        guard !isClosed else { throw .closed }
        guard isCatchable(signal: number) else { throw .badSignal(number) }
        let watch = Watch(loop: self, .signal(number)) { _ in handler() }
        watch.attach(try EventHandle(on: base, number, .signal, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
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
        watch.attach(try EventHandle(on: base, child.descriptor, .readable, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
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

    /// Watches one of the loop's own descriptors, which don't keep a host's dispatch from ending.
    func ownWatch(
        _ descriptor: Int32, _ work: Turn.Work, _ handler: @escaping () -> Void
    ) throws(LoopError) -> Watch {
        let watch = Watch(loop: self, work) { _ in handler() }
        try attachOwn(watch, to: descriptor)
        return watch
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
        watch.attach(
            try EventHandle(
                on: base, descriptor, [.readable, .edge], isInternal: !base.isOwn, watch: watch))
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    /// Watches again what a watch was paused for.
    func resume(
        _ watch: Watch, _ descriptor: Int32, for readiness: Watch.Readiness
    ) throws(LoopError) {
        guard !isClosed else { throw .closed }
        watch.attach(try EventHandle(on: base, descriptor, readiness.kind, watch: watch))
    }

    func attachOwn(_ watch: Watch, to descriptor: Int32) throws(LoopError) {
        // A base of our own must have its sleep ended by them.
        watch.attach(
            try EventHandle(
                on: base, descriptor, .readable, isInternal: !base.isOwn, watch: watch))
    }

    func forget(_ watch: Watch) {
        watches[ObjectIdentifier(watch)] = nil
    }

    /// Runs a callback from the kernel's queue, with what belongs before and after it.
    func dispatch(_ work: Turn.Work, _ body: () -> Void) {
        enter()
        wakeUp()
        counts.dispatched += 1
        lull.isOver()
        if recorder == nil {
            body()
        } else {
            record(work, body)
        }
        if isAdopted {
            if fireTimers() { base.updateTime() }  // jobs may have run, past their timeout
            if !observers.isIndifferentToIdle || status.isRecording { host.wantsIdle = true }
        }
        leave()
    }

    /// A way for other threads to hand values to `handler`, which runs on the loop.
    public func port<Value: Sendable>(
        of type: Value.Type = Value.self, _ handler: @escaping (Value) -> Void
    ) -> Port<Value> {
        // That of a closed loop leads nowhere: its inbox takes nothing.
        guard !isClosed else { return Port(inbox: inbox, id: .init(index: 0, generation: 0)) }
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

    /// How long posts may go on between two polls, in nanoseconds, as tiny jobs may.
    private static let longestDelivery: Int64 = 50_000

    /// Runs what was posted: one message, and more of them while that takes less than 50 µs; the rest
    /// waits for the next pass, before all that is posted meanwhile.
    ///
    /// The bell that was rung for the rest isn't answered before that is done, so that a message costs
    /// no system call.
    func deliver(_ take: () -> [Inbox.Message]) {
        let isFresh = backlog.isEmpty
        if isFresh {
            backlog = Inbox.Backlog(take())
        }
        let end = clock.now.later(by: Self.longestDelivery)
        while let message = backlog.popFirst() {
            deliver(message)
            if clock.now >= end { break }
        }
        if backlog.isEmpty {
            backlog = Inbox.Backlog()  // and its memory
        } else if isFresh {
            inbox.ring()
        }
    }

    private func deliver(_ message: Inbox.Message) {
        switch message {
        case .call(let body):
            body(self)
        case .value(let index, let generation, let value):
            guard ports.contains(.init(index: index, generation: generation)) else { return }
            ports[index](value)
        case .job(let job), .guest(let job):
            run(job)
        case .taken: break
        }
    }
}
