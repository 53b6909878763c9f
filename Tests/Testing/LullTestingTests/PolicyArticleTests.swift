import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The rule that the article on rules shows.
struct PolicyArticleTests {
    struct NextScreen: LoadingPolicy {
        mutating func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? {
            guard moment.event == .frame else { return nil }
            let rows = moment.viewport.visibleRows(
                at: moment.viewport.offset + moment.viewport.height)
            return rows.enumerated().map { Wanted($1, urgency: .near, rank: $0) }
        }
    }

    @Test func `a rule of one's own is played in three lines`() throws {
        let trace = try Shipped.trace("chromium-fling-train-read")
        let list = Shipped.list("chromium-fling-train-read")
        let replay = try Replay(of: trace, in: list, policy: NextScreen())
        let visible = try Replay(of: trace, in: list, policy: VisibleRows()).run().figures
        let figures = try replay.run().figures
        #expect(figures.blank < visible.blank)
        #expect(figures.framesLate == 0)
    }
}
