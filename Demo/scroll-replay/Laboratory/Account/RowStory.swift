internal import IdleLoop
internal import LullTesting
internal import ReplayText

/// The history of one row in a replay: when it was visible, when it was loaded, whether that was of
/// use, and what was decided about it.
package struct RowStory {
    private let row: Int
    private let account: RunAccount
    private let lines: [StoryLine]

    /// Creates the history of a row from the account of a replay and the lines of a
    /// ``DecisionRecorder``.
    package init(of row: Int, in account: RunAccount, lines: [StoryLine]) {
        self.row = row
        self.account = account
        self.lines = lines.filter { $0.row == row }
    }

    /// The history as lines of text.
    package var text: [String] {
        ["row \(row)", "  in view   " + visibility, "  loaded    " + loading]
            + (isEverWanted ? [] : ["  never wanted" + because])
            + StoryLine.merged(lines).map { "  " + $0.text }
    }

    // MARK: - Facts

    /// The runs of consecutive frames in which the row was visible.
    private var views: [(from: Instant, to: Instant, frames: Int)] {
        var result: [(from: Instant, to: Instant, frames: Int)] = []
        var isOpen = false
        for frame in account.log.frames {
            guard frame.visible.contains(row) else {
                isOpen = false
                continue
            }
            if isOpen {
                result[result.count - 1].to = frame.deadline
                result[result.count - 1].frames += 1
            } else {
                result.append((frame.start, frame.deadline, 1))
                isOpen = true
            }
        }
        return result
    }

    private var visibility: String {
        let views = self.views
        guard !views.isEmpty else { return "never" }
        return views.map {
            "\(seconds($0.from)) to \(seconds($0.to)) s (\(counted($0.frames, "frame")))"
        }.joined(separator: ", ")
    }

    private var loading: String {
        let isWarm = account.warm.contains(row)
        let finished = lines.filter { $0.kind == .loaded || $0.kind == .failed }
            .dropFirst(isWarm ? 1 : 0)
        let seen = account.framesSeen(ofRow: row)
        let needed = FrameSchedule.framesToBeUseful(hz: account.log.title.hz)
        let use =
            seen >= needed
            ? "useful: seen on \(counted(seen, "frame"))"
            : "wasted: seen on \(counted(seen, "frame")) of the \(needed) that count"
        guard let last = finished.last else { return isWarm ? "before the trace began" : "never" }
        if last.kind == .failed {
            return "failed at \(seconds(last.time, 4)) s: \(last.reason ?? "no reason given")"
        }
        let before = views.first.map { last.time - $0.from }
        let when =
            before.map { lead in
                lead <= .zero
                    ? ", \(milliseconds(.zero - lead)) ms before it came into view"
                    : ", \(milliseconds(lead)) ms after it first came into view"
            } ?? ""
        return "at \(seconds(last.time, 4)) s\(when); \(use)"
    }

    private var isEverWanted: Bool {
        account.warm.contains(row) || lines.contains { $0.kind == .wanted || $0.kind == .loaded }
    }

    private var because: String {
        let reasons = lines.compactMap { $0.kind == .skipped ? $0.reason : nil }
        if let reason = reasons.first { return ": " + reason }
        return views.isEmpty ? ": it was never in view" : ""
    }
}
