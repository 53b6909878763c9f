import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

@testable import GalleryKit

/// From what a page reports to the rows that are wanted for it.
struct TrackerTests {
    private static let rowHeight = 100.0

    private static func list(_ count: Int) throws -> ListLayout {
        ListLayout(try RowHeights(count: count, height: rowHeight))
    }

    private static func instant(_ milliseconds: Double) -> Instant {
        Instant(nanoseconds: Int64(milliseconds * 1e6))
    }

    /// The facts of a server that is so busy that work has the highest price.
    private struct BusyServer: LoadStatus {
        func progress(ofRow row: Int) -> LoadProgress { .none }
        func costHint(ofRow row: Int) -> Duration? { nil }
        var usualCost: Duration? { .milliseconds(8) }
        var usualFetch: Duration? { nil }
        var fetches: Int { 0 }
        var price: WorkPrice { .highest }
    }

    /// A page whose list is moved by Chromium's fling, reported as pages do.
    private struct FlingingPage {
        var tracker: PageScroll
        var time = 1000.0
        var offset = 0.0
        var wanted: [Wanted<Int>] = []
        /// Every row that was wanted at some time since the finger left.
        var wantedInFlight: Set<Int> = []
        let loads: any LoadStatus

        init(_ list: ListLayout, loads: any LoadStatus = NoLoadStatus()) {
            tracker = PageScroll(list)
            self.loads = loads
            report([(0, .frame(offset: 0))])
        }

        mutating func report(_ events: [(after: Double, input: ScrollReport.Input)]) {
            let moments = events.map {
                (moment: TrackerTests.instant(time + $0.after), input: $0.input)
            }
            tracker.take(moments, height: 800)
            if let rows = tracker.wanted(loads: loads) {
                wanted = rows
                wantedInFlight.formUnion(rows.map(\.key))
            }
            time += events.last?.after ?? 0
        }

        /// A stroke upwards of 10 samples that leaves at so many px a second, and its flight.
        mutating func fling(at velocity: Double) {
            var events: [(after: Double, input: ScrollReport.Input)] = [
                (1, .down(y: 700, offset: offset))
            ]
            let step = velocity / 120
            for sample in 1...10 {
                events.append(
                    (1 + Double(sample) * 1000 / 120, .moved(y: 700 - step * Double(sample))))
            }
            events.append((1 + 11 * 1000 / 120, .up(y: 700 - step * 11)))
            offset += step * 10
            report(events)
            wantedInFlight = []
            let bounds = tracker.viewport.minimumOffset...tracker.viewport.maximumOffset
            let fling = Scroller(.chromium).fling(
                from: offset, velocity: velocity, bounds: bounds, viewportHeight: 800)
            var elapsed = 0.0
            while elapsed < fling.duration / .milliseconds(1) {
                let frames = (1...3).map { frame in
                    let after = Double(frame) * 16.67
                    return (
                        after: after,
                        input: ScrollReport.Input.frame(
                            offset: fling.offset(at: .nanoseconds(Int64((elapsed + after) * 1e6))))
                    )
                }
                report(frames)
                elapsed += 50
            }
            offset = fling.target
            report([(16, .frame(offset: offset)), (150, .frame(offset: offset))])
        }
    }

    @Test(arguments: [6000.0, 9000, 14_000])
    func `in a fling on a busy server only rows around its landing are wanted`(
        _ velocity: Double
    ) throws {
        var page = FlingingPage(try Self.list(5000), loads: BusyServer())
        let start = page.tracker.viewport.visibleRows
        page.fling(at: velocity)
        let end = page.tracker.viewport.visibleRows
        let near = (end.lowerBound - 3)..<(end.upperBound + 3)
        #expect(end.lowerBound > start.upperBound + 20)
        let flownOver = page.wantedInFlight.filter {
            $0 >= start.upperBound && $0 < near.lowerBound
        }
        // What is prefetched after the landing lies around it.
        #expect(flownOver.filter { $0 < end.lowerBound - 12 } == [])
        #expect(Set(end).isSubset(of: page.wanted.map(\.key)))
    }

    @Test func `where a scrubber is let go, what is in view is wanted at once`() throws {
        var page = FlingingPage(try Self.list(5000), loads: BusyServer())
        // Two steps of less than two windows and a half each, as a fling makes none.
        page.report([(17, .frame(offset: 1518))])
        page.report([(25, .frame(offset: 3088)), (26, .jumpEnded), (26, .frame(offset: 3088))])
        let wanted = page.wanted.prefix(9)
        #expect(wanted.map(\.key).sorted() == Array(30..<39))
        #expect(wanted.allSatisfy { $0.urgency == .visible })
        #expect(page.tracker.tracker.motion.velocity == 0 && page.tracker.tracker.forecast == nil)
    }

    @Test func `a page that falls silent in a fling gets what it shows`() throws {
        var page = FlingingPage(try Self.list(5000))
        page.report([
            (1, .down(y: 700, offset: 0)), (9, .moved(y: 600)), (17, .moved(y: 500)),
            (25, .moved(y: 400)), (33, .up(y: 300)), (50, .frame(offset: 500)),
        ])
        #expect(page.tracker.tracker.forecast != nil)
        // No report comes any more; it looks by itself.
        var looks = 0
        var wanted: [Wanted<Int>] = []
        var now = Self.instant(page.time)
        while let next = page.tracker.tracker.nextCheck(after: now, at: now), looks < 20 {
            now = next
            looks += 1
            wanted = page.tracker.noteSilence(at: now, loads: NoLoadStatus()) ?? wanted
        }
        #expect(looks < 20)
        #expect(Set(5..<13).isSubset(of: wanted.map(\.key)))
    }

    /// Any report, however strange, leaves a tracker in a state that takes the next.
    @Test(arguments: 0..<40)
    func `no report is a tracker's end`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var tracker = PageScroll(try Self.list(Int.random(in: 0...300, using: &random)))
        var time = 0.0
        for _ in 0..<200 {
            var events: [(moment: Instant, input: ScrollReport.Input)] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                time += [0, 0.01, 8, 500].randomElement(using: &random) ?? 1
                let values: [Double] = [0, -1e12, 1e12, 40, 1e-300]
                let value = values.randomElement(using: &random) ?? 0
                let inputs: [ScrollReport.Input] = [
                    .frame(offset: value), .down(y: value, offset: value), .moved(y: value),
                    .up(y: value), .cancelled, .wheel, .key, .jumpBegan, .jumpEnded,
                ]
                events.append((Self.instant(time), inputs.randomElement(using: &random) ?? .key))
            }
            let heights: [Double] = [0, 1, 800, 100_000]
            let height = heights.randomElement(using: &random) ?? 1
            tracker.take(events, height: height)
            let wanted = tracker.wanted(loads: NoLoadStatus()) ?? []
            let count = tracker.viewport.list.rowCount
            #expect(wanted.allSatisfy { (0..<count).contains($0.key) })
        }
    }
}
