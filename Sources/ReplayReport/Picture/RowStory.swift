internal import DeferredLoading

/// All that was decided about a row, and became of it, in order.
struct RowStory {
    /// The row.
    var row: Int
    /// What was decided.
    var decisions: [LoadDecision<Int>]

    /// The decisions, with steps from place to place that say nothing new taken together.
    var lines: [StoryLine] {
        var lines: [StoryLine] = []
        for decision in decisions {
            let line = StoryLine(decision)
            if let last = lines.last, let joined = last.joined(with: line) {
                lines[lines.count - 1] = joined
            } else {
                lines.append(line)
            }
        }
        return lines
    }
}
