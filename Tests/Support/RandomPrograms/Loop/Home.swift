internal import IdleLoop

/// A loop, and how its time goes by.
final class Home {
    /// Who drives a loop.
    enum Driver {
        /// Its own `run`, on virtual time.
        case virtual(VirtualTime)
        /// Its own `run`, on the machine's clock, without a wait.
        case monotonic
        /// A host's dispatch.
        case host(any ProgramHost)
    }

    let loop: MainLoop
    let driver: Driver
    private let laws: Laws
    /// Whether the loop is being driven now.
    private(set) var isDriven = false

    init(_ driver: Driver, inboxCapacity: Int, _ laws: Laws) {
        self.driver = driver
        self.laws = laws
        do {
            switch driver {
            case .virtual(let time):
                loop = try MainLoop(clock: .virtual(time), inboxCapacity: inboxCapacity)
            case .monotonic:
                loop = try MainLoop(inboxCapacity: inboxCapacity)
            case .host(let host):
                loop = try host.adopt(inboxCapacity: inboxCapacity)
            }
        } catch {
            preconditionFailure("there are descriptors for a loop: \(error)")
        }
    }

    /// Whether it's on virtual time.
    var isVirtual: Bool {
        if case .virtual = driver { true } else { false }
    }

    /// Has the loop do what it can within `time`, which passes on virtual time only; nil goes on there
    /// until nothing will ever happen again.
    func drive(for time: Duration?) {
        let wasDriven = isDriven
        isDriven = true
        defer { isDriven = wasDriven }
        let loop = loop
        do throws(LoopError) {
            switch driver {
            case .virtual:
                let before = loop.statistics.turns
                if let time {
                    try loop.run(until: loop.clock.now.advanced(by: time))
                } else {
                    try loop.run()
                }
                laws.expect(loop.statistics.turns - before < 10_000, "a run comes to an end")
            case .monotonic:
                // Each pass but the last asks for another, so that the loop never sleeps.
                var passes = 4
                let stopper = loop.observe(.beforeIdle) { [unowned loop] _ in
                    passes -= 1
                    if passes > 0 { loop.inbox.post { _ in } } else { loop.stop() }
                }
                defer { stopper.cancel() }
                try loop.run()
            case .host(let host):
                for _ in 0..<4 { host.dispatch() }
            }
        } catch {
            switch error {
            case .closed: laws.expect(loop.isClosed, "a loop that is open can be run")
            case .alreadyRunning: laws.expect(wasDriven, "a loop that rests can be run")
            default: laws.expect(false, "a loop can be run: \(error)")
            }
        }
    }
}
