import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// How much room lists have that share a loader of 512 values.
struct ListRoomTests {
    /// A loader with lists that each have some rows in view and want them.
    private final class Lists {
        let bench: LoaderBench
        private(set) var all: [LoadList<Int, Text>] = []

        /// The keys of a list begin at `stride` times its number.
        init(_ count: Int, inView: Int, stride: Int) throws {
            bench = try LoaderBench(limit: .max >> 32)
            for number in 0..<count {
                let list = bench.loader.list { _, _ in }
                let keys = number * stride..<number * stride + inView
                for key in keys { list.subscribe(to: key) }
                list.reconcile(with: bench.wish(keys))
                all.append(list)
            }
        }

        /// Has a list want more rows beyond those in view.
        func want(_ keys: Range<Int>, _ urgency: Urgency, in list: Int) {
            let visible = all[list].wanted.filter { $0.urgency == .visible }
            all[list].reconcile(with: visible + bench.wish(keys, urgency))
            bench.check()
        }

        func room(of list: Int) -> Int? { bench.loader.facts(of: all[list]) { $0 }.capacity }
    }

    @Test func `a list alone has all of it, whatever it wants and has in view`() throws {
        let lists = try Lists(1, inView: 10, stride: 100)
        #expect(lists.room(of: 0) == 512)
        lists.want(10..<300, .approach, in: 0)
        #expect(lists.room(of: 0) == 512)
        try lists.bench.run()
        #expect(lists.room(of: 0) == 512)
    }

    @Test func `a list that moves has what others have not in view`() throws {
        let lists = try Lists(100, inView: 4, stride: 1_000)
        lists.want(10..<60, .landing, in: 0)
        #expect(lists.room(of: 0) == 4 + 112)
        // What lists at rest have guessed gives way to what is about to be seen.
        for list in 1..<100 {
            lists.want(list * 1_000 + 10..<list * 1_000 + 20, .speculative, in: list)
        }
        #expect(lists.room(of: 0) == 4 + 112)
        #expect(lists.room(of: 1) == 4 + 112)
        lists.want(1_010..<1_060, .landing, in: 1)
        #expect(lists.room(of: 0) == 4 + 62)  // the other wants 50
        #expect(lists.room(of: 2) == 4 + 56)  // half, as it may begin to move
        try lists.bench.run()
        #expect(lists.room(of: 0) == 4 + 62)
        lists.all[1].close()
        #expect(lists.room(of: 0) == 4 + 116)
    }

    @Test func `keys that lists share take room once`() throws {
        let lists = try Lists(100, inView: 10, stride: 0)
        #expect(lists.room(of: 0) == 512)
        for list in 0..<100 { lists.all[list].reconcile(with: lists.bench.wish(0..<200, .near)) }
        #expect(lists.room(of: 0) == 512)
    }

    @Test func `a list has what it has in view where nothing more has room`() throws {
        let lists = try Lists(100, inView: 10, stride: 1_000)
        lists.want(20..<60, .landing, in: 0)
        #expect(lists.room(of: 0) == 10)
        #expect(lists.bench.loader.facts { $0 }.capacity == 1)
    }

    @Test func `a fling beside many lists at rest is planned as far as there is room`() throws {
        let lists = try Lists(200, inView: 2, stride: 1_000)
        let heights = try RowHeights(count: 5_000, height: 100)
        let list = DeferredList(
            sharing: lists.bench.loader, Viewport(rows: heights, height: 1_000),
            key: { 1_000_000 + $0 }, show: { _, _ in })
        list.handle(.down(y: 500))
        list.handle(.up(y: 500))
        for frame in 1...10 {
            try lists.bench.run(until: 16 * frame)
            list.scrolled(to: Double(frame * 100))
        }
        let ahead = list.wanted.count { $0.urgency != .visible }
        #expect(ahead > 10)
        list.close()
    }

    @Test(arguments: [true, false])
    func `a list that wants more than there is room for loads hardly a row twice`(isValue: Bool)
        throws
    {
        let bench = try LoaderBench { $0.capacity = 20 }
        let heights = try RowHeights(count: 1_000, height: 100)
        var shown: Set<Int> = []
        let list = DeferredList(
            sharing: bench.loader, Viewport(rows: heights, height: 1_000),
            options: .init(rule: isValue ? ListRule.value : .everything),
            key: { $0 },
            show: { row, state in if state.value != nil { shown.insert(row) } })
        list.handle(.down(y: 900))
        for frame in 1...600 {
            try bench.run(until: 16 * frame)
            list.handle(.moved(y: 900 - Double(frame * 20)))
            list.scrolled(to: Double(frame * 20))
        }
        #expect(shown.count >= 128)
        #expect(bench.source.begun.count <= shown.count * 3 / 2, "\(bench.source.begun.count)")
        list.close()
    }
}
