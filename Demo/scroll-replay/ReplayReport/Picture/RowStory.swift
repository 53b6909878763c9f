internal import DeferredLoading

/// The decisions about a row and the events in its loading, in order.
struct RowStory {
    /// The row.
    var row: Int
    /// The decisions.
    var decisions: [LoadDecision<Int>]

    /// The decisions, with consecutive changes of rank that add nothing merged.
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
