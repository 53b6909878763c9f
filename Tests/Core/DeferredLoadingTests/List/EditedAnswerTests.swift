import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

/// Edits while a rule is asked, or its answer is requested, and lists made then.
struct EditedAnswerTests {
    /// A rule that asks about the first row in view, and wants all of them.
    private struct Asking: LoadingPolicy {
        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            let rows = moment.viewport.visibleRows
            _ = rows.first.map { loads.progress(ofRow: $0) }
            return rows.map { Wanted($0, urgency: .visible, rank: $0) }
        }
    }

    /// The keys of four rows are asked for when they come into view, then that of the first by the rule,
    /// and those of its answer.
    @Test(arguments: 1...9)
    func `what is in view is loaded, whenever a key's question edits the list`(
        call: Int
    ) throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var list: DeferredList<Int, Text>?
        var (calls, edited) = (Int.min, false)
        list = try DeferredList(
            on: loop,
            Viewport(
                ListLayout(rowCounts: [1000], estimates: .init(row: 100)), height: 400),
            source: TextSource(time), options: .init(rule: Asking())
        ) { row in
            calls += 1
            if calls == call {
                edited = true
                list?.change { _ in }
            }
            return row
        } show: { _, _ in
        }
        try loop.run(until: loop.clock.now + .seconds(1))
        calls = 0
        list?.scrolled(to: 1000)
        #expect(edited)
        try loop.run(until: loop.clock.now + .seconds(10))
        #expect((10..<14).allSatisfy { list?.state(ofRow: $0).value != nil })
        list?.close()
    }

    /// Where rows are deleted: in the layout, for a key, or for that of a row that isn't in view.
    enum Place { case layout, key, farKey }

    @Test(arguments: [Place.layout, .key, .farKey], 0..<4)
    func `no key is asked for of a row that was deleted meanwhile`(
        place: Place, rule: Int
    ) throws {
        let rules: [ListRule] = [.visible, .within(rows: 3), .everything, .value]
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var list: DeferredList<Int, Text>?
        var (count, deletes) = (100, false)
        func deleteMost() {
            while deletes, count > 1 {
                count -= 1
                _ = try? list?.perform([.deleteRow(RowIndex(section: 0, row: count))])
            }
        }
        list = try DeferredList(
            on: loop,
            Viewport(ListLayout(rowCounts: [count], estimates: .init(row: 100)), height: 400),
            source: TextSource(time),
            options: .init(
                rule: rules[rule], layout: { _ in if place == .layout { deleteMost() } })
        ) { row in
            #expect(row < count)
            if place == .key || row > 20 { deleteMost() }
            return row
        } show: { _, _ in
        }
        try loop.run(until: loop.clock.now + .seconds(10))  // a rule may guess far rows
        deletes = true
        list?.scrolled(to: 1000)
        try loop.run(until: loop.clock.now + .seconds(1))
        #expect(count == (place == .farKey && rule < 2 ? 100 : 1))
        #expect(list?.state(ofRow: 0).value != nil)
        list?.close()
    }

    @Test func `a list that is made while another asks is there when that shows its rows`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        let queue = IdleQueue<Int>(on: loop)
        let loader = DeferredLoader(queue: queue, source: TextSource(time))
        var told: [Int] = []
        var isAsked = false
        var list: DeferredList<Int, Text>?
        var other: LoadList<Int, Text>?
        list = DeferredList(
            sharing: loader,
            Viewport(try ListLayout(rowCounts: [1000], estimates: .init(row: 100)), height: 400),
            options: .init(rule: .visible)
        ) { row in
            if isAsked {
                isAsked = false
                list?.invalidate(row: 1)
                other = loader.list { key, _ in told.append(key) }
            }
            return row
        } show: { _, _ in
            other?.subscribe(to: 500)
        }
        try loop.run(until: loop.clock.now + .seconds(1))
        isAsked = true
        list?.scrolled(to: 100)
        loader.settle(500, .success(Text(key: 500, version: 1)))
        #expect(told == [500])
        list?.close()
    }
}
