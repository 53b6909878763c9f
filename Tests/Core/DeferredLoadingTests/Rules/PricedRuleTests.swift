import IdleLoop
import ScrollModel
import TestSupport
import Testing

@testable import DeferredLoading

/// The rule `value` with a price of work, with limited room, and with a slow delivery or link, on
/// lists of 100 px rows seen through 1,000 px.
struct PricedRuleTests {
    private struct Facts: LoadStatus {
        var settled: Set<Int> = []
        var cost = Duration.milliseconds(20)
        var price = WorkPrice.free
        var capacity: Int?
        var delivery = Duration.zero
        var transfer = Duration.zero
        var priceFloor = WorkPrice.free
        var hints: [Int: Duration] = [:]

        func progress(ofRow row: Int) -> LoadProgress { settled.contains(row) ? .settled : .none }
        func costHint(ofRow row: Int) -> Duration? { hints[row] }
        var usualCost: Duration? { cost }
        var usualFetch: Duration? { nil }
        var fetches: Int { 0 }
    }

    private static let prices = [0, 0.1, 0.5, 1, 2, 5, 12, 40].map {
        WorkPrice(secondsInView: $0 * WorkPrice.neutral.secondsInView)
    }

    /// Returns the frames of random flings and rests.
    private func frames(_ seed: UInt64, rows: Int = 5_000) throws -> [ScrollState] {
        var random = SplitMix64(seed: seed)
        var viewport = Viewport(rows: try RowHeights(count: rows, height: 100), height: 1_000)
        var tracker = ScrollTracker(viewport)
        var (now, frames) = (Instant.zero, [ScrollState]())
        for _ in 0..<6 {
            let (start, way) = (viewport.offset, Double.random(in: -6_000...12_000, using: &random))
            _ = tracker.note(.down(y: 500), at: now, offset: start)
            _ = tracker.note(.up(y: 500), at: now, offset: start)
            for step in 1...90 {
                let left = max(0, 1 - Double(step) / 60)
                now = now + .nanoseconds(16_666_667)
                viewport.scroll(to: start + way * (1 - left * left * left))
                frames.append(tracker.note(.frame, at: now, offset: viewport.offset))
            }
        }
        return frames
    }

    /// Returns what a rule that has seen nothing before wants of the rows on the way.
    private func plan(_ frame: ScrollState, _ facts: Facts) -> (rule: ValueRule, rows: Set<Int>) {
        var rule = ValueRule()
        let wanted = rule.wanted(after: frame, loads: facts) ?? []
        return (rule, Set(wanted.lazy.filter { $0.urgency > .speculative }.map(\.key)))
    }

    @Test(arguments: seeds(1...8), [2, 20])
    func `the dearer work is, the fewer rows on the way are wanted`(
        seed: UInt64, cost: Int
    ) throws {
        var facts = Facts(cost: .milliseconds(cost))
        var sizes: Set<Int> = []
        for frame in try frames(seed) {
            var last: Set<Int>?
            for price in Self.prices {
                facts.price = price
                let rows = plan(frame, facts).rows
                #expect(last.map { rows.isSubset(of: $0) } ?? true)
                last = rows
                sizes.insert(rows.count)
            }
        }
        #expect(sizes.count > 5)
    }

    @Test func `of rows that may be seen next, one that takes long comes after its neighbours`()
        throws
    {
        let viewport = Viewport(rows: try RowHeights(count: 500, height: 100), height: 1_000)
        var tracker = ScrollTracker(viewport)
        let frame = tracker.note(.frame, at: .zero, offset: 0)
        func order(_ facts: Facts) -> [Int] {
            var rule = ValueRule()
            return (rule.wanted(after: frame, loads: facts) ?? []).map(\.key)
        }
        let usual = order(Facts())
        #expect(usual.starts(with: 0..<14))
        let long = order(Facts(hints: [11: .milliseconds(50)]))
        #expect(long.starts(with: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13]))
        #expect(Set(long) == Set(usual))
        #expect(
            order(Facts(hints: [13: .milliseconds(5)])).prefix(11) == [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13,
            ])
    }

    @Test(arguments: seeds(1...8))
    func `a row that is gone before it could be delivered isn't wanted`(seed: UInt64) throws {
        var dropped = 0
        for frame in try frames(seed) {
            let near = plan(frame, Facts())
            let far = plan(frame, Facts(delivery: .milliseconds(250)))
            #expect(far.rows.isSubset(of: near.rows))
            dropped += near.rows.count - far.rows.count
            let frames = FrameGrid(after: frame)
            for row in far.rule.rows where far.rows.contains(row.row) {
                #expect(frames.time(of: row.last) > 0.27)
            }
        }
        #expect(dropped > 100)
    }

    @Test(arguments: seeds(1...8))
    func `a slow link is kept for the rows that the list lands on`(seed: UInt64) throws {
        let facts = Facts(
            cost: .milliseconds(2), delivery: .milliseconds(150), transfer: .milliseconds(100))
        var (flownOver, left) = (0, 0)
        for frame in try frames(seed) {
            let wide = plan(frame, Facts(cost: .milliseconds(2), delivery: .milliseconds(150)))
            let narrow = plan(frame, facts)
            #expect(narrow.rows.isSubset(of: wide.rows))
            let flown = Set(narrow.rule.rows.lazy.filter { !$0.isToStay }.map(\.row))
            flownOver += wide.rows.intersection(flown).count
            left += narrow.rows.intersection(flown).count
            let path = ListPath(
                from: frame, visible: frame.viewport.visibleRows, isCheap: true, .init())
            let landing = wide.rows.intersection(path.landing)
            #expect(narrow.rows.isSuperset(of: landing))
            // All are there when the list lands, or those that it lands on alone take that long.
            #expect(narrow.rows.count <= max(Int(path.restTime / 0.1), landing.count + 1))
        }
        #expect(left * 3 < flownOver, "\(left) of \(flownOver)")
    }

    @Test func `a transfer is worth the lowest price, not what others wait for`() throws {
        let frames = try frames(3)
        func count(_ price: WorkPrice, floor: WorkPrice, transfer: Int = 10) -> Int {
            let facts = Facts(
                cost: .milliseconds(1), price: price, transfer: .milliseconds(transfer),
                priceFloor: floor)
            return frames.reduce(0) { $0 + plan($1, facts).rows.count }
        }
        #expect(count(.free, floor: .free) > count(.neutral, floor: .neutral))
        #expect(count(.neutral, floor: .free) > count(.neutral, floor: .neutral))
        #expect(
            count(.neutral, floor: .neutral, transfer: 0)
                == count(.neutral, floor: .free, transfer: 0))
    }

    @Test(arguments: seeds(1...8), [4, 12, 30])
    func `no more rows are wanted than there is room for, or than are in view`(
        seed: UInt64, capacity: Int
    ) throws {
        var random = SplitMix64(seed: seed)
        var rule = ValueRule()
        var facts = Facts(cost: .milliseconds(3), capacity: capacity)
        let frames = try frames(seed)
        for (frame, later) in zip(frames, frames.dropFirst(3)) {
            facts.price = Self.prices.randomElement(using: &random) ?? .free
            let visible = frame.viewport.visibleRows
            let wanted = rule.wanted(after: frame, loads: facts) ?? []
            #expect(wanted.count <= max(capacity, visible.count))
            // A row that is loaded and stays in view is wanted too, so that nothing else replaces it.
            if capacity >= visible.count {
                let staying = facts.settled.intersection(visible).intersection(
                    later.viewport.visibleRows)
                #expect(staying.isSubset(of: wanted.map(\.key)))
            }
            var endless = Facts(settled: facts.settled)
            endless.price = facts.price
            var unlimited = rule
            let all = unlimited.wanted(after: frame, loads: endless) ?? []
            #expect(facts.settled.isDisjoint(with: all.map(\.key)))
            facts.settled.formUnion(wanted.prefix(2).map(\.key))
        }
    }

    @Test func `where work is free, a list is loaded ahead before its first gesture`() throws {
        let list = try RowHeights(count: 1_000, height: 100)
        func ahead(_ price: WorkPrice) -> Int {
            var tracker = ScrollTracker(Viewport(rows: list, height: 1_000))
            var rule = ValueRule()
            let facts = Facts(cost: .milliseconds(2), price: price)
            let frame = tracker.note(.frame, at: .zero, offset: 0)
            return rule.wanted(after: frame, loads: facts)?.count { $0.key >= 10 } ?? 0
        }
        #expect((4...40).contains(ahead(.free)))
        #expect(ahead(.neutral) <= 4)
    }
}
