import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

/// The library's rules, as everybody gets them.
struct ListRuleTests {
    /// What happens in a fling that goes far: the event, milliseconds, and the offset.
    private static let fling: [(event: ScrollEvent, time: Int64, offset: Double?)] =
        [(.frame, 0, 0), (.down(y: 700), 8, nil), (.moved(y: 600), 24, nil), (.frame, 32, 100)]
        + [(.moved(y: 400), 48, nil), (.up(y: 400, target: 9000), 56, nil), (.frame, 64, 300)]

    @Test(arguments: [(nil, false), (99, false), (100, true), (0, false)] as [(Int?, Bool)])
    func `a fling is short up to so many rows, and then what is on screen is wanted`(
        threshold: Int?, isShort: Bool
    ) throws {
        var rule = threshold.map { ListRule.within(rows: 3, threshold: $0) } ?? .within(rows: 3)
        var tracker = ScrollTracker(
            Viewport(rows: try RowHeights(count: 500, height: 40), height: 800))
        var wanted: [Wanted<Int>] = []
        for event in [ScrollEvent.frame, .down(y: 700), .up(y: 700, target: 4000)] {
            let moment = tracker.note(event, at: .zero)
            wanted = rule.wanted(after: moment, loads: NoLoadStatus()) ?? wanted
        }
        #expect(wanted.map(\.key) == Array(isShort ? 0..<20 : 97..<123))
    }

    @Test func `a fling of eight rows is short`() throws {
        for (target, isShort) in [(320.0, true), (360, false)] {
            var rule = ListRule.within(rows: 3)
            var tracker = ScrollTracker(
                Viewport(rows: try RowHeights(count: 500, height: 40), height: 800))
            var wanted: [Wanted<Int>] = []
            for event in [ScrollEvent.frame, .down(y: 700), .up(y: 700, target: target)] {
                let moment = tracker.note(event, at: .zero)
                wanted = rule.wanted(after: moment, loads: NoLoadStatus()) ?? wanted
            }
            #expect((wanted.map(\.key) == Array(0..<20)) == isShort)
        }
    }

    @Test(arguments: 1...fling.count)
    func `what was noted is answered as if each event had been asked about`(count: Int) throws {
        for rule in [ListRule.visible, .everything, .within(rows: 3)] {
            var (asked, noting) = (rule, rule)
            var tracker = ScrollTracker(
                Viewport(rows: try RowHeights(count: 500, height: 40), height: 800))
            var (wanted, noted): ([Wanted<Int>]?, [Wanted<Int>]?)
            for (event, time, offset) in Self.fling.prefix(count) {
                let moment = tracker.note(
                    event, at: Instant(nanoseconds: time * 1_000_000), offset: offset)
                wanted = asked.wanted(after: moment, loads: NoLoadStatus()) ?? wanted
                noted = noting.note(moment) ?? noted
            }
            let answer = noting.wanted(after: tracker.moment, loads: NoLoadStatus())
            #expect(answer ?? noted == wanted)
            #expect(noting.wanted(after: tracker.moment, loads: NoLoadStatus()) == nil)
        }
    }
}
