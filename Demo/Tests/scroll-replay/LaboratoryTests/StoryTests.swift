import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ScrollModel
import Testing

struct StoryTests {
    /// Wants the even rows on screen, and says why not the odd ones.
    private struct EvenRows: LoadingPolicy {
        var order = 1

        mutating func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? {
            guard moment.event == .frame else { return nil }
            return moment.viewport.visibleRows.filter { $0.isMultiple(of: 2) }
                .map { Wanted($0, urgency: .visible, rank: order * $0) }
        }

        func explanation(ofRow row: Int) -> String? {
            row.isMultiple(of: 2) ? "even" : "odd rows are not for us"
        }
    }

    private func told(
        cost: Duration = .milliseconds(1), order: Int = 1
    ) throws -> (lines: [StoryLine], account: RunAccount) {
        let samples = (0...60).map {
            Trace.Sample(
                time: Instant(nanoseconds: Int64($0) * 16_666_667), offset: Double($0) * 40)
        }
        let trace = Trace(name: "steady", events: [], samples: samples)
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        var options = ReplayOptions()
        options.isLogged = true
        options.cost = cost
        let replay = try Replay(
            of: trace, in: list, policy: EvenRows(order: order), options: options)
        let lines = try DecisionRecorder.follow(replay).lines
        return (lines, RunAccount(try #require(replay.log)))
    }

    @Test func `a row that's loaded has its life in order, with the rule's reason`() throws {
        let (lines, _) = try told()
        let own = lines.filter { $0.row == 10 }
        #expect(own.map(\.kind) == [.wanted, .begun, .loaded, .released])
        #expect(own[0].reason == "even")
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test func `a row that's skipped is told once, with the rule's reason`() throws {
        let (lines, account) = try told()
        let own = lines.filter { $0.row == 11 }
        #expect(own.map(\.kind) == [.skipped])
        let text = RowStory(of: 11, in: account, lines: lines).text
        #expect(text[2] == "  loaded    never")
        #expect(text[3] == "  never wanted: odd rows are not for us")
        #expect(
            text[4].hasSuffix("skipped      on screen, and not wanted: odd rows are not for us"))
    }

    @Test func `what leaves before it's loaded is dropped or cancelled, and says after how much`()
        throws
    {
        let (lines, _) = try told(cost: .milliseconds(20), order: -1)
        let kinds = Set(lines.map(\.kind))
        #expect(kinds.contains(.dropped) && kinds.contains(.cancelled))
        let cancelled = try #require(lines.first { $0.kind == .cancelled })
        #expect(try #require(cancelled.cost) > .zero)
        #expect(cancelled.text.contains("ms of work"))
    }

    @Test func `a row that was never near says so`() throws {
        let (lines, account) = try told()
        #expect(
            RowStory(of: 99, in: account, lines: lines).text == [
                "row 99", "  in view   never", "  loaded    never",
                "  never wanted: it was never in view",
            ])
    }

    @Test func `a warm row was there before the trace`() throws {
        let (lines, account) = try told()
        let text = RowStory(of: 0, in: account, lines: lines).text
        #expect(text[2] == "  loaded    before the trace began")
        #expect(lines.first?.reason == "before the trace began")
    }
}
