internal import IdleLoop
internal import ScrollModel

/// A load test: many simulated users at once for some time, with their measurements.
final class LoadRun {
    let server: ServerAddress
    let loop: MainLoop
    let seed: UInt64
    let clientsPerAddress: Int
    /// The approximate number of seconds for which users look at the rows in view.
    let pause: Double
    private(set) var layout = ListLayout(RowHeights())
    private(set) var version = -1
    /// Whether the list has changed since it was fetched.
    var listChanged = false

    var reports = Figures()
    var pictures = Figures()
    var settled = SettleFigures()
    var flings = 0
    var failures = 0
    var refused = 0
    var streamsLost = 0
    var bytes = 0

    /// The numbers of attackers, which start after the first measurement, for a second one.
    private let numbers: Strangers.Numbers
    private(set) var strangers: Strangers?
    /// The report of the measurement without attackers.
    private(set) var calm: LoadReport?
    /// The pictures, if there are attackers, who request the first ones; sorted from large to
    /// small.
    private(set) var pictureRows: [RowFacts.Row] = []

    private var people: [VirtualUser] = []
    private(set) var probe: Probe!
    /// The probe that requests small pictures that nobody has requested before, if there are
    /// attackers.
    private(set) var newcomer: Probe?
    private var lists: [ListFacts] = []
    private var asker: Asker!

    init(
        _ server: ServerAddress, seed: UInt64, clientsPerAddress: Int, pause: Double,
        strangers numbers: Strangers.Numbers
    ) throws(LoopError) {
        loop = try MainLoop()
        self.server = server
        self.seed = seed
        self.clientsPerAddress = clientsPerAddress
        self.pause = pause
        self.numbers = numbers
        probe = Probe(from: 0, pausing: .milliseconds(2), in: self) { "/healthz" }
        asker = Asker(server, from: 0, on: loop)
    }

    /// Runs this number of users for this time.
    ///
    /// - Throws: `LoopError` if the loop can't continue.
    func play(people count: Int, seconds: Double) throws(LoopError) {
        // This runs on the loop: a connection may fail at once, and only a running loop can be
        // stopped.
        loop.schedule(after: .zero) { [unowned self] in
            fetchList { [unowned self] in
                guard !numbers.isNobody else { return come(people: count, for: seconds) }
                fetchRows { [unowned self] in come(people: count, for: seconds) }
            }
        }
        try loop.run()
    }

    private func come(people count: Int, for seconds: Double) {
        probe.ask()
        if !pictureRows.isEmpty {
            // The smallest pictures come first.
            var left = pictureRows.count
            let newcomer = Probe(from: 1, pausing: .milliseconds(50), in: self) { [unowned self] in
                left -= 1
                return left >= 0 ? "/thumbnails/\(pictureRows[left].key)" : nil
            }
            self.newcomer = newcomer
            newcomer.ask()
        }
        // Users start one after the other: opening a page costs more than scrolling it.
        for number in 0..<count {
            let delay = Duration.milliseconds(Int64(number) * 2)
            loop.schedule(after: delay) { [unowned self] in
                let person = VirtualUser(number, in: self)
                people.append(person)
                person.come()
            }
        }
        let warmUp = Duration.milliseconds(Int64(count) * 2 + 1000)
        loop.schedule(after: warmUp) { [unowned self] in begin(seconds) }
    }

    /// Starts the measurement.
    private func begin(_ seconds: Double) {
        lasting = seconds
        reports = Figures()
        pictures = Figures()
        settled = SettleFigures()
        probe.reset()
        newcomer?.reset()
        loop.schedule(after: .nanoseconds(Int64(seconds * 1e9))) { [unowned self] in end() }
    }

    private func end() {
        if !numbers.isNobody, strangers == nil {
            calm = LoadReport(self)
            strangers = Strangers(numbers, in: self)
            loop.schedule(after: .seconds(2)) { [unowned self] in begin(lasting) }
            return
        }
        strangers?.close()
        probe.end()
        newcomer?.end()
        starving = people.compactMap { $0.wait(at: loop.clock.now) }.filter { $0 > .seconds(3) }
        for person in people { person.leave() }
        loop.stop()
    }

    private var lasting = 0.0

    /// The waits for visible rows that had lasted more than three seconds at the end.
    private(set) var starving: [Duration] = []

    /// The number of users.
    var count: Int { people.count }

    private func fetchList(from row: Int = 0, then: @escaping () -> Void) {
        asker.ask("GET", "/list?from=\(row)") { [unowned self] answer in
            guard let body = answer?.body, answer?.status == 200,
                let part = try? ListFacts(json: body)
            else { return loop.stop() }
            lists.append(part)
            if let next = part.next { return fetchList(from: next, then: then) }
            guard let layout = try? ListFacts.layout(lists) else { return loop.stop() }
            self.layout = layout
            version = part.version
            asker.close()
            then()
        }
    }

    private func fetchRows(then: @escaping () -> Void) {
        let (first, end) = (pictureRows.count, min(pictureRows.count + 256, layout.rowCount))
        guard first < end else {
            pictureRows.sort { $0.area > $1.area }
            asker.close()
            return then()
        }
        asker.ask("GET", "/rows?v=\(version)&from=\(first)&to=\(end)") { [unowned self] answer in
            guard let body = answer?.body, answer?.status == 200,
                let rows = try? RowFacts(json: body).rows, !rows.isEmpty
            else { return loop.stop() }
            pictureRows += rows
            fetchRows(then: then)
        }
    }
}
