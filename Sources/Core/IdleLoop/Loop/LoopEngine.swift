internal import LullLibC

/// What a loop's turn runs on: the events of a libevent base, and the watches that wait for them.
///
/// An engine of the loop's own is polled by the loop, which sleeps in it; on virtual time, it's only
/// polled. That of a guest is polled when its descriptor is readable in the host's loop. A libevent
/// host's base is the engine of its guests too, and calls their watches itself.
final class LoopEngine {
    let context: LoopContext
    private let base: EventBase
    // The turn owns its engine.
    unowned(unsafe) var turn: LoopTurn?
    /// The watches by descriptor; those of signals by the complement of their number.
    private var watches: [Int32: [Watch]] = [:]
    /// The watches that are ready, of a guest: called one by one, outside of libevent, so that a
    /// callback may run the host's loop.
    private let ready = ConfinedBox(Backlog<(watch: Watch, readiness: Watch.Readiness)>())

    init(_ base: consuming EventBase, _ context: LoopContext) {
        self.base = base
        self.context = context
    }

    // MARK: - Events

    /// Dispatches what is ready, without blocking.
    func poll() throws(LoopError) {
        try context.setAlarm()
        if hasReady { callReady() }
        try base.poll()
        if hasReady { callReady() }
    }

    /// Sleeps until something is ready, and dispatches it.
    func sleep() throws(LoopError) {
        try context.setAlarm()
        try base.wait()
    }

    private func callReady() {
        while let (watch, readiness) = ready.value.popFirst() { call(watch, readiness) }
    }

    /// Calls a watch that is ready: at once, or, of a guest with a base of its own, after the poll.
    func isReady(_ watch: Watch, _ readiness: Watch.Readiness) {
        guard let guest = context.guest else { return call(watch, readiness) }
        if base.isOwn { return ready.value.append((watch, readiness)) }
        unsafe turn?.visit(guest) { call(watch, readiness) }
    }

    private func call(_ watch: Watch, _ readiness: Watch.Readiness) {
        if watch.canBeCalled() { unsafe turn?.dispatch { watch.call(readiness) } }
    }

    /// Whether watches are ready that haven't been called.
    var hasReady: Bool { !ready.value.isEmpty }

    // MARK: - Watches

    /// Attaches a watch, and keeps it until it's cancelled.
    func keep(
        _ watch: Watch, of descriptor: Int32, _ kind: Watch.Readiness
    ) throws(LoopError) -> Watch {
        guard !context.isClosed else { throw .closed }
        let others = watch.file == nil ? [] : release(descriptor, for: watch)
        defer { for other in others { try? other.restore() } }
        try attach(watch, to: descriptor, kind)
        watches[watch.place, default: []].append(watch)
        return watch
    }

    /// Releases other watches of a descriptor, and returns those to be restored.
    ///
    /// libevent doesn't know that a descriptor was closed: it wouldn't ask the kernel to watch the
    /// number anew while there is another event of it.
    private func release(_ descriptor: Int32, for watch: Watch) -> [Watch] {
        let others = watches[descriptor, default: []].filter { $0.file != nil }
        for other in others where other.file != watch.file { other.cancel() }
        let attached = others.filter { $0.isAttached }
        for other in attached { other.release() }
        return attached
    }

    /// Attaches a watch, for the first time or again.
    func attach(
        _ watch: Watch, to descriptor: Int32, _ kind: Watch.Readiness
    ) throws(LoopError) {
        guard !context.isClosed else { throw .closed }
        try watch.attach(to: descriptor, kind, on: base)
        if let guest = context.guest, guest.isWokenByHost { try guest.host.watchDescriptor() }
    }

    func forget(_ watch: Watch) {
        watches[watch.place]?.removeAll { $0 === watch }
        if watches[watch.place]?.isEmpty ?? false { watches[watch.place] = nil }
    }

    // MARK: - Its life

    /// Returns the descriptor by which a host watches an own base; -1 for a host's.
    func descriptor(besides member: Int32) throws(LoopError) -> Int32 {
        base.isOwn ? try base.findDescriptor(watching: member) : -1
    }

    /// Makes a new kernel queue in a forked child.
    func renew() throws(LoopError) {
        try base.reinit()
        var none = Backlog<(watch: Watch, readiness: Watch.Readiness)>()
        swap(&ready.value, &none)  // released after the change
    }

    /// Detaches all watches before any callback of an end, which may call the host's dispatch.
    func pause() {
        for watch in watches.values.joined() { watch.pause() }
    }

    func close() {
        for watch in watches.values.joined() { watch.cancel() }
    }
}
