package import DeferredLoading
internal import IdleLoop
package import LullTesting
internal import ScrollModel

/// The account of a replay, made from its log: what the text, the drawings and the page of a report
/// tell of it.
package struct RunAccount: Sendable {
    /// The log.
    package let log: ReplayLog
    /// The name of the run among others of the same trace.
    package let label: String
    /// Its loads, sorted by row and then by time.
    package private(set) var bars: [LoadBar]
    /// The times for which rows were on screen and not loaded.
    package let blanks: [BlankSpan]
    /// The rests of the list.
    package let landings: [Landing]
    /// The decisions about each row, in order, sorted by row.
    package let decisions: [(row: Int, all: [LoadDecision<Int>])]
    /// The rows that were loaded before the trace began.
    package let warm: Set<Int>

    private var absent: [Int: Int] = [:]

    /// Creates the account of a log.
    package init(_ log: ReplayLog) {
        self.log = log
        let title = log.title
        label = title.engine.isEmpty ? title.policy : "\(title.policy)/\(title.engine)"
        warm = Set(log.warm)
        blanks = BlankSpan.all(in: log.frames)
        landings = Landing.all(in: log)
        let byRow = Dictionary(grouping: log.decisions, by: \.key)
        decisions = byRow.keys.sorted().map { ($0, byRow[$0] ?? []) }
        bars = Self.bars(of: log, decisions, warm: warm)
        countAbsent()
        let needed = FrameSchedule.framesToBeUseful(hz: title.hz)
        for index in bars.indices where bars[index].outcome != .failed {
            bars[index].isUseful = framesSeen(ofRow: bars[index].row) >= needed
        }
    }

    /// The rows that were on screen or decided about, in order.
    package var rows: [Range<Int>] {
        var ranges = decisions.map { $0.row..<$0.row + 1 }
        for (number, frame) in log.frames.enumerated()
        where number == 0 || log.frames[number - 1].visible != frame.visible {
            ranges += frame.visible.runs
        }
        return ranges
    }

    /// The lines of each row's story, sorted by row.
    package var stories: [(row: Int, lines: [StoryLine])] {
        decisions.map { row, all in
            var places = RowPlaces()
            return (row, StoryLine.merged(all.map { places.line(for: $0) }))
        }
    }

    /// The last reason that was given for each row.
    package var lastReasons: [Int: String] {
        let reasons = decisions.compactMap { row, all in all.last { $0.reason != nil } }
        return Dictionary(uniqueKeysWithValues: reasons.map { ($0.key, $0.reason ?? "") })
    }

    /// Returns the number of frames in which a row was visible and loaded.
    ///
    /// O(n) in the frames.
    package func framesSeen(ofRow row: Int) -> Int {
        log.frames.count { $0.visible.contains(row) } - absent[row, default: 0]
    }

    /// Counts the frames in which each row was visible and not loaded.
    private mutating func countAbsent() {
        var failed: Set<Int> = []
        var next = 0
        for frame in log.frames {
            while next < log.decisions.count, log.decisions[next].time <= frame.end {
                let decision = log.decisions[next]
                switch decision.kind {
                case .failed: failed.insert(decision.key)
                case .finished, .invalidated, .evicted: failed.remove(decision.key)
                default: break
                }
                next += 1
            }
            for row in frame.missing { absent[row, default: 0] += 1 }
            for row in failed where frame.visible.contains(row) { absent[row, default: 0] += 1 }
        }
    }

    private static func bars(
        of log: ReplayLog, _ decisions: [(row: Int, all: [LoadDecision<Int>])], warm: Set<Int>
    ) -> [LoadBar] {
        let slices = Dictionary(grouping: log.slices, by: \.row)
        return decisions.flatMap { row, all in
            let isWarm = warm.contains(row)
            var builder = LoadBarBuilder(row: row, slices: slices[row] ?? [], isWarm: isWarm)
            for decision in all.dropFirst(isWarm ? 1 : 0) { builder.note(decision) }
            builder.finish(at: log.end)
            return builder.bars
        }
    }
}
