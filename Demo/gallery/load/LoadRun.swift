internal import IdleLoop
internal import ScrollModel

/// Many people at once, for so long, and what they saw.
final class LoadRun {
    let server: ServerAddress
    let loop: MainLoop
    let seed: UInt64
    let clientsPerAddress: Int
    /// How many seconds people look at what they see, about.
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

    private var people: [Person] = []
    private(set) var probe: Probe!
    private var lists: [ListFacts] = []
    private var asker: Asker!

    init(
        _ server: ServerAddress, seed: UInt64, clientsPerAddress: Int, pause: Double
    ) throws(LoopError) {
        loop = try MainLoop()
        self.server = server
        self.seed = seed
        self.clientsPerAddress = clientsPerAddress
        self.pause = pause
        probe = Probe(in: self)
        asker = Asker(server, from: 0, on: loop)
    }

    /// Runs so many people for so long.
    ///
    /// - Throws: `LoopError` if the loop can't go on.
    func play(people count: Int, seconds: Double) throws(LoopError) {
        // On the loop: where nobody listens it stops at once, and only a loop that runs is stopped.
        loop.scheduleOnce(after: .zero) { [unowned self] in
            fetchList { [unowned self] in come(people: count, for: seconds) }
        }
        try loop.run()
    }

    private func come(people count: Int, for seconds: Double) {
        probe.ask()
        // They come one after the other: a page that is opened costs more than one that scrolls.
        for number in 0..<count {
            let delay = Duration.milliseconds(Int64(number) * 2)
            loop.scheduleOnce(after: delay) { [unowned self] in
                let person = Person(number, in: self)
                people.append(person)
                person.come()
            }
        }
        let warmUp = Duration.milliseconds(Int64(count) * 2 + 1000)
        loop.scheduleOnce(after: warmUp) { [unowned self] in begin(seconds) }
    }

    /// Counts from now on.
    private func begin(_ seconds: Double) {
        reports = Figures()
        pictures = Figures()
        settled = SettleFigures()
        probe.reset()
        loop.scheduleOnce(after: .nanoseconds(Int64(seconds * 1e9))) { [unowned self] in end() }
    }

    private func end() {
        probe.end()
        starving = people.compactMap { $0.wait(at: loop.clock.now) }.filter { $0 > .seconds(3) }
        for person in people { person.leave() }
        loop.stop()
    }

    /// Those who wait for what is in view for more than three seconds at the end.
    private(set) var starving: [Duration] = []

    /// How many people there are.
    var count: Int { people.count }

    private func fetchList(from row: Int = 0, then: @escaping () -> Void) {
        asker.ask("GET", "/list?from=\(row)") { [unowned self] answer in
            guard let body = answer?.body, answer?.status == 200,
                let part = try? ListFacts(body)
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
}
