internal import DeferredLoading
internal import IdleLoop
package import LullTesting

/// A recorder of the decisions about a replay's rows, including rows left out.
///
/// ```swift
/// var options = ReplayOptions()
/// options.isLogged = true
/// let replay = try Replay(of: trace, in: list, policy: .within(rows: 3), options: options)
/// let lines = try DecisionRecorder.follow(replay).lines
/// ```
///
/// A row is skipped if it is visible, not loaded and not wanted. That is no decision of the loader,
/// so the rule is asked for a reason at the first such frame.
package final class DecisionRecorder {
    private var lines: [StoryLine] = []
    private var taken = 0
    private var places = RowPlaces()
    private var there: Set<Int> = []
    private var skipped: Set<Int> = []

    private init() {}

    /// Plays a replay, which must be logged, and returns the lines of its rows, in order.
    package static func follow(
        _ replay: Replay
    ) throws -> (outcome: Replay.Outcome, lines: [StoryLine]) {
        try DecisionRecorder().follow(replay)
    }

    private func follow(_ replay: Replay) throws -> (outcome: Replay.Outcome, lines: [StoryLine]) {
        defer { replay.onNote = nil }
        replay.onNote = { [weak replay] _, note in
            if case .frame = note, let replay { self.noteLastFrame(of: replay) }
        }
        try replay.start()
        catchUp(with: replay.log?.decisions ?? [])
        for index in lines.indices { lines[index].reason = "before the trace began" }
        try replay.advance(to: replay.end)
        noteLastFrame(of: replay)
        let outcome = try replay.finish()
        catchUp(with: replay.log?.decisions ?? [])
        // Skipped rows become known one frame later.
        return (
            outcome,
            lines.enumerated().sorted { first, second in
                (first.element.time, first.offset) < (second.element.time, second.offset)
            }.map(\.element)
        )
    }

    /// Examines the previous frame, for whose rows the rule has decided by now.
    private func noteLastFrame(of replay: Replay) {
        catchUp(with: replay.log?.decisions ?? [])
        guard let frame = replay.log?.frames.last else { return }
        skipped = skipped.filter { frame.visible.contains($0) && !places.contains($0) }
        for row in frame.missing
        where !places.contains(row) && !there.contains(row) && !skipped.contains(row) {
            skipped.insert(row)
            lines.append(
                StoryLine(
                    time: frame.end, row: row, kind: .skipped,
                    reason: replay.explanation(ofRow: row)))
        }
    }

    private func catchUp(with decisions: [LoadDecision<Int>]) {
        for decision in decisions[taken...] {
            let line = places.line(for: decision)
            lines.append(line)
            switch line.kind {
            case .loaded, .failed: there.insert(line.row)
            case .evicted, .invalidated, .retried: there.remove(line.row)
            default: break
            }
        }
        taken = decisions.count
    }
}

/// The urgency and rank of each wanted row, with which decisions become lines.
struct RowPlaces {
    private var places: [Int: (urgency: Urgency, rank: Int)] = [:]

    func contains(_ row: Int) -> Bool { places[row] != nil }

    /// Returns the next decision as a line.
    mutating func line(for decision: LoadDecision<Int>) -> StoryLine {
        let line = StoryLine(decision, place: places[decision.key])
        switch line.kind {
        case .wanted, .raised, .lowered:
            if let urgency = line.urgency, let rank = line.rank {
                places[line.row] = (urgency, rank)
            }
        case .dropped, .cancelled, .released: places[line.row] = nil
        default: break
        }
        return line
    }
}
