internal import DeferredLoading
internal import IdleLoop
internal import LullTesting

/// The drawable content of one replay, derived from its log.
struct RunPicture {
    /// The log.
    let log: ReplayLog
    /// The name of the run among others of the same trace.
    let label: String
    /// Its loads, sorted by row and then by time.
    let bars: [LoadBar]
    /// The times for which rows were on screen and not loaded.
    let blanks: [BlankSpan]
    /// The rests of the list.
    let landings: [Landing]
    /// The decisions, by row, each row's in order.
    let stories: [RowStory]
    /// The rows that were loaded before the trace began.
    let warm: Set<Int>

    init(_ log: ReplayLog) {
        self.log = log
        let title = log.title
        label = title.engine.isEmpty ? title.policy : "\(title.policy)/\(title.engine)"
        warm = Set(log.warm)
        blanks = BlankSpan.all(in: log.frames)
        landings = Landing.all(in: log)
        stories = Self.stories(of: log.decisions)
        bars = Self.bars(of: log, stories: stories, seen: SeenFrames(log), warm: warm)
    }

    /// The rows that were on screen or decided about, in order.
    var rows: [Range<Int>] {
        var ranges = stories.map { $0.row..<$0.row + 1 }
        for frame in log.frames where ranges.last != frame.visible { ranges.append(frame.visible) }
        return ranges
    }

    private static func stories(of decisions: [LoadDecision<Int>]) -> [RowStory] {
        let byRow = Dictionary(grouping: decisions, by: \.key)
        return byRow.keys.sorted().map { RowStory(row: $0, decisions: byRow[$0] ?? []) }
    }

    private static func bars(
        of log: ReplayLog, stories: [RowStory], seen: SeenFrames, warm: Set<Int>
    ) -> [LoadBar] {
        let slices = Dictionary(grouping: log.slices, by: \.row)
        var bars: [LoadBar] = []
        for story in stories {
            let row = story.row
            let isWarm = warm.contains(row)
            var builder = LoadBarBuilder(row: row, slices: slices[row] ?? [], isWarm: isWarm)
            for decision in story.decisions.dropFirst(isWarm ? 1 : 0) { builder.note(decision) }
            builder.finish(at: log.end)
            bars += builder.bars
        }
        for index in bars.indices where bars[index].outcome != .failed {
            bars[index].isUseful =
                seen.count(ofRow: bars[index].row) >= (log.title.hz + 5) / 10
        }
        return bars
    }
}
