internal import DeferredLoading
internal import IdleLoop
internal import Laboratory
internal import LullTesting
internal import ReplayText

// The right pane: figures, landing, frames and queue.
extension LiveScreen {
    private mutating func title(_ name: String, _ facts: String, _ columns: Range<Int>, _ line: Int)
    {
        let end = grid.put(name, at: columns.lowerBound, line, ink: .text, bold: true)
        grid.put("  " + facts, at: end, line, limit: columns.upperBound - end, ink: .dim)
    }

    private mutating func fact(
        _ name: String, _ text: String, _ columns: Range<Int>, _ line: Int, ink: Ink? = nil
    ) {
        grid.put(name, at: columns.lowerBound, line, ink: .dim)
        let place = columns.lowerBound + 9
        grid.put(text, at: place, line, limit: columns.upperBound - place, ink: ink)
    }

    /// Draws the figures so far, and returns the line after them.
    mutating func drawFigures(columns: Range<Int>, from line: Int) -> Int {
        let figures = scene.figures
        let missing = scene.rows.count { $0.state != .loaded && $0.state != .failed }
        fact(
            "blank",
            "\(seconds(figures.blank)) row·s"
                + (missing > 0 ? ", \(counted(missing, "row")) missing now" : ""),
            columns, line, ink: missing > 0 ? .warm : nil)
        fact(
            "late",
            "\(figures.framesLate) of \(counted(figures.framesShown, "frame")), "
                + "\(figures.framesDropped) dropped",
            columns, line + 1, ink: figures.framesLate > 0 ? .bad : nil)
        fact(
            "loads",
            "\(figures.loadsFinished), \(figures.loadsUseful) seen; "
                + "\(percent(figures.wasteShare)) of cost unseen",
            columns, line + 2)
        return line + 3
    }

    /// Draws where a fling will rest and what that means for loading, and returns the line after
    /// it.
    mutating func drawLanding(columns: Range<Int>, from line: Int) -> Int {
        if let landing = scene.landing {
            let distance = landing.target - scene.offset
            let way =
                abs(distance) < 0.5
                ? "there" : "\(decimals(abs(distance), 0)) px \(distance > 0 ? "on" : "back")"
            fact(
                "landing", "\(decimals(landing.target, 0)) px (\(span(landing.rows))), \(way)",
                columns, line)
        } else {
            fact(
                "landing", "none expected, now at \(decimals(scene.offset, 0)) px", columns,
                line)
        }
        if let gate = scene.gate {
            fact("gate", "shut: rows \(span(gate)) alone", columns, line + 1, ink: .warm)
        } else {
            fact("gate", "open", columns, line + 1)
        }
        return line + 2
    }

    private func span(_ rows: Range<Int>) -> String {
        rows.isEmpty ? "none" : "\(rows.lowerBound)–\(rows.upperBound - 1)"
    }

    /// Draws a bar for each of the last frames, and returns the line after them.
    mutating func drawFrames(columns: Range<Int>, from line: Int, barLines: Int) -> Int {
        title("frames", "the last \(min(columns.count, scene.frames.count)), ! late", columns, line)
        let steps: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        let full = 8 * barLines
        for (index, frame) in scene.frames.suffix(columns.count).enumerated() {
            let column = columns.lowerBound + index
            // A frame period is two thirds of the height.
            let share = max(frame.busy, frame.span) * 2 / 3
            var eighths = max(1, min(full, Int((share * Double(full)).rounded())))
            let ink: Ink = frame.isLate ? .bad : frame.missing == 0 ? .good : .warm
            for row in (0..<barLines).reversed() {
                grid.put(String(steps[min(8, eighths)]), at: column, line + 1 + row, ink: ink)
                eighths = max(0, eighths - 8)
            }
            let missing = frame.missing > 9 ? "+" : "\(frame.missing)"
            let mark = frame.isLate ? "!" : frame.missing == 0 ? " " : missing
            grid.put(mark, at: column, line + 1 + barLines, ink: ink, bold: frame.isLate)
        }
        return line + 2 + barLines
    }

    /// Draws the last decisions, the newest at the bottom.
    mutating func drawLines(columns: Range<Int>, lines: Range<Int>) {
        guard lines.count > 2 else { return }
        title("decisions", "the last", columns, lines.lowerBound)
        for (index, line) in scene.lines.suffix(lines.count - 1).enumerated() {
            grid.put(
                line.textWithRow, at: columns.lowerBound, lines.lowerBound + 1 + index,
                limit: columns.count, ink: line.ink)
        }
    }

    /// Draws the rows that are wanted and not loaded, most urgent first.
    mutating func drawJobs(columns: Range<Int>, lines: Range<Int>) {
        guard let first = lines.first else { return }
        let jobs = scene.jobs
        let busy = jobs.count { $0.state != .waiting }
        title("queue", "\(jobs.count) wanted, \(busy) under way", columns, first)
        var line = first + 1
        for urgency in Urgency.allCases.reversed() {
            let own = jobs.filter { $0.urgency == urgency }
            guard !own.isEmpty, line < lines.upperBound else { continue }
            grid.put(urgency.name, at: columns.lowerBound, line, ink: .dim)
            line = drawJobs(
                own, columns: columns.lowerBound + 12..<columns.upperBound, from: line,
                to: lines.upperBound)
        }
    }

    /// Draws as many rows of one urgency as fit on their lines, and returns the line after them.
    private mutating func drawJobs(
        _ jobs: [LiveScene.Job], columns: Range<Int>, from start: Int, to end: Int
    ) -> Int {
        var line = start
        var column = columns.lowerBound
        for (index, job) in jobs.enumerated() {
            let detail = job.state.spent.map { " \(milliseconds($0)) ms" } ?? ""
            let text = "\(job.row) \(job.state.mark)\(detail)"
            let left = jobs.count - index
            if column + text.count > columns.upperBound {
                line += 1
                column = columns.lowerBound
            }
            let isLast = line + 1 >= min(end, start + 3)
            let more = "+\(left)"
            if isLast, left > 1, column + text.count + 2 + more.count > columns.upperBound {
                grid.put(more, at: column, line, limit: columns.upperBound - column, ink: .dim)
                return line + 1
            }
            column =
                grid.put(
                    text, at: column, line, limit: columns.upperBound - column, ink: job.state.ink)
                + 2
        }
        return line + 1
    }
}

extension StoryLine {
    /// The colour of the line: whether it reports success, work in progress, or a loss.
    fileprivate var ink: Ink? {
        switch kind {
        case .loaded: .good
        case .failed, .cancelled, .rejected, .memoryBlocked, .retrying, .evicted: .bad
        case .dropped, .skipped, .released, .invalidated: .dim
        case .wanted, .shared, .raised, .lowered, .kept, .fetched, .begun, .refined, .retried: nil
        }
    }
}
