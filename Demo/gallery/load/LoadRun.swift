internal import IdleLoop
internal import LullTesting

/// A load test: many simulated users at once for some time, with their measurements.
final class LoadRun {
    let server: ServerAddress
    let loop: MainLoop
    /// The approximate time for which users look at the rows in view.
    let pause: Duration
    /// The plain page that is open instead of the gallery's, if there is one.
    let page: VirtualPlainUser.Page?
    /// Whether users start at random places in the list.
    let isSpread: Bool
    /// The list as it was at the start; nil if no gallery answers with a whole one.
    private(set) var list: ServerList?
    private(set) var figures = LoadFigures()
    /// The hostile page, which comes after the first measurement, for a second one.
    private(set) var hostile: HostilePage?
    /// The report of the measurement without it.
    private(set) var calm: LoadReport?
    /// The waits for visible rows that had lasted more than three seconds at the end.
    private(set) var starving: [Duration] = []
    let probe: Probe

    private let hasHostile: Bool
    private var users: [LoadUser] = []
    private var fetcher: ListFetcher?

    init(
        _ server: ServerAddress, pause: Duration, page: VirtualPlainUser.Page?, isSpread: Bool,
        hasHostile: Bool
    ) throws(LoopError) {
        loop = try MainLoop()
        self.server = server
        self.pause = pause
        self.page = page
        self.isSpread = isSpread
        self.hasHostile = hasHostile
        probe = Probe(server, on: loop)
    }

    /// The number of users that share an address.
    static let clientsPerAddress = 10

    /// The number of users.
    var count: Int { users.count }

    /// Records what a user has experienced.
    func note(_ event: LoadFigures.Event) { figures.note(event) }

    /// Returns the random numbers of the user of this number.
    func random(ofUser number: Int) -> SeededGenerator {
        SeededGenerator(seed: 1_000_000 + UInt64(number))
    }

    /// Returns a user's list, at its start or at a random place.
    func scrolling(in list: ServerList, using random: inout SeededGenerator) -> Scrolling {
        guard isSpread else { return Scrolling(list.layout) }
        let share = Double.random(in: 0..<1, using: &random)
        return Scrolling(list.layout, from: share, at: loop.clock.now)
    }

    /// Runs this number of users for this time.
    ///
    /// - Throws: `LoopError` if the loop can't continue.
    func play(users count: Int, for duration: Duration) throws(LoopError) {
        let fetcher = ListFetcher(from: server, on: loop) {
            [unowned self] list in
            self.list = list
            if list == nil { loop.stop() } else { open(users: count, for: duration) }
        }
        self.fetcher = fetcher
        // This runs on the loop: a connection may fail at once, and only a running loop can be
        // stopped.
        loop.schedule(after: .zero) { fetcher.start() }
        try loop.run()
    }

    private func open(users count: Int, for duration: Duration) {
        probe.ask()
        // Users start one after the other: opening a page costs more than scrolling it.
        for number in 0..<count {
            let delay = Duration.milliseconds(Int64(number) * 2)
            loop.schedule(after: delay) { [unowned self] in
                guard let list else { return }
                let user: LoadUser =
                    if let page {
                        VirtualPlainUser(number, of: list, on: page, in: self)
                    } else { VirtualUser(number, of: list, in: self) }
                users.append(user)
                user.open()
            }
        }
        let warmUp = Duration.milliseconds(Int64(count) * 2 + 1000)
        loop.schedule(after: warmUp) { [unowned self] in measure(for: duration) }
    }

    private func measure(for duration: Duration) {
        figures.resetTimes()
        probe.reset()
        loop.schedule(after: duration) { [unowned self] in endMeasurement(of: duration) }
    }

    private func endMeasurement(of duration: Duration) {
        if hasHostile, hostile == nil, let list {
            calm = LoadReport(self)
            hostile = HostilePage(of: list, at: server, on: loop)
            loop.schedule(after: .seconds(2)) { [unowned self] in measure(for: duration) }
            return
        }
        hostile?.close()
        probe.end()
        starving = users.compactMap { $0.wait(at: loop.clock.now) }.filter { $0 > .seconds(3) }
        for user in users { user.close() }
        loop.stop()
    }
}
