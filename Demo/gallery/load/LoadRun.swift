internal import IdleLoop

/// A load test: many simulated users at once for some time, with their measurements.
final class LoadRun {
    let server: ServerAddress
    let loop: MainLoop
    let seed: UInt64
    let clientsPerAddress: Int
    /// The approximate time for which users look at the rows in view.
    let pause: Duration
    /// The plain page that is open instead of the gallery's, if there is one.
    let page: VirtualPlainUser.Page?
    /// Whether users start at random places in the list.
    let isSpread: Bool
    /// The list as it was at the start; nil if no gallery answers with a whole one.
    private(set) var list: ServerList?
    private(set) var figures = LoadFigures()
    /// The attackers, who start after the first measurement, for a second one.
    private(set) var attackers: Attackers?
    /// The report of the measurement without attackers.
    private(set) var calm: LoadReport?
    /// The waits for visible rows that had lasted more than three seconds at the end.
    private(set) var starving: [Duration] = []
    let probe: Probe
    /// The probe that requests small pictures that nobody has requested before, if there are
    /// attackers.
    private(set) var newcomer: Probe?

    private let numbers: Attackers.Numbers
    private var users: [LoadUser] = []
    private var fetcher: ListFetcher?

    init(
        _ server: ServerAddress, seed: UInt64, clientsPerAddress: Int, pause: Duration,
        page: VirtualPlainUser.Page?, isSpread: Bool, attackers numbers: Attackers.Numbers
    ) throws(LoopError) {
        loop = try MainLoop()
        self.server = server
        self.seed = seed
        self.clientsPerAddress = clientsPerAddress
        self.pause = pause
        self.page = page
        self.isSpread = isSpread
        self.numbers = numbers
        probe = Probe(server, from: 0, pausing: .milliseconds(2), on: loop) { "/healthz" }
    }

    /// The number of users.
    var count: Int { users.count }

    /// Records what a user has experienced.
    func note(_ event: LoadFigures.Event) { figures.note(event) }

    /// Returns the random numbers of the user of this number.
    func random(ofUser number: Int) -> SplitMix64 {
        SplitMix64(seed: seed &* 1_000_000 &+ UInt64(number))
    }

    /// Returns a user's list, at its start or at a random place.
    func scrolling(in list: ServerList, using random: inout SplitMix64) -> Scrolling {
        guard isSpread else { return Scrolling(list.layout) }
        let share = Double.random(in: 0..<1, using: &random)
        return Scrolling(list.layout, from: share, at: loop.clock.now)
    }

    /// Runs this number of users for this time.
    ///
    /// - Throws: `LoopError` if the loop can't continue.
    func play(users count: Int, for duration: Duration) throws(LoopError) {
        let fetcher = ListFetcher(from: server, on: loop, withRows: !numbers.isNobody) {
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
        if let rows = list?.rows, !rows.isEmpty {
            // The smallest pictures come first.
            var left = rows.count
            let newcomer = Probe(server, from: 1, pausing: .milliseconds(50), on: loop) {
                left -= 1
                return left >= 0 ? "/thumbnails/\(rows[left].key)" : nil
            }
            self.newcomer = newcomer
            newcomer.ask()
        }
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
        newcomer?.reset()
        loop.schedule(after: duration) { [unowned self] in endMeasurement(of: duration) }
    }

    private func endMeasurement(of duration: Duration) {
        if !numbers.isNobody, attackers == nil, let list {
            calm = LoadReport(self)
            attackers = Attackers(numbers, of: list, at: server, on: loop)
            loop.schedule(after: .seconds(2)) { [unowned self] in measure(for: duration) }
            return
        }
        attackers?.close()
        probe.end()
        newcomer?.end()
        starving = users.compactMap { $0.wait(at: loop.clock.now) }.filter { $0 > .seconds(3) }
        for user in users { user.close() }
        loop.stop()
    }
}
