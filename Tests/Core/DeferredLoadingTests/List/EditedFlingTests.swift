import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// The loads of a long fling while rows are inserted, deleted and measured.
struct EditedFlingTests {
    /// A list of 100,000 rows of 80 px in a window of 800, which flings by Flutter's curve.
    private final class Bench {
        let time = VirtualTime()
        let loop: MainLoop
        let source: TextSource
        let list: DeferredList<Int, Text>
        private let scroller = Scroller(.flutter)
        /// The distance by which edits have shifted the path.
        var shift = 0.0
        /// The keys of all rows.
        private let ids: Rows

        final class Rows { var keys = Array(0..<100_000) }

        init(rule: any LoadingPolicy) throws {
            loop = try MainLoop(clock: .virtual(time))
            source = TextSource(time)
            let ids = Rows()
            self.ids = ids
            list = try DeferredList(
                on: loop, Viewport(rows: try RowHeights(count: 100_000, height: 80), height: 800),
                source: source, options: .init(rule: rule, scroller: scroller),
                key: { ids.keys[$0] }, show: { _, _ in })
        }

        /// Flings the list, with an edit after each tenth frame, and returns the keys of the rows
        /// that were flown over and loaded.
        func fling(isReported: Bool, _ edit: (Int) throws -> Void) throws -> [Int] {
            try loop.run(until: .seconds(1))
            source.forget()
            let start = loop.clock.now
            var y = 700.0
            list.handle(.down(y: y))
            while !isReported, y > 188 {
                // A stroke of 8,000 px/s, which the list follows but for the slop.
                y -= 64
                try loop.run(until: start + .milliseconds(Int((700 - y) / 8)))
                list.handle(.moved(y: y))
                list.scrolled(to: 700 - y - 15)
            }
            let lift = loop.clock.now
            let path = scroller.fling(
                from: list.viewport.offset, velocity: 8_000, viewportHeight: 800)
            list.handle(.up(y: y, target: isReported ? path.target : nil))
            var number = 0
            while loop.clock.now - lift < path.duration {
                number += 1
                try loop.run(until: lift + .milliseconds(16 * number))
                list.scrolled(to: path.offset(at: loop.clock.now - lift) + shift)
                guard number % 10 == 0, number < 60 else { continue }
                // Between two frames.
                try loop.run(until: loop.clock.now + .milliseconds(5))
                let before = try #require(list.forecast).target
                let offset = list.viewport.offset
                try edit(number / 10)
                let moved = list.viewport.offset - offset
                shift += moved
                #expect(abs(try #require(list.forecast).target - before - moved) < 1e-6)
            }
            try loop.run(until: loop.clock.now + .seconds(5))
            for row in list.viewport.visibleRows {
                #expect(list.state(ofRow: row).value != nil)
            }
            let landing = Int(path.target / 80)
            return source.begun.filter { $0 > 20 && $0 < landing - 6 }
        }

        func insert(_ count: Int) throws {
            ids.keys.insert(contentsOf: (0..<count).map { -1 - $0 }, at: 0)
            let offset = list.viewport.offset
            try list.perform(
                (0..<count).map { .insertRow(RowIndex(section: 0, row: $0)) }, measure: { _ in 80 })
            #expect(list.viewport.offset - offset == 80 * Double(count))
        }

        func delete(_ count: Int) throws {
            ids.keys.removeFirst(count)
            let offset = list.viewport.offset
            try list.perform(
                (0..<count).map { .deleteRow(RowIndex(section: 0, row: $0)) })
            #expect(list.viewport.offset - offset == -80 * Double(count))
        }
    }

    @Test(arguments: [false, true])
    func `an edit above shifts the landing, and no row that is flown over is loaded`(
        isReported: Bool
    ) throws {
        let plain = try Bench(rule: .within(rows: 3))
        #expect(try plain.fling(isReported: isReported) { _ in } == [])
        let bench = try Bench(rule: .within(rows: 3))
        let flown = try bench.fling(isReported: isReported) { number in
            switch number {
            case 1: try bench.insert(1)
            case 2: try bench.insert(3)
            case 3: try bench.delete(2)
            case 4:
                let shift = try bench.list.change {
                    try $0.measure(200, of: .row(RowIndex(section: 0, row: 0)))
                }
                #expect(shift == 120)
            default: bench.list.resized(to: 820)
            }
        }
        #expect(flown == [])
        #expect(bench.shift == 2 * 80 + 120)
    }

    @Test func `the value rule goes on as if nothing had been edited`() throws {
        let plain = try Bench(rule: .value)
        let before = try plain.fling(isReported: true) { _ in }
        let bench = try Bench(rule: .value)
        let after = try bench.fling(isReported: true) { try bench.insert($0) }
        #expect(abs(before.count - after.count) <= 2)
    }
}
