import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

/// Lists whose rows are shown elsewhere: from what a display reports to what it is sent.
struct RemoteListTests {
    /// A list of rows of 100 px in a window of 400 elsewhere, whose texts take 1 ms each.
    private final class Bench {
        /// The rule `value`, with a count of its plans.
        private final class Counted: LoadingPolicy {
            var rule: any LoadingPolicy
            var plans = 0

            init(_ rule: any LoadingPolicy) { self.rule = rule }

            func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
                plans += 1
                return rule.wanted(after: moment, loads: loads)
            }

            func note(_ moment: ScrollState) -> [Wanted<Int>]? { rule.note(moment) }

            var isPartial: Bool { rule.isPartial }
        }

        let base: LoaderBench
        private let rule: Counted
        private(set) var list: DeferredList<Int, Text>!
        /// What the display has, and what it was sent, in order: `3`, `3!`.
        var has: Set<Int> = []
        var sent: [String] = []
        var onSend: (Int) -> Void = { _ in }
        /// How many of the wanted keys may be requested, and the keys it was asked about.
        var admits: ([Int]) -> Int = { $0.count }
        var asked: [[Int]] = []
        /// The number of questions for keys.
        var keys = 0
        var firstKey = 0
        var plans: Int { rule.plans }
        var loop: MainLoop { base.loop }

        init(
            rows: Int = 1000, rule: any LoadingPolicy = .visible, columns: Int? = nil,
            price: WorkPrice? = nil
        ) throws {
            base = try LoaderBench { if let price { $0.prices = price...price } }
            self.rule = Counted(rule)
            let flow = columns.map { LineFlow(.columns($0), width: 4000) }
            let layout = try ListLayout(rowCounts: [rows], estimates: .init(row: 100), flow: flow)
            let display = RemoteDisplay<Int>(
                has: { [unowned self] in has.contains($0) },
                admits: { [unowned self] wanted in
                    asked.append(wanted.map(\.key))
                    return admits(wanted.map(\.key))
                })
            list = DeferredList(
                sharing: base.loader, Viewport(layout, height: 400), on: display,
                options: .init(rule: self.rule, name: "page")
            ) { [unowned self] row in
                keys += 1
                return firstKey + row
            } send: { [unowned self] key, state in
                has.insert(key)
                sent.append(state.value == nil ? "\(key)!" : "\(key)")
                onSend(key)
            }
        }

        func run(for milliseconds: Int) throws {
            try loop.run(until: loop.clock.now + .milliseconds(milliseconds))
            base.loader.checkInvariants()
        }

        func show(_ offset: Double) {
            list?.scrolled(to: offset)
            list?.update()
        }

        /// Reports a stroke upwards that leaves at so many px a second, and Chromium's fling to its
        /// end, three frames at a time; what was asked before the finger left is forgotten.
        func fling(at velocity: Double) throws {
            let step = velocity / 125
            list.handle(.down(y: 700))
            for sample in 1...10 {
                try run(for: 8)
                list.handle(.moved(y: 700 - step * Double(sample)))
            }
            list.handle(.up(y: 700 - step * 10), offset: step * 10)
            list.update()
            asked = []
            let bounds = 0...list.viewport.maximumOffset
            let fling = Scroller(.chromium).fling(
                from: step * 10, velocity: velocity, bounds: bounds,
                viewportHeight: list.viewport.height)
            let start = loop.clock.now
            while loop.clock.now - start < fling.duration {
                for _ in 0..<3 {
                    try run(for: 16)
                    list.scrolled(to: fling.offset(at: loop.clock.now - start))
                }
                list.update()
            }
        }

        func close() {
            list?.close()
            list = nil
        }

        func news() -> [String] {
            defer { sent = [] }
            return sent
        }
    }

    @Test func `each key that is wanted is sent once, in view or not, and failures too`() throws {
        let bench = try Bench(rule: .everything)
        bench.base.source.failing = { $0 == 2 }
        #expect(bench.plans == 0 && bench.keys == 0)
        bench.show(0)
        #expect(bench.sent == [])
        try bench.run(for: 1000)
        #expect(bench.news() == ["0", "1", "2!", "3", "4", "5", "6", "7", "8", "9", "10", "11"])
        #expect(bench.base.loader.state(of: 11).value != nil)
        bench.show(0)
        try bench.run(for: 1000)
        #expect(bench.news() == [])
        // What is there already is sent at once.
        bench.has = []
        bench.show(0)
        #expect(bench.news().filter { $0 != "2!" } == (0..<12).filter { $0 != 2 }.map { "\($0)" })
    }

    @Test func `events and changes are noted, and the rule is asked once after all`() throws {
        let bench = try Bench(rule: .value)
        bench.show(0)
        try bench.run(for: 500)
        let (plans, keys) = (bench.plans, bench.keys)
        for step in 1...100 {
            try bench.run(for: 1)
            bench.list.scrolled(to: Double(step * 7))
        }
        bench.list.resized(to: 300)
        bench.list.change { $0.height = 500 }
        #expect(bench.plans - plans <= 1)
        bench.list.update()
        #expect(bench.plans - plans <= 2)
        #expect(bench.keys > keys)
        try bench.run(for: 1000)
        #expect(Set(7..<12).isSubset(of: bench.has))
    }

    @Test func `a rule that answers to an event is heard at the update`() throws {
        let bench = try Bench(rule: .visible)
        bench.list.scrolled(to: 500)
        bench.list.handle(.down(y: 100))
        bench.list.update()
        try bench.run(for: 100)
        #expect(bench.news() == ["5", "6", "7", "8"])
    }

    @Test func `rows that leave are cancelled, and rows that the display has aren't wanted`()
        throws
    {
        let bench = try Bench()
        bench.show(0)
        bench.has = [21]
        bench.show(2000)
        try bench.run(for: 100)
        #expect(bench.news() == ["20", "22", "23"])
        #expect(bench.base.source.begun == [20, 22, 23])
    }

    // MARK: - Admission

    @Test func `what isn't admitted is wanted again when half of the rest has ended`() throws {
        let bench = try Bench(rule: .everything)
        bench.admits = { min($0.count, 2) }
        bench.show(0)
        try bench.run(for: 30)
        #expect(bench.sent.count == 12)
        #expect(bench.base.source.begun == Array(0..<12))
        #expect(bench.asked.first?.count == 12)
        // The most urgent come first, and what was requested is among them.
        for (keys, next) in zip(bench.asked, bench.asked.dropFirst()) {
            #expect(Set(next).isSubset(of: keys))
        }
    }

    @Test func `what isn't admitted is wanted again after 250 ms, and nothing else is`() throws {
        let bench = try Bench()
        bench.admits = { _ in 0 }
        bench.show(0)
        try bench.run(for: 4000)
        let count = bench.asked.count
        try bench.run(for: 2500)
        #expect(bench.asked.count - count == 10)
        #expect(bench.sent == [])
        bench.admits = { $0.count }
        try bench.run(for: 260)
        #expect(bench.news() == ["0", "1", "2", "3"])
        // At rest nothing wakes up.
        let turns = bench.loop.statistics.turns
        try bench.run(for: 600_000)
        #expect(bench.loop.statistics.turns - turns <= 2)
    }

    @Test func `what was admitted and isn't any more is cancelled`() throws {
        let bench = try Bench()
        bench.show(0)
        #expect(bench.list.wanted.map(\.key) == [0, 1, 2, 3])
        bench.admits = { _ in 1 }
        bench.list.update()
        #expect(bench.list.wanted.map(\.key) == [0])
        bench.admits = { _ in 0 }
        bench.list.update()
        #expect(bench.list.wanted == [])
        try bench.run(for: 200)
        #expect(bench.base.source.begun == [])
    }

    @Test(arguments: [true, false])
    func `all rows in view are sent, however many, loaded or not`(areLoaded: Bool) throws {
        let bench = try Bench(rows: 10_000, rule: .value, columns: 600)
        bench.base.source.sliceCost = { _ in .microseconds(100) }
        let visible = Set(bench.list.viewport.visibleRows)
        #expect(visible.count == 2400)
        if areLoaded {
            for row in visible {
                bench.base.loader.settle(row, .success(Text(key: row, version: 1)))
            }
        }
        bench.show(0)
        try bench.run(for: 3000)
        #expect(visible.isSubset(of: bench.has))
    }

    @Test(arguments: [9000.0, 14_000, 20_000])
    func `while others wait, a fling requests only rows around its landing`(
        _ velocity: Double
    ) throws {
        let bench = try Bench(rows: 5000, rule: .value, price: .highest)
        bench.base.source.sliceCost = { _ in .milliseconds(7) }
        bench.list.resized(to: 800)
        bench.show(0)
        try bench.run(for: 500)
        try bench.fling(at: velocity)
        let end = bench.list.viewport.visibleRows.bounds
        try bench.run(for: 3000)
        #expect(end.lowerBound > 30 && Set(end).isSubset(of: bench.has))
        // Those in view when the finger left, and what is prefetched around the landing.
        let passed = Set(bench.asked.joined()).filter { $0 > 16 && $0 < end.lowerBound - 12 }
        #expect(passed == [])
    }

    // MARK: - Silence and turns

    @Test func `a display that falls silent in a fling is sent what it shows`() throws {
        let bench = try Bench(rule: .value)
        bench.show(0)
        try bench.run(for: 300)
        bench.list.handle(.down(y: 300))
        for step in 1...4 {
            try bench.run(for: 8)
            bench.list.handle(.moved(y: 300 - Double(step * 60)))
        }
        bench.list.handle(.up(y: 50))
        bench.list.scrolled(to: 5000)
        bench.list.update()
        try bench.run(for: 1000)
        #expect(Set(50..<54).isSubset(of: bench.has))
        #expect(bench.list.motion.velocity == 0 && bench.list.forecast == nil)
    }

    @Test func `a list that has an owner asks to be updated, and doesn't by itself`() throws {
        let bench = try Bench(rule: .everything)
        var due = 0
        bench.list.onDue = { due += 1 }
        bench.admits = { min($0.count, 2) }
        bench.show(0)
        try bench.run(for: 200)
        #expect(bench.news() == ["0", "1"] && due > 0)
        let plans = bench.plans
        try bench.run(for: 5000)
        #expect(bench.plans == plans && bench.sent == [])
        bench.list.update()
        try bench.run(for: 100)
        #expect(bench.news() == ["2", "3"])
    }

    @Test func `events that come late take the more time to the display`() throws {
        /// A rule that takes down what it's told of the way.
        final class Asking: LoadingPolicy {
            var delivery: [Duration] = []
            func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
                delivery.append(loads.delivery)
                return nil
            }
            func note(_ moment: ScrollState) -> [Wanted<Int>]? { nil }
        }
        let bench = try LoaderBench()
        let rule = Asking()
        let viewport = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        let list = DeferredList(
            sharing: bench.loader, viewport,
            on: RemoteDisplay(has: { _ in false }, delivery: { .milliseconds(40) }),
            options: .init(rule: rule), key: { $0 }, send: { _, _ in })
        try bench.run(until: 1000)
        list.scrolled(to: 100, at: Instant.zero.advanced(by: .milliseconds(930)))
        list.update()
        list.update()
        #expect(rule.delivery == [.milliseconds(110), .milliseconds(40)])
    }

    // MARK: - Callbacks

    @Test func `rows may be others at any time, and what is under way is sent all the same`()
        throws
    {
        let bench = try Bench()
        bench.show(0)
        bench.firstKey = 100
        bench.list.change { _ in }
        try bench.run(for: 50)
        #expect(bench.news() == ["0", "1", "2", "3"])
        bench.list.update()
        try bench.run(for: 50)
        #expect(bench.news() == ["100", "101", "102", "103"])
    }

    @Test(arguments: [false, true])
    func `a list may be closed and let go of by what is sent`(isLoaded: Bool) throws {
        let bench = try Bench()
        if isLoaded {
            bench.show(0)
            try bench.run(for: 50)
            (bench.has, bench.sent) = ([], [])
        }
        bench.onSend = { [unowned bench] _ in bench.close() }
        bench.show(0)
        try bench.run(for: 1000)
        #expect(bench.news() == ["0"])
        #expect(bench.list == nil)
    }

    @Test func `an update inside a callback is made at once`() throws {
        let bench = try Bench()
        bench.base.loader.settle(0, .success(Text(key: 0, version: 1)))
        bench.onSend = { [unowned bench] key in
            if key == 0 { bench.show(1000) }
        }
        bench.show(0)
        try bench.run(for: 100)
        #expect(bench.news() == ["0", "10", "11", "12", "13"])
    }
}
