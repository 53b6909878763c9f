package import LullTesting

/// The history of one row in a replay: when it was visible, when it was loaded, whether that was of
/// use, and what was decided about it.
package struct RowStory {
    private let row: Int
    private let log: ReplayLog
    private let lines: [StoryLine]

    /// Creates the history of a row from the log of a replay and the lines of a ``Storyteller``.
    package init(of row: Int, in log: ReplayLog, lines: [StoryLine]) {
        self.row = row
        self.log = log
        self.lines = lines.filter { $0.row == row }
    }

    /// The history as lines of text.
    package var text: [String] {
        ["row \(row)", "  in view   " + visibility, "  loaded    " + loading]
            + (isEverWanted ? [] : ["  never wanted" + because])
            + collapsed.map { "  " + $0 }
    }

    // MARK: - Facts

    /// The runs of consecutive frames in which the row was visible.
    private var views: [(from: Int64, to: Int64, frames: Int)] {
        var result: [(from: Int64, to: Int64, frames: Int)] = []
        var isOpen = false
        for frame in log.frames {
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

    /// The number of frames in which it was visible and loaded.
    private var seen: Int {
        log.frames.count { $0.visible.contains(row) && !$0.missing.contains(row) }
    }

    private var loading: String {
        let isWarm = log.warm.contains(row)
        let finished = lines.filter { $0.kind == .loaded || $0.kind == .failed }
            .dropFirst(isWarm ? 1 : 0)
        let needed = Int((0.1 * Double(log.title.hz)).rounded())
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
                lead <= 0
                    ? ", \(milliseconds(-lead)) ms before it came into view"
                    : ", \(milliseconds(lead)) ms after it first came into view"
            } ?? ""
        return "at \(seconds(last.time, 4)) s\(when); \(use)"
    }

    private var isEverWanted: Bool {
        log.warm.contains(row) || lines.contains { $0.kind == .wanted || $0.kind == .loaded }
    }

    private var because: String {
        let reasons = lines.compactMap { $0.kind == .skipped ? $0.reason : nil }
        if let reason = reasons.first { return ": " + reason }
        return views.isEmpty ? ": it was never in view" : ""
    }

    // MARK: - Lines

    /// The lines, with consecutive changes of rank within one urgency merged.
    private var collapsed: [String] {
        var result: [String] = []
        var index = 0
        while index < lines.count {
            let first = lines[index]
            let run = lines[index...].prefix { step in
                (step.kind == .raised || step.kind == .lowered) && step.kind == first.kind
                    && step.from == step.urgency
            }
            if run.count > 2, let last = run.last {
                var line = last
                line.time = first.time
                let reason = line.reason.map { ": " + $0 } ?? ""
                line.reason = nil
                result.append(
                    line.text + " in \(run.count) steps by \(seconds(last.time, 4))" + reason)
                index += run.count
            } else {
                result.append(first.text)
                index += 1
            }
        }
        return result
    }
}
