internal import IdleLoop
internal import ScrollModel

/// Many people at once, for so long, and what they saw.
final class LoadRun {
    let server: ServerAddress
    let loop: MainLoop
    let seed: UInt64
    let clientsPerAddress: Int
    /// The seconds for which people look at what they see, about.
    let pause: Double
    private(set) var layout = ListLayout(RowHeights())
    private(set) var version = -1
    /// Whether the list was fetched and has changed since.
    var listChanged = false

    var reports = Figures()
    var pictures = Figures()
    var settled = SettleFigures()
    var flings = 0
    var failures = 0
    var refused = 0
    var streamsLost = 0
    var bytes = 0

    /// The strangers that come when all has been counted once, to be counted again.
    private let numbers: Strangers.Numbers
    private(set) var strangers: Strangers?
    /// The report from before they came.
    private(set) var calm: LoadReport?
    /// The pictures, if there are strangers, who ask for the first: the largest come first.
    private(set) var pictureRows: [RowFacts.Row] = []

    private var people: [Person] = []
    private(set) var probe: Probe!
    /// Asks for small pictures that nobody has asked for, if there are strangers.
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

    /// Runs so many people for so long.
    ///
    /// - Throws: `LoopError` if the loop can't go on.
    func play(people count: Int, seconds: Double) throws(LoopError) {
        // On the loop: where nobody listens it stops at once, and only a loop that runs is stopped.
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
            // The smallest first.
            var left = pictureRows.count
            let newcomer = Probe(from: 1, pausing: .milliseconds(50), in: self) { [unowned self] in
                left -= 1
                return left >= 0 ? "/thumbnails/\(pictureRows[left].key)" : nil
            }
            self.newcomer = newcomer
            newcomer.ask()
        }
        // They come one after the other: a page that is opened costs more than one that scrolls.
        for number in 0..<count {
            let delay = Duration.milliseconds(Int64(number) * 2)
            loop.schedule(after: delay) { [unowned self] in
                let person = Person(number, in: self)
                people.append(person)
                person.come()
            }
        }
        let warmUp = Duration.milliseconds(Int64(count) * 2 + 1000)
        loop.schedule(after: warmUp) { [unowned self] in begin(seconds) }
    }

    /// Counts from now on.
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

    /// The waits for what is in view of more than three seconds at the end.
    private(set) var starving: [Duration] = []

    /// The number of people.
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
