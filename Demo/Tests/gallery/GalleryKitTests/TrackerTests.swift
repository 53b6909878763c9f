import GalleryCatalogue
import IdleLoop
import LullTesting
import ScrollModel
import TestSupport
import Testing

@testable import GalleryKit

/// From what a page reports to the rows that are made for it.
struct TrackerTests {
    @Test func `where a scrubber is let go, what is in view is made at once`() throws {
        let bench = try GalleryBench(rows: 300)
        let page = TestPage(of: bench)
        page.show(0)
        // Two steps of less than two windows and a half each, as a fling makes none.
        try bench.run(for: .milliseconds(17))
        page.show(1518)
        try bench.run(for: .milliseconds(25))
        page.show(3088)
        try bench.run(for: .milliseconds(8))
        let time = Double(bench.now.nanoseconds / 10_000) / 100
        page.report(["e,\(time)", "f,\(time),3088"])
        try bench.run(for: .milliseconds(100))
        #expect(page.isWhole)
    }

    @Test func `a page that falls silent in a fling gets what it shows`() throws {
        let bench = try GalleryBench(rows: 300)
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .milliseconds(200))
        let start = Double(bench.now.nanoseconds / 10_000) / 100
        try bench.run(for: .milliseconds(60))
        // Of a part of the list that nothing has been made for.
        page.report([
            "d,\(start),700,9000", "m,\(start + 8),600", "m,\(start + 16),500",
            "m,\(start + 24),400", "u,\(start + 32),300", "f,\(start + 50),9500",
        ])
        // No report comes any more; the list looks by itself.
        let looks = bench.gallery.reportQueue.statistics.done
        try bench.run(for: .seconds(10))
        let view = Viewport(bench.gallery.catalogue.lines(of: ListArrangement()), height: 720)
        var shown = view
        shown.scroll(to: 9500)
        #expect(Set(shown.visibleRows).isSubset(of: page.rows))
        #expect(bench.gallery.reportQueue.statistics.done - looks < 20)
        // At rest nothing is looked at, but once for pages whose streams have never come.
        try bench.run(for: ClientRegistry.patience)
        let turns = bench.loop.statistics.turns
        try bench.run(for: .seconds(600))
        #expect(bench.loop.statistics.turns - turns <= 2)
    }

    /// Any report, however strange, leaves a page in a state that takes the next.
    @Test(arguments: 0..<10)
    func `no report is a page's end`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try GalleryBench(rows: Int.random(in: 0...60, using: &random))
        let page = TestPage(of: bench)
        var time = 0.0
        for _ in 0..<100 {
            var events: [String] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                time += [0, 0.01, 8, 500].randomElement(using: &random) ?? 1
                let values = ["0", "-1000000000000", "1000000000000", "40", "0.00001"]
                let value = values.randomElement(using: &random) ?? "0"
                let kinds = [
                    "f,\(time),\(value)", "d,\(time),\(value),\(value)", "m,\(time),\(value)",
                    "u,\(time),\(value)", "c,\(time)", "w,\(time)", "k,\(time)", "t,\(time)",
                    "e,\(time)",
                ]
                events.append(kinds.randomElement(using: &random) ?? "")
            }
            let height = ["0", "1", "800", "100000"].randomElement(using: &random) ?? "1"
            _ = page.report(raw: [
                "v": "\(bench.gallery.catalogue.version)", "h": height,
                "e": events.joined(separator: ";"),
            ])
            try bench.run(for: .milliseconds(20))
        }
        time += 60_000
        try bench.run(for: .seconds(60))
        page.report(["c,\(time)", "f,\(time + 1),0"])
        try bench.run(for: .seconds(5))
        #expect(page.isWhole && bench.isConserved)
    }
}
