import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// Lists with so many rows in view that one answer of a rule doesn't name them all, and lists with
/// rows that have no pixels.
struct ManyRowsTests {
    /// A list on virtual time, with counts of what is asked of it.
    private final class Bench {
        /// A rule that counts its answers.
        private struct Counted: LoadingPolicy {
            var rule: any LoadingPolicy
            unowned let bench: Bench

            mutating func wanted(
                after moment: ScrollState, loads: any LoadStatus
            ) -> [Wanted<Int>]? {
                bench.looks += 1
                return rule.wanted(after: moment, loads: loads)
            }

            var isPartial: Bool { rule.isPartial }
        }

        let time = VirtualTime()
        let loop: MainLoop
        let source: TextSource
        var list: DeferredList<Int, Text>!
        /// The number of questions to the rule, and of questions for keys.
        var looks = 0
        var keys = 0
        /// The rows that were loaded or have failed, in order.
        var settled: [Int] = []

        init(
            _ layout: ListLayout, height: Double, rule: any LoadingPolicy = .value,
            limits: LoaderConfiguration = .init()
        ) throws {
            loop = try MainLoop(clock: .virtual(time))
            source = TextSource(time)
            source.sliceCost = { _ in .microseconds(100) }
            list = try DeferredList(
                on: loop, Viewport(layout, height: height), source: source,
                options: .init(rule: Counted(rule: rule, bench: self), loader: limits)
            ) { [unowned self] row in
                keys += 1
                return row
            } show: { [unowned self] row, state in
                if state.isSettled { settled.append(row) }
            }
        }

        /// A grid of columns with lines of 32 px in a window of 2,160 px.
        static func grid(
            _ columns: Int, rule: any LoadingPolicy, limits: LoaderConfiguration = .init()
        ) throws -> Bench {
            let flow = LineFlow(.columns(columns), width: 4_000)
            return try Bench(
                ListLayout(rowCounts: [100_000], estimates: .init(row: 32), flow: flow),
                height: 2_160, rule: rule, limits: limits)
        }

        func run(for time: Duration) throws {
            try loop.run(until: loop.clock.now + time)
            list.loader.checkInvariants()
        }
    }

    /// A rule of one's own that wants few rows in each answer.
    private struct Sparing: LoadingPolicy {
        private(set) var isPartial = false

        mutating func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? {
            let rows = moment.viewport.visibleRows.filter {
                loads.progress(ofRow: $0) != .settled
            }
            isPartial = rows.count > 7
            return rows.prefix(7).map { Wanted($0, urgency: .visible, rank: $0) }
        }
    }

    /// The rules that there are, and one of one's own.
    enum Rule: CaseIterable {
        case value, visible, everything, within0, within3, sparing

        var policy: any LoadingPolicy {
            switch self {
            case .value: ListRule.value
            case .visible: ListRule.visible
            case .everything: ListRule.everything
            case .within0: ListRule.within(rows: 0)
            case .within3: ListRule.within(rows: 3)
            case .sparing: Sparing()
            }
        }
    }

    @Test(arguments: Rule.allCases)
    func `each rule takes up what one answer leaves out`(rule: Rule) throws {
        let bench = try Bench.grid(50, rule: rule.policy)
        try bench.run(for: .seconds(5))
        #expect(bench.settled == Array(bench.list.viewport.visibleRows))
    }

    @Test func `rows beyond the window that one answer leaves out are loaded as well`() throws {
        var limits = LoaderConfiguration()
        limits.capacity = .max
        let bench = try Bench.grid(50, rule: .value, limits: limits)
        try bench.run(for: .seconds(9))
        // Near enough, and more than one answer names.
        #expect(bench.list.state(ofRow: 3_400 + 1_000).value != nil)
    }

    @Test func `a list asks for more only while something is left to ask for`() throws {
        let few = try Bench.grid(1, rule: .value)
        #expect(few.looks == 1)
        try few.run(for: .milliseconds(150))
        #expect(few.settled.count == 68)
        #expect(few.looks == 1)
        let many = try Bench.grid(50, rule: .value)
        try many.run(for: .seconds(60))
        let (looks, keys, turns) = (many.looks, many.keys, many.loop.statistics.turns)
        // Half of a thousand rows are loaded between two answers.
        #expect(looks < 80)
        try many.run(for: .seconds(600))
        #expect((many.looks, many.keys) == (looks, keys))
        #expect(many.loop.statistics.turns - turns <= 2)
    }

    // MARK: - Rows without pixels

    /// A list in which each row with a height is followed by rows of none.
    private func list(_ rows: Int, each: Int) throws -> ListLayout {
        var heights = RowHeights()
        for _ in 0..<rows {
            try heights.insert(height: 40, at: heights.count)
            try heights.insert(height: 0, count: each, at: heights.count)
        }
        return ListLayout(heights)
    }

    @Test(arguments: Rule.allCases)
    func `rows of no height between others load nothing, and all others load`(
        rule: Rule
    ) throws {
        let bench = try Bench(list(20, each: 150), height: 800, rule: rule.policy)
        try bench.run(for: .seconds(20))
        let visible = bench.list.viewport.visibleRows
        #expect(visible.count == 20 && visible.bounds.count > 2_800)
        #expect(bench.settled == Array(visible))
        #expect(Set(bench.source.begun) == Set(visible))
    }

    @Test(arguments: Rule.allCases)
    func `a million rows of no height cost a list no more than none`(rule: Rule) throws {
        func keys(each: Int) throws -> (start: Int, frames: Int) {
            let bench = try Bench(list(200, each: each), height: 800, rule: rule.policy)
            let start = bench.keys
            let time = bench.loop.clock.now
            bench.list.handle(.down(y: 700), at: time, offset: 0)
            for step in 1...60 {
                if step == 5 {
                    bench.list.handle(.up(y: 500), at: time + .milliseconds(16 * step))
                }
                bench.list.scrolled(
                    to: Double(step * 17), at: time + .milliseconds(16 * step))
            }
            return (start, bench.keys - start)
        }
        let (few, many) = (try keys(each: 0), try keys(each: 5_000))
        #expect(many.start <= few.start)
        #expect(many.frames <= few.frames)
    }

    @Test func `a row comes into view when it gets a height, and leaves without one`() throws {
        let bench = try Bench(list(20, each: 5), height: 800, rule: .value)
        try bench.run(for: .seconds(1))
        let hidden = try #require(bench.list.viewport.visibleRows.bounds.first) + 2
        #expect(bench.list.state(ofRow: hidden).value == nil)
        func setHeight(_ height: Double) throws {
            try bench.list.change {
                try $0.measure(height, of: .row(RowIndex(section: 0, row: hidden)))
            }
        }
        try setHeight(10)
        try bench.run(for: .seconds(1))
        #expect(bench.settled.last == hidden)
        try setHeight(0)
        #expect(!bench.list.viewport.visibleRows.contains(hidden))
    }

    @Test func `ten million rows of a step each cost a frame what a window can show`() throws {
        let rows = ListLayout(try RowHeights(count: 10_000_000, height: 0.001))
        let bench = try Bench(rows, height: 4_000)
        let most = 4 * 4_000 + 1
        #expect(bench.list.viewport.visibleRows.count <= most)
        #expect(bench.keys <= 4 * most)
        bench.keys = 0
        bench.list.scrolled(to: 100)
        #expect(bench.keys <= 6 * most)
    }
}
