/// The dispatcher of the messages that are taken from a loop's inbox.
final class InboxDispatcher {
    private let inbox: Inbox
    private let loop: LoopContext
    /// The messages that were taken out of the inbox and have not run yet.
    private let backlog = ConfinedBox(Backlog<Inbox.Message>())
    /// Whether the messages that have not run keep a host's loop from ending.
    private var isCounted = false
    private var ports = SlotTable<(any Sendable) -> Void>()
    // The loop owns its dispatcher, and closes it.
    unowned(unsafe) var owner: MainLoop?

    /// The longest time for which messages run between two polls, in nanoseconds; the same as for
    /// tiny jobs.
    private static let longest: Int64 = 50_000

    init(from inbox: Inbox, on loop: LoopContext) {
        self.inbox = inbox
        self.loop = loop
    }

    /// Whether all messages that were taken out have run.
    var isEmpty: Bool { backlog.value.isEmpty }

    /// Whether lanes have something for the loop to look at.
    var hasLaneWork: Bool { loop.lanes.contains { $0.needsLook } }

    // MARK: - Ports

    func addPort(_ handler: @escaping (any Sendable) -> Void) -> PortID {
        ports.insert(handler)
    }

    func removePort(_ id: PortID) {
        if ports.contains(id) { ports.remove(at: id.index) }
    }

    /// Passes a value to its port's handler, unless the port was closed.
    func receive(_ value: any Sendable, at id: PortID) {
        if ports.contains(id) { ports[id.index](value) }
    }

    // MARK: - Messages

    /// Runs posted messages: one, and more of them while less than 50 µs have passed.
    ///
    /// The rest waits for the next pass, and runs before newer posts. The eventfd that is signalled
    /// for the rest isn't read before that is done, so that a message costs no system call.
    func deliver() {
        guard let owner = unsafe owner else { return }
        let isFresh = backlog.value.isEmpty
        if isFresh { backlog.value = inbox.empty() }
        for lanes in loop.lanes { lanes.takeReturned() }
        guard unsafe self.owner === owner else { return }  // closed by a callback
        let end = loop.clock.now.later(by: Self.longest)
        while let message = backlog.value.popFirst() {
            switch message {
            case .call(let body): body(owner)
            case .job(let job), .foreign(let job): owner.tasks.run(job)
            case .piece(let piece): owner.run(piece)
            }
            if loop.clock.now >= end { break }
        }
        let isLeft = !backlog.value.isEmpty
        if !isLeft { backlog.value = Backlog() }  // frees the memory too
        // A host that wakes the loop has no descriptor that stays readable: for the rest, and for newer
        // posts, whose signal this pass has answered without taking them.
        let isMissed = inbox.isWokenByHost ? isLeft || inbox.hasSignaled : isLeft && isFresh
        if isMissed { inbox.signal() }
        count()
    }

    /// Keeps a host's dispatch from ending before the rest has run.
    private func count() {
        guard isCounted == backlog.value.isEmpty else { return }
        isCounted.toggle()
        loop.countOutstanding(isCounted ? 1 : -1)
    }

    /// Discards, in a forked child, the messages that were meant for its parent.
    func forget() {
        let lost = backlog.value
        backlog.value = Backlog()
        count()
        _ = consume lost  // after the change: a `deinit` may call back
    }

    /// Closes the inbox, and returns the messages that have not run.
    func close() -> [Inbox.Message] {
        var ports = SlotTable<(any Sendable) -> Void>()
        swap(&self.ports, &ports)
        unsafe owner = nil
        let left = backlog.value.rest + inbox.close().rest
        backlog.value = Backlog()
        _ = consume ports  // after the change: a `deinit` may call back
        return left
    }
}
