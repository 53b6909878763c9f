import DeferredLoading
import IdleLoop
import LullTime
import ScrollModel
import TestSupport
import Testing

/// Lists that tell rows by their sections, and lists that show headers and footers, too.
struct ListElementTests {
    /// Sections of rows of 100 px with headers of 50 px, in a window of 400, whose texts take 1 ms
    /// each.
    private final class Bench {
        let loop: MainLoop
        let source: TextSource
        /// The keys of sections' rows, and of their headers and footers.
        var rows: [[Int]]
        var headers: [Int]
        /// The texts of what was shown and has left, in order.
        var log: [String] = []
        /// The elements in view, as they were laid out last, and as they were told.
        var laidOut: [ListElement] = []
        var shown: [ListElement: Int] = [:]
        private(set) var list: DeferredList<Int, Text>!

        init(
            sections: [Int], footer: Double = 0, rule: any LoadingPolicy = .visible,
            columns: Int? = nil
        ) throws {
            let time = VirtualTime()
            loop = try MainLoop(clock: .virtual(time))
            source = TextSource(time)
            rows = sections.enumerated().map { section, count in
                (0..<count).map { 1000 * (section + 1) + $0 }
            }
            headers = sections.indices.map { 100 + $0 }
            let layout = try ListLayout(
                rowCounts: sections, estimates: .init(row: 100, header: 50, footer: footer),
                flow: columns.map { LineFlow(.columns($0), width: 500) })
            let options = ListOptions<ListElement>(
                rule: rule, layout: { [unowned self] in laidOut = $0 },
                onLeave: { [unowned self] element in
                    log.append("-\(name(element))")
                    shown[element] = nil
                })
            list = try DeferredList(
                on: loop, elements: Viewport(layout, height: 400), source: source,
                options: options, key: { [unowned self] in key($0) }
            ) { [unowned self] element, state in
                log.append("\(name(element)) \(state.value.map { "\($0.key)" } ?? ".")")
                shown[element] = state.value?.key ?? 0
            }
        }

        func key(_ element: ListElement) -> Int? {
            if case .row(let index) = element { return rows[index.section][index.row] }
            if case .header(let section) = element { return headers[section] }
            if case .footer(let section) = element { return -headers[section] }
            return nil
        }

        func name(_ element: ListElement) -> String {
            if case .row(let index) = element { return "\(index.section).\(index.row)" }
            if case .header(let section) = element { return "h\(section)" }
            if case .footer(let section) = element { return "f\(section)" }
            return "\(element)"
        }

        /// The elements in view, by a look at each.
        var inView: [ListElement] {
            let (list, top) = (list.viewport.list, list.viewport.offset)
            return list.everyElement.filter {
                let extent = list.extent(of: $0)
                return extent.height > 0 && extent.offset < top + 400
                    && extent.offset + extent.height > top
            }
        }

        func run(for milliseconds: Int) throws {
            try loop.run(until: loop.clock.now + .milliseconds(milliseconds))
            list.loader.checkInvariants()
        }

        func news() -> [String] {
            defer { log = [] }
            return log
        }
    }

    @Test func `headers and footers in view are loaded before rows and shown, and told to leave`()
        throws
    {
        let bench = try Bench(sections: [2, 3, 2], footer: 20)
        #expect(bench.laidOut == bench.inView)
        #expect(bench.news() == ["h0 .", "f0 .", "h1 .", "0.0 .", "0.1 .", "1.0 ."])
        try bench.run(for: 20)
        #expect(bench.source.begun.prefix(3) == [100, -100, 101])
        #expect(
            Set(bench.news()) == [
                "h0 100", "f0 -100", "h1 101", "0.0 1000", "0.1 1001", "1.0 2000",
            ])
        bench.list.scrolled(to: 60)
        #expect(bench.laidOut == bench.inView)
        #expect(bench.news() == ["-h0", "1.1 ."])
        try bench.run(for: 20)
        #expect(bench.news() == ["1.1 2001"])
        // Loaded values are shown at once.
        bench.list.scrolled(to: 0)
        #expect(bench.news() == ["-1.1", "h0 100"])
    }

    @Test func `a header that comes into view or leaves without a row is loaded and told`() throws {
        let bench = try Bench(sections: [3, 3])
        try bench.run(for: 20)
        #expect(bench.source.begun.sorted() == [100, 101, 1000, 1001, 1002])
        _ = bench.news()
        bench.list.scrolled(to: 49)
        #expect(bench.news() == ["1.0 ."])
        bench.list.scrolled(to: 50)
        #expect(bench.news() == ["-h0"])
        try bench.run(for: 20)
        bench.list.scrolled(to: 49)
        #expect(bench.news() == ["1.0 2000", "h0 100"])
    }

    @Test func `headers in view are wanted while a rule wants only the rows at the landing`() throws
    {
        let bench = try Bench(
            sections: Array(repeating: 1, count: 500), rule: .within(rows: 3))
        try bench.run(for: 100)
        bench.source.forget()
        bench.list.handle(.down(y: 350))
        bench.list.handle(.up(y: 300, target: 40_000))
        bench.list.scrolled(to: 10_000)
        try bench.run(for: 40)
        #expect(bench.source.begun.filter { $0 < 1000 }.sorted() == [167, 168, 169])
        let landing = bench.list.viewport.visibleRows(at: 40_000)
        let rows = (landing[0] - 3)...(landing[0] + landing.count + 2)
        #expect(Set(bench.source.begun.filter { $0 >= 1000 }) == Set(rows.map { 1000 * ($0 + 1) }))
    }

    @Test func `an element is asked about, retried and loaded anew`() throws {
        let bench = try Bench(sections: [2, 3])
        bench.source.failing = { $0 == 100 }
        try bench.run(for: 20)
        guard case .failed = bench.list.state(of: .header(section: 0)) else {
            Issue.record("it has failed")
            return
        }
        #expect(bench.list.state(of: .row(RowIndex(section: 1, row: 0))).value?.key == 2000)
        #expect(bench.list.state(ofRow: 2).value?.key == 2000)
        #expect(
            bench.list.state(ofRow: 99).value == nil && bench.list.state(ofRow: -1).value == nil)
        bench.source.failing = { _ in false }
        bench.list.retry(.header(section: 0))
        try bench.run(for: 20)
        #expect(bench.list.state(of: .header(section: 0)).value?.key == 100)
        bench.source.versions[100] = 2
        bench.list.invalidate(.header(section: 0))
        try bench.run(for: 20)
        #expect(bench.list.state(of: .header(section: 0)).value?.version == 2)
    }

    @Test func `rows have keys by their sections, and are shown again when these have changed`()
        throws
    {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var rows = [[10, 11], [20, 21, 22]]
        var log: [String] = []
        let layout = try ListLayout(rowCounts: [2, 3], estimates: .init(row: 100))
        let list = try DeferredList(
            on: loop, sections: Viewport(layout, height: 400), source: TextSource(time),
            options: .init(onLeave: { log.append("-\($0.section).\($0.row)") })
        ) { index in
            rows[index.section][index.row]
        } show: { index, state in
            log.append("\(index.section).\(index.row) \(state.value.map { "\($0.key)" } ?? ".")")
        }
        #expect(log == ["0.0 .", "0.1 .", "1.0 .", "1.1 ."])
        try loop.run(until: .milliseconds(20))
        log = []
        #expect(list.state(of: .row(RowIndex(section: 1, row: 1))).value?.key == 21)
        #expect(list.state(of: .header(section: 1)).value == nil)
        // The first row of the second section becomes the last of the first one.
        rows = [[10, 11, 20], [21, 22]]
        try list.perform([
            .moveRow(RowIndex(section: 1, row: 0), to: RowIndex(section: 0, row: 2))
        ])
        #expect(log == ["-1.1", "0.2 20", "1.0 21"])
        list.close()
    }

    @Test func `a batch after which there are other rows than the program has is refused`() throws {
        let bench = try Bench(sections: [2, 3])
        _ = bench.news()
        let update = ListUpdate.insertRow(RowIndex(section: 0, row: 0))
        let refused: [([Int], ListUpdateError)] = [
            ([2, 3], .unexpectedCount(section: 0, count: 3, expected: 2)),
            ([3], .unexpectedCount(section: nil, count: 2, expected: 1)),
            ([3, 3, 0], .unexpectedCount(section: nil, count: 2, expected: 3)),
        ]
        for (counts, error) in refused {
            #expect(throws: error) { try bench.list.perform([update], expecting: counts) }
        }
        #expect(bench.list.viewport.list.rowCount == 5 && bench.news() == [])
        bench.rows[0].insert(7, at: 0)
        try bench.list.perform([update], expecting: [3, 3])
        #expect(bench.list.viewport.list.rowCount == 6)
        let error = ListUpdateError.unexpectedCount(section: 1, count: 1, expected: 2)
        #expect("\(error)" == "section 1 would have 1 row, not 2")
        #expect(
            "\(ListUpdateError.unexpectedCount(section: nil, count: 2, expected: 3))"
                == "there would be 2 sections, not 3")
    }

    @Test func `a list of positions tells which rows have left, until it is closed`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var log: [Int] = []
        let viewport = Viewport(rows: try RowHeights(count: 10, height: 100), height: 400)
        let list = try DeferredList(
            on: loop, viewport, source: TextSource(time),
            options: .init(onLeave: { log.append($0) }), key: { $0 == 1 ? nil : $0 },
            show: { row, _ in log.removeAll { $0 == row } })
        list.scrolled(to: 250)
        #expect(log == [0, 1], "also one without a key")
        list.scrolled(to: 100)
        #expect(log == [0, 1, 5, 6], "2 to 4 are in view")
        try list.perform((0..<8).map { .deleteRow(RowIndex(section: 0, row: $0)) })
        #expect(list.viewport.visibleRows == 0..<2)
        #expect(log == [1, 5, 6, 2, 3, 4])
        list.close()
        list.scrolled(to: 0)
        #expect(log.count == 6)
    }

    @Test func `what a callback brings back into view isn't told to have left`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        var log: [String] = []
        var list: DeferredList<Int, Text>?
        let viewport = Viewport(rows: try RowHeights(count: 10, height: 100), height: 400)
        let options = ListOptions<Int>(onLeave: { row in
            log.append("-\(row)")
            if row == 0 { list?.scrolled(to: 0) }
        })
        list = try DeferredList(
            on: loop, viewport, source: TextSource(time), options: options, key: { $0 },
            show: { row, _ in log.append("\(row)") })
        log = []
        list?.scrolled(to: 250)
        #expect(log == ["-0", "-4", "-5", "-6", "0", "1"])
        list?.close()
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever is edited and scrolled, what is in view is shown, and nothing else`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let counts = (0..<6).map { _ in Int.random(in: 0...5, using: &random) }
        let bench = try Bench(
            sections: counts, footer: seed % 3 == 0 ? 30 : 0,
            columns: seed % 4 == 1 ? 2 : nil)
        var next = 10_000
        for _ in 0..<60 {
            let count = bench.rows.count
            let section = Int.random(in: 0..<max(1, count), using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where count > 0:
                next += 1
                let row = Int.random(in: 0...bench.rows[section].count, using: &random)
                bench.rows[section].insert(next, at: row)
                try bench.list.perform([.insertRow(RowIndex(section: section, row: row))])
            case 1 where count > 0 && !bench.rows[section].isEmpty:
                let row = Int.random(in: 0..<bench.rows[section].count, using: &random)
                bench.rows[section].remove(at: row)
                try bench.list.perform([.deleteRow(RowIndex(section: section, row: row))])
            case 2:
                next += 10
                bench.rows.insert([next, next + 1], at: section)
                bench.headers.insert(next + 2, at: section)
                try bench.list.perform(
                    [.insertSection(section, rows: 2)], expecting: bench.rows.map(\.count))
            case 3 where count > 1:
                bench.rows.remove(at: section)
                bench.headers.remove(at: section)
                try bench.list.perform([.deleteSection(section)])
            case 4 where count > 0:
                let height = Double(10 * Int.random(in: 0...12, using: &random))
                try bench.list.change {
                    _ = try $0.measure(height, of: .header(section: section))
                }
            default:
                let end = bench.list.viewport.maximumOffset
                bench.list.scrolled(to: Double.random(in: 0...max(end, 1), using: &random))
            }
            // Told at once: what has left, and what is there.
            let elements = bench.inView
            #expect(Set(bench.shown.keys) == Set(elements))
            #expect(Set(bench.laidOut) == Set(elements))
            guard Bool.random(using: &random) else { continue }
            try bench.run(for: 400)
            for element in elements { #expect(bench.shown[element] == bench.key(element)) }
        }
    }
}

extension ListLayout {
    /// All elements, from the top.
    fileprivate var everyElement: [ListElement] {
        (0..<sectionCount).flatMap { section in
            [.header(section: section)]
                + (0..<rowCount(inSection: section)).map {
                    .row(RowIndex(section: section, row: $0))
                } + [.footer(section: section)]
        }
    }
}
