/// What has come out of a loop's inbox, and who gets it.
final class Deliveries {
    private let inbox: Inbox
    private let loop: LoopContext
    /// What was taken out of the inbox and not run yet.
    private let backlog = Cell(Inbox.Backlog())
    private var ports = SlotTable<(any Sendable) -> Void>()

    /// How long posts may go on between two polls, in nanoseconds, as tiny jobs may.
    private static let longest: Int64 = 50_000

    init(from inbox: Inbox, on loop: LoopContext) {
        self.inbox = inbox
        self.loop = loop
    }

    /// Whether all that was taken out has been run.
    var isEmpty: Bool { backlog.value.isEmpty }

    // MARK: - Ports

    func addPort(_ handler: @escaping (any Sendable) -> Void) -> PortID {
        ports.insert(handler)
    }

    func removePort(_ id: PortID) {
        if ports.contains(id) { ports.remove(at: id.index) }
    }

    // MARK: - Messages

    /// Runs what was posted: one message, and more of them while that takes less than 50 µs; the
    /// rest waits for the next pass, before all that is posted meanwhile.
    ///
    /// The bell that was rung for the rest isn't answered before that is done, so that a message
    /// costs no system call. A value goes to its port, and anything else to `run`.
    func deliver(_ take: () -> [Inbox.Message], _ run: (Inbox.Message) -> Void) {
        let isFresh = backlog.value.isEmpty
        if isFresh {
            backlog.value = Inbox.Backlog(take())
        }
        let end = loop.clock.now.later(by: Self.longest)
        while let message = backlog.value.popFirst() {
            if case .value(let port, let generation, let value) = message {
                let id = PortID(index: port, generation: generation)
                if ports.contains(id) { ports[port](value) }
            } else {
                run(message)
            }
            if loop.clock.now >= end { break }
        }
        if !backlog.value.isEmpty {
            guard isFresh else { return }
            inbox.ring()
            loop.countErrands(1)  // a host's dispatch doesn't end before the rest is run
        } else {
            backlog.value = Inbox.Backlog()  // and its memory
            if !isFresh { loop.countErrands(-1) }
        }
    }

    /// Has a forked child forget what had come to its parent.
    func forget() {
        let lost = backlog.value
        backlog.value = Inbox.Backlog()
        if !lost.isEmpty { loop.countErrands(-1) }
        withExtendedLifetime(lost) {}  // until here: what posts hold may call as it goes
    }

    /// Takes nothing more, and gives back what has come and wasn't run.
    func close() -> [Inbox.Message] {
        var ports = SlotTable<(any Sendable) -> Void>()
        swap(&self.ports, &ports)
        defer { withExtendedLifetime(ports) {} }  // what they hold may call as it goes
        let left = backlog.value.messages + inbox.close()
        backlog.value = Inbox.Backlog()
        return left
    }
}
