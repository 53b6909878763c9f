import DeferredLoading
import GalleryFiles
import GalleryPictures
import IdleLoop
import ScrollModel
import Testing

@testable import GalleryKit

/// A budget for outsiders: how much work a page's report is, whatever it says.
struct OutsiderTests {
    /// The rule of pages, which counts how often it's asked for a plan.
    private final class CountingRule: LoadingPolicy {
        private var rule = ListRule.value
        private(set) var plans = 0

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            plans += 1
            return rule.wanted(after: moment, loads: loads)
        }

        func note(_ moment: ScrollState) -> [Wanted<Int>]? { rule.note(moment) }
    }

    /// The worst reports that parse, of which all events are taken in: each is a text of 256 events.
    private static let worst: [(name: String, event: @Sendable (Int) -> String)] = [
        ("moves", { $0 == 0 ? "d,0,700,0" : "m,\($0 * 4),\($0 * 40 % 700)" }),
        ("frames", { "f,\($0 * 4),\($0 * 40_000)" }),
        ("leaps", { "f,\($0 * 4),\($0 % 2 == 0 ? 0 : 1e12 - 1)" }),
        ("strokes", { ["d,\($0 * 4),700,\($0 * 9)", "u,\($0 * 4),0"][$0 % 2] }),
        (
            "flings",
            {
                [
                    "d,\($0 * 4),700,\($0 * 900)", "m,\($0 * 4),400", "u,\($0 * 4),10",
                    "f,\($0 * 4),\($0 * 900)",
                ][$0 % 4]
            }
        ),
        ("jumps", { ["t,\($0 * 4)", "f,\($0 * 4),\($0 * 70_000)", "e,\($0 * 4)"][$0 % 3] }),
        ("wheels", { ["w,\($0 * 4)", "f,\($0 * 4),\($0 * 5000)", "k,\($0 * 4)"][$0 % 3] }),
    ]

    private static func report(_ event: (Int) -> String) throws -> ScrollReport {
        let events = (0..<ScrollReport.mostEvents).map(event).joined(separator: ";")
        return try #require(ScrollReport(["v": "1", "h": "999999999", "e": events]))
    }

    @Test(arguments: worst.indices)
    func `a report is one plan, of so many rows, whatever it says`(_ index: Int) throws {
        let report = try Self.report(Self.worst[index].event)
        let bench = try GalleryBench(rows: 1)
        let rows = try RowHeights(count: 1_000_000, height: 44)
        let rule = CountingRule()
        // How often it's asked which picture a row has.
        var keys = 0
        let list = DeferredList(
            sharing: bench.gallery.loader, Viewport(rows: rows, height: 0),
            on: RemoteDisplay(has: { _ in false }, admits: { _ in 0 }),
            options: .init(rule: rule, name: "page")
        ) { row -> ThumbnailKey? in
            keys += 1
            return ThumbnailKey(
                picture: PictureKey(id: PictureID(UInt64(row)), stamp: 0), size: .row)
        } send: { _, _ in
        }
        var clock = PageClock()
        for _ in 0..<10 {
            try bench.run(for: .seconds(2))
            let now = bench.now
            clock.note(report.events.last?.time ?? 0, arrival: now)
            var unseen = UnseenEvents()
            for event in report.events {
                unseen.append(event.input, at: clock.moment(of: event.time, by: now))
            }
            let before = (plans: rule.plans, keys: keys)
            list.resized(to: report.height)
            for (moment, input) in unseen.events {
                list.handle(input.event, at: moment, offset: input.offset)
            }
            #expect(rule.plans == before.plans && keys == before.keys)
            list.update()
            #expect(rule.plans == before.plans + 1)
            #expect(keys - before.keys <= 6000, "\(Self.worst[index].name): \(keys - before.keys)")
        }
    }

    @Test(arguments: worst.indices)
    func `a run of a look takes in 32 events, and reports that wait are one look`(
        _ index: Int
    ) throws {
        let bench = try GalleryBench(rows: 300)
        let page = TestPage(of: bench)
        try bench.run(for: .seconds(2))
        let client = try #require(bench.client(at: page.address))
        let before = bench.gallery.reportQueue.statistics
        let text = (0..<ScrollReport.mostEvents).map(Self.worst[index].event)
        // As many as its tokens let through at once.
        while page.report(text) == 204 {}
        let events = client.unseen.count
        #expect(events <= UnseenEvents.most)
        #expect(bench.gallery.reportQueue.count == 1)
        try bench.run(for: .milliseconds(1))
        let after = bench.gallery.reportQueue.statistics
        #expect(client.unseen.isEmpty)
        #expect(after.done - before.done == 1)
        let runs = (events + Client.eventsPerRun - 1) / Client.eventsPerRun
        #expect(after.slices - before.slices == runs)
        #expect(bench.gallery.pictures.count <= Client.mostWanted)
    }

    @Test func `of each kind of event one in 4 ms is looked at, the last`() {
        var unseen = UnseenEvents()
        func instant(_ microseconds: Int) -> Instant {
            Instant(nanoseconds: Int64(microseconds) * 1000)
        }
        for sample in 0..<1000 {
            unseen.append(.moved(y: Double(sample)), at: instant(sample * 20))
            unseen.append(.frame(offset: Double(sample)), at: instant(sample * 20))
        }
        #expect(unseen.count == 2 * 1)
        #expect(unseen.events.map(\.input) == [.moved(y: 999), .frame(offset: 999)])
        // A finger that comes down and leaves has done both.
        unseen = UnseenEvents()
        for sample in 0..<100 {
            unseen.append(.down(y: 1, offset: 0), at: instant(sample))
            unseen.append(.up(y: 2), at: instant(sample))
        }
        #expect(unseen.events.map(\.input) == [.down(y: 1, offset: 0), .up(y: 2)])
        // At 120 of each a second nothing is left out.
        unseen = UnseenEvents()
        for sample in 0..<100 {
            unseen.append(.moved(y: Double(sample)), at: instant(sample * 8333))
            unseen.append(.frame(offset: Double(sample)), at: instant(sample * 8333 + 1000))
        }
        #expect(unseen.count == 200)
    }

    @Test func `so many events wait to be looked at, the newest`() {
        var unseen = UnseenEvents()
        for number in 0..<5000 {
            let moment = Instant(nanoseconds: Int64(number) * 4_000_000)
            unseen.append(.frame(offset: Double(number)), at: moment)
        }
        #expect(unseen.count == UnseenEvents.most)
        #expect(unseen.events.first?.input == .frame(offset: Double(5000 - UnseenEvents.most)))
        #expect(unseen.events.last?.input == .frame(offset: 4999))
    }

    @Test func `no window is higher than the highest screen`() throws {
        let bench = try GalleryBench(rows: 300)
        let page = TestPage(of: bench, height: 1_000_000)
        page.show(0)
        try bench.run(for: .milliseconds(1))
        let client = try #require(bench.client(at: page.address))
        let viewport = try #require(client.viewport)
        #expect(viewport.height == ScrollReport.mostHeight)
        #expect(viewport.visibleRows.count <= 115)
    }
}
