import DeferredLoading
import IdleLoop
import ListCells
import ScrollModel
import TestSupport
import Testing

/// The whole way, from what happens to a list to what its rows show.
struct DeferredListTests {
    /// A list of rows of 100 px in a window of 400, whose texts take 1 ms each.
    private final class Bench {
        let time = VirtualTime()
        let loop: MainLoop
        let source: TextSource
        var list: DeferredList<Int, Text>!
        /// The rows and states that were shown, in order: `3 .`, `3 ~`, `3 3`, `3 !`.
        var log: [String] = []
        var onShow: (Int) -> Void = { _ in }
        var keys: (Int) -> Int? = { $0 }

        init(
            rows: Int = 1000, columns: Int? = nil, rule: any LoadingPolicy = .visible,
            limits: LoaderConfiguration = .init(), _ change: (TextSource) -> Void = { _ in }
        ) throws {
            loop = try MainLoop(clock: .virtual(time))
            source = TextSource(time)
            change(source)
            let flow = columns.map { LineFlow(.columns($0), width: 500) }
            let layout = try ListLayout(
                rowCounts: [rows], estimates: .init(row: 100), flow: flow)
            let viewport = Viewport(layout, height: 400)
            list = try DeferredList(
                on: loop, viewport, source: source, options: .init(rule: rule, loader: limits),
                key: { [unowned self] in keys($0) }
            ) { [unowned self] row, state in
                switch state {
                case .placeholder, .queued, .fetching, .loading: log.append("\(row) .")
                case .refined: log.append("\(row) ~")
                case .loaded(let text): log.append("\(row) \(text.key)")
                case .failed: log.append("\(row) !")
                }
                onShow(row)
            }
        }

        deinit {
            source.onCall = { _ in }
        }

        func run(for milliseconds: Int) throws {
            try loop.run(until: loop.clock.now + .milliseconds(milliseconds))
            list?.loader.checkInvariants()
        }

        /// Returns the lines of the log since the last call.
        func news() -> [String] {
            defer { log = [] }
            return log
        }

        /// Frames 16 ms apart, on an even way.
        func scroll(to target: Double, over milliseconds: Int) throws {
            let start = list.viewport.offset
            let count = max(1, milliseconds / 16)
            for step in 1...count {
                try run(for: 16)
                list.scrolled(to: start + (target - start) * Double(step) / Double(count))
            }
        }
    }

    @Test func `who tells of every frame needs no timer for looks`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        let loader = DeferredLoader(queue: IdleQueue<Int>(on: loop), source: TextSource(time))
        let viewport = Viewport(rows: try RowHeights(count: 1000, height: 100), height: 400)
        let told = DeferredList(
            sharing: loader, ScrollTracker(viewport), options: .init(rule: .visible),
            key: { $0 }, show: { _, _ in })
        func timers() throws -> Int {
            let fired = loop.statistics.timersFired
            try loop.run(until: loop.clock.now + .seconds(60))
            return loop.statistics.timersFired - fired - 1  // but for the end of the run itself
        }
        told.scrolled(to: 0)
        #expect(try timers() == 0)
        #expect(loader.state(of: 3).value != nil)
        let looking = DeferredList(
            sharing: loader, viewport, options: .init(rule: .visible), key: { $0 },
            show: { _, _ in })
        #expect(try timers() > 0)
        withExtendedLifetime((told, looking)) {}
    }

    @Test(arguments: [(nil, nil, 2), (1, nil, 1), (1, 4, 4)] as [(Int?, Int?, Int)])
    func `a list's fetches have its own workers, those of its source, or two`(
        ofSource: Int?, ofList: Int?, width: Int
    ) throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        let source = TextSource(time)
        source.fetchCost = .milliseconds(10)
        source.sliceCost = { _ in .zero }
        source.pool = try ofSource.map { try WorkerPool(width: $0, on: loop) }
        let viewport = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        let pool = try ofList.map { try WorkerPool(width: $0, on: loop) }
        let list = try DeferredList(
            on: loop, viewport, source: source, options: .init(rule: .visible, pool: pool),
            key: { $0 }, show: { _, _ in })
        try loop.run(until: .milliseconds(15))
        #expect(list.statistics.loaded == width)
    }

    @Test(arguments: [nil, 5]) func `a list's queue has room for 30 jobs, or for as many as said`(
        limit: Int?
    ) throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var options = ListOptions<Int>(rule: .visible)
        if let limit { options.queue.limit = limit }
        let viewport = Viewport(rows: try RowHeights(count: 1000, height: 2), height: 400)
        let list = try DeferredList(
            on: loop, viewport, source: TextSource(time), options: options, key: { $0 },
            show: { _, _ in })
        try loop.run(until: .seconds(1))
        #expect(list.statistics.loaded == 200)
        #expect(loop.statistics.jobs.longest == limit ?? 30)
        #expect(loop.statistics.jobs.dropped == 0)
    }

    @Test func `a reuse pool gives cells to the rows in view, and few are ever made`() throws {
        /// A view of a row's text.
        final class Cell { var text: Text? }
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        let viewport = Viewport(rows: try RowHeights(count: 1000, height: 100), height: 400)
        var pool = ReusePool<Int, Int, Cell>()
        var made = 0
        let options = ListOptions<Int>(
            rule: .visible,
            layout: { rows in
                pool.layout(rows, prepare: { $0.text = nil }) { _, pass in
                    pass.dequeue(0) {
                        made += 1
                        return Cell()
                    }
                }
            })
        let list = try DeferredList(
            on: loop, viewport, source: TextSource(time), options: options
        ) {
            $0
        } show: { row, state in
            pool[row]?.text = state.shown
        }
        for offset in stride(from: 0.0, through: 5_000, by: 130) {
            list.scrolled(to: offset)
            try loop.run(until: loop.clock.now + .milliseconds(16))
            for row in list.viewport.visibleRows { #expect(pool[row]?.text?.key == row) }
        }
        #expect(made <= 6)
    }

    @Test func `rows in view are placeholders, and then their values`() throws {
        let bench = try Bench()
        #expect(bench.news() == ["0 .", "1 .", "2 .", "3 ."])
        try bench.run(for: 20)
        #expect(bench.news() == ["0 0", "1 1", "2 2", "3 3"])
        bench.list.scrolled(to: 200)
        #expect(bench.news() == ["4 .", "5 ."])
        try bench.run(for: 20)
        #expect(bench.news() == ["4 4", "5 5"])
        // What is there is shown at once, and loaded once.
        bench.list.scrolled(to: 0)
        #expect(bench.news() == ["0 0", "1 1"])
        try bench.run(for: 20)
        #expect(bench.news() == [])
        #expect(bench.source.begun.sorted() == Array(0..<6))
    }

    @Test(arguments: [nil, 1, 4])
    func `a fling loads around its landing, and what it passes is left alone`(
        columns: Int?
    ) throws {
        let bench = try Bench(rows: 4000, columns: columns, rule: .within(rows: 3)) {
            $0.sliceCost = { _ in .milliseconds(1) }
        }
        try bench.run(for: 100)
        bench.source.forget()
        bench.list.handle(.down(y: 350))
        var y = 350.0
        for _ in 0..<8 {
            try bench.run(for: 8)
            y -= 30
            bench.list.handle(.moved(y: y), offset: 350 - y)
        }
        bench.list.handle(.up(y: y), offset: 350 - y)
        let target = try #require(bench.list.forecast?.target)
        let landing = bench.list.viewport.visibleRows(at: target)
        let across = columns ?? 1
        #expect(landing.lowerBound > 12 * across)
        bench.source.forget()
        let path = try #require(bench.list.forecast?.path)
        let lift = bench.loop.clock.now
        while bench.loop.clock.now - lift < path.duration {
            try bench.run(for: 16)
            bench.list.scrolled(to: path.offset(at: bench.loop.clock.now - lift))
        }
        let around = landing.lowerBound - 3 * across..<landing.upperBound + 3 * across
        #expect(Set(bench.source.begun) == Set(around))
        // Nobody says that the list rests.
        try bench.run(for: 1000)
        for row in bench.list.viewport.visibleRows {
            #expect(bench.list.state(ofRow: row).value != nil)
        }
    }

    @Test func `after a jump of which nothing more is told, what is in view is loaded soon`() throws
    {
        let bench = try Bench(rule: .within(rows: 3))
        try bench.run(for: 4000)
        bench.list.handle(.jumpBegan(target: 50_000), offset: 2_000)
        _ = bench.news()
        try bench.run(for: 400)
        #expect(bench.news().sorted() == ["20 20", "21 21", "22 22", "23 23"])
    }

    @Test func `an edit moves rows with their values, and asks for none anew`() throws {
        let bench = try Bench(rows: 10)
        try bench.run(for: 50)
        _ = bench.news()
        bench.source.forget()
        var shift = 1
        bench.keys = { $0 - shift }
        try bench.list.change {
            $0 = Viewport(rows: try RowHeights(count: 11, height: 100), height: 400)
        }
        #expect(bench.news() == ["0 .", "1 0", "2 1", "3 2"])
        try bench.run(for: 50)
        #expect(bench.source.begun == [-1])
        shift = 0
        #expect(bench.news() == ["0 -1"])
    }

    @Test func `rows of one key share its load`() throws {
        let bench = try Bench()
        try bench.run(for: 50)
        _ = bench.news()
        bench.keys = { $0 == 7 ? nil : $0 / 2 }
        bench.list.change { _ in }
        bench.list.scrolled(to: 400)
        #expect(bench.news() == ["1 0", "2 1", "3 1", "4 2", "5 2", "6 3"])
        bench.keys = { $0 / 2 + 500 }
        let before = bench.list.statistics.loaded
        bench.list.change { _ in }
        try bench.run(for: 50)
        #expect(bench.list.statistics.loaded - before == 4, "rows are counted, not their keys")
    }

    @Test func `a rule is asked at the present time, also of what came earlier`() throws {
        /// Notes when it's asked.
        struct Asked: LoadingPolicy {
            final class Log { var times: [Instant] = [] }
            let log = Log()

            func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
                log.times.append(moment.now)
                return nil
            }
        }
        let rule = Asked()
        let bench = try Bench(rule: rule)
        try bench.run(for: 50)
        let now = bench.loop.clock.now
        bench.list.scrolled(to: 300, at: now.advanced(by: .milliseconds(-40)))
        #expect(rule.log.times.last == now)
    }

    @Test func `a row that has changed is loaded anew`() throws {
        let bench = try Bench()
        try bench.run(for: 50)
        _ = bench.news()
        bench.source.versions[2] = 2
        bench.list.invalidate(row: 2)
        #expect(bench.news() == ["2 ."])
        try bench.run(for: 50)
        #expect(bench.news() == ["2 2"])
        #expect(bench.list.state(ofRow: 2).value?.version == 2)
    }

    @Test func `a list that is closed holds nothing that it was given`() throws {
        let live = LiveObjects()
        let bench = try Bench()
        let viewport = bench.list.viewport
        let list = try DeferredList<Int, Text>(
            on: bench.loop, viewport, source: bench.source,
            key: { [object = live.make()] row in
                withExtendedLifetime(object) {}
                return row
            },
            show: { [object = live.make()] _, _ in withExtendedLifetime(object) {} })
        try bench.run(for: 50)
        #expect(live.count == 2)
        list.close()
        #expect(live.count == 0)
        #expect(!list.loader.isOpen, "its own, which works for nobody else")
        list.scrolled(to: 500)
        list.handle(.down(y: 1))
        list.resized(to: 50)
        list.change { _ in }
        list.retry(row: 1)
        list.invalidate(row: 1)
        try bench.run(for: 50)
    }

    @Test func `rows that come, go and move keep what they show`() throws {
        let bench = try Bench()
        var photos = Array(0..<1000)
        bench.keys = { photos[$0] }
        try bench.run(for: 20)
        _ = bench.news()
        bench.source.forget()
        photos.insert(2000, at: 1)
        var updates = [ListUpdate]()
        updates.append(.insertRow(RowIndex(section: 0, row: 1)))
        let mapping = try bench.list.perform(updates, measure: { _ in 100 })
        #expect(mapping.newIndex(of: RowIndex(section: 0, row: 1))?.row == 2)
        #expect(bench.list.viewport.visibleRows == 0..<4 && bench.list.viewport.offset == 0)
        try bench.run(for: 20)
        #expect(bench.source.begun == [2000])
        #expect(bench.news() == ["1 .", "2 1", "3 2", "1 2000"])
        updates = [ListUpdate]()
        updates.append(.deleteRow(RowIndex(section: 0, row: 5000)))
        #expect(throws: ListUpdateError.self) { try bench.list.perform(updates) }
        #expect(bench.list.viewport.list.rowCount == 1001 && bench.news().isEmpty)
    }

    @Test(arguments: 0..<5) func `a list may be called inside a change of it`(call: Int) throws {
        let bench = try Bench()
        let calls: [() throws -> Void] = [
            { bench.list.scrolled(to: 5000) },
            { bench.list.resized(to: 700) },
            { bench.list.handle(.jumpBegan(target: 9000)) },
            { bench.list.change { $0.scroll(to: 300) } },
            { try bench.list.perform([.deleteRow(RowIndex(section: 0, row: 0))]) },
        ]
        try bench.list.change { viewport in
            try calls[call]()
            viewport.height = 300
        }
        #expect(bench.list.viewport.list.rowCount == 1000)
        #expect((bench.list.viewport.offset, bench.list.viewport.height) == (0, 300))
        try bench.run(for: 4000)
        #expect(Set(bench.log.suffix(3)) == ["0 0", "1 1", "2 2"])
        bench.list.change { _ in bench.list.close() }
        bench.list.change { _ in Issue.record("a list that is closed changes nothing") }
    }

    /// A rule that answers to a lift, once and for all.
    private struct LiftRule: LoadingPolicy {
        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            guard case .up = moment.event else { return nil }
            return [Wanted(500, urgency: .landing, rank: 0)]
        }
    }

    @Test(arguments: [false, true])
    func `an event inside a callback is followed at once, as the list is as it was told`(
        isEdited: Bool
    ) throws {
        let bench = try Bench(rule: LiftRule())
        var asked: Set<Int> = []
        bench.keys = { row in
            asked.insert(row)
            return row
        }
        bench.onShow = { [unowned bench] row in
            guard row == 10 else { return }
            bench.onShow = { _ in }
            bench.list.handle(.up(y: 0))
            if isEdited { bench.list.change { $0.height = 300 } }
            bench.list.scrolled(to: 2000)
        }
        bench.list.scrolled(to: 1000)
        try bench.run(for: 100)
        #expect(asked.contains(500))
        #expect(bench.list.loader.state(of: 500).value != nil)
    }

    @Test func `an edit inside of a callback leaves each row its own value`() throws {
        let bench = try Bench()
        var photos = (0..<1000).map { $0 / 2 }  // rows 0 and 1 show photo 0
        bench.keys = { photos.indices.contains($0) ? photos[$0] : nil }
        bench.list.change { _ in }
        bench.list.loader.settle(1, .success(Text(key: 1, version: 1)))
        bench.onShow = { [unowned bench] row in
            guard bench.log.last == "0 0" else { return }
            bench.onShow = { _ in }
            photos.removeFirst(2)
            let updates = (0..<2).map { ListUpdate.deleteRow(RowIndex(section: 0, row: $0)) }
            #expect(throws: Never.self) { try bench.list.perform(updates) }
        }
        try bench.run(for: 50)
        var shown: [String: String] = [:]
        for line in bench.news().map({ $0.split(separator: " ").map(String.init) }) {
            shown[line[0]] = line[1]
        }
        #expect((0..<4).map { shown["\($0)"] } == ["1", "1", "2", "2"])
    }

    /// A source of nothing.
    private struct Nothing: LoadSource {
        func load(_ key: CountedKey, fetched: Never?) throws -> any Load<Int> { throw Trouble() }
    }

    @Test(arguments: 1...12)
    func `a list that is closed holds no keys, also if it was as it asked for one`(
        calls: Int
    ) throws {
        let live = LiveObjects()
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        let loader = DeferredLoader(queue: IdleQueue<CountedKey>(on: loop), source: Nothing())
        loader.onDecision = { _ in }
        let viewport = Viewport(rows: try RowHeights(count: 5, height: 100), height: 400)
        var list: DeferredList<CountedKey, Int>?
        var asked = 0
        list = DeferredList(sharing: loader, viewport, options: .init(rule: .visible)) { row in
            asked += 1
            if asked == 4 + calls { list?.close() }
            return CountedKey(row, live)
        } show: { _, _ in
        }
        list?.change { _ in }  // it asks for all keys anew
        list?.close()
        loader.close()
        #expect(live.count == 0)
        withExtendedLifetime(list) {}
    }

    @Test func `no key is asked for of a row that a callback has deleted`() throws {
        let bench = try Bench(rule: .value)
        let few = Viewport(rows: try RowHeights(count: 5, height: 100), height: 400)
        var count = 1000
        bench.keys = { row in
            #expect(row < count)
            return row
        }
        bench.onShow = { [unowned bench] row in
            guard row == 10 else { return }
            count = 5
            bench.list.change { $0 = few }
        }
        bench.list.scrolled(to: 1000)
        #expect(count == 5)
        try bench.run(for: 100)
    }

    @Test func `it says how many rows were there when they came into view`() throws {
        let bench = try Bench(rule: .everything)
        bench.source.failing = { $0 == 2 }
        try bench.run(for: 100)
        #expect(bench.list.statistics.entered == 4 && bench.list.statistics.ready == 0)
        #expect(bench.list.statistics.loaded == 3 && bench.list.statistics.failed == 1)
        bench.list.scrolled(to: 300)
        #expect(bench.list.statistics.entered == 7 && bench.list.statistics.ready == 3)
    }

    @Test func `frames set few timers, and a list at rest sets none`() throws {
        let bench = try Bench()
        try bench.run(for: 10_000)
        let before = bench.loop.statistics
        try bench.run(for: 100_000)
        #expect(bench.loop.statistics.turns - before.turns <= 2)
        let still = bench.loop.statistics
        try bench.scroll(to: 20_000, over: 1600)
        let moved = bench.loop.statistics
        // A timer stays until it's due, each 160 ms; each frame's run has one for its end.
        #expect(moved.timersFired - still.timersFired == 100 + 10)
        try bench.run(for: 100_000)
        // Two looks as it comes to rest, one when that is long ago.
        #expect(bench.loop.statistics.timersFired - moved.timersFired == 3 + 1)
        #expect(bench.loop.statistics.turns - moved.turns <= 7)
    }
}
