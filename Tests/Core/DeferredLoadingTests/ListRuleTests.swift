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
