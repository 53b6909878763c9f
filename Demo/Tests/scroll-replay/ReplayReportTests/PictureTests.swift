import DeferredLoading
import Laboratory
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

@testable import ReplayReport

/// The agreement of drawings with figures.
struct PictureTests {
    private func check(_ log: ReplayLog, _ comment: Comment) {
        let run = RunAccount(log)
        let figures = log.figures
        let finished = run.bars.filter { $0.outcome == .finished }
        #expect(finished.count == figures.loadsFinished, comment)
        #expect(finished.count { $0.isUseful } == figures.loadsUseful, comment)
        #expect(run.bars.count { $0.outcome == .failed } == figures.loadsFailed, comment)
        #expect(
            run.bars.allSatisfy {
                $0.asked <= ($0.begun ?? $0.end) && $0.begun ?? $0.end <= $0.end
            },
            comment)
        // Every piece of work lies in a bar of its row, or goes on on a lane when that is cancelled.
        let bars = Dictionary(grouping: run.bars, by: \.row)
        for slice in log.slices {
            let isCovered = (bars[slice.row] ?? []).contains { bar in
                let isWithin = slice.end <= bar.end || slice.lane > 0 && slice.start < bar.end
                return bar.begun.map { $0 <= slice.start && isWithin } ?? false
            }
            #expect(isCovered, comment)
        }
        // Blank time, counted again from the spans.
        let frames = log.frames
        let blank = run.blanks.reduce(Duration.zero) { sum, span in
            let next = span.first + span.count
            let end = next < frames.count ? frames[next].due : frames[next - 1].deadline
            return sum + (end - frames[span.first].due)
        }
        #expect(blank == figures.blank, comment)
        #expect(
            run.landings.compactMap(\.complete).count == figures.rests - figures.settleNever,
            comment)
    }

    @Test(arguments: Shipped.names)
    func `bars, blanks and landings add up to the figures`(name: String) throws {
        let logs = Played.logs(name) + [try Played.log(name, "everything", .whole)]
        for log in logs { check(log, "\(name) \(log.title.policy) \(log.title.engine)") }
        for setting in [Setting.heavy, .latency] {
            check(
                try Played.log(name, "everything", .lull, setting: setting), "\(name) \(setting)")
        }
        for engine in [Scheduling.whole, .lull] {
            let log = try Played.log(name, "within3", engine, setting: .heavy) { $0.lanes = 2 }
            check(log, "\(name) on lanes \(engine)")
        }
    }

    @Test func `rows that make room and come back have a bar each time`() throws {
        for memory in [3, 10] {
            let log = try Played.log("chromium-fling-reverse", "visible") {
                $0.limits.capacity = memory
                $0.queueLimit = 4
                $0.isWarm = false
            }
            let run = RunAccount(log)
            #expect(
                run.bars.count { $0.outcome == .finished } == log.figures.loadsFinished,
                "memory for \(memory)")
        }
    }

    @Test func `a landing is complete when the last of its rows is there`() throws {
        let log = try Played.log("chromium-desktop-fling-4500", height: 800)
        let landing = try #require(RunAccount(log).landings.last)
        let lift = try #require(log.inputs.last?.time)
        let rows = try #require(log.frames.last?.visible)
        let last = log.slices.last { rows.contains($0.row) && $0.isLast }
        #expect(landing.cause == .lift)
        #expect(landing.origin == lift)
        #expect(landing.complete == last?.end)
    }

    @Test func `rows lie where the list has them, gaps and all`() throws {
        let list = Viewport(rows: try RowHeights([10, 20.26, 30, 40, 50]), height: 100).list
        let table = RowTable([3..<5, 0..<2, 1..<2], in: list)
        #expect(table.segments.map(\.rows) == [0..<2, 3..<5])
        #expect(table.place(ofRow: 1) == 100..<303)
        #expect(table.place(ofRow: 2) == nil)
        #expect(table.place(ofRow: 4)?.lowerBound == 1003)
        #expect(table.place(ofRow: 5) == nil)
    }
}
