internal import IdleLoop
package import LullTesting
internal import ReplayText

/// A drawing of a trace: the offset over time, the velocity below it, and the inputs.
///
/// ```text
///  62715 ┤                ⣀⣀⣀⣀⡤⠤⠤◉⠒⠒⠒⠒⠒⠒
///  60000 ┤⣀⣀⣀⡠⠊
///        └▼──▲──────────────────────────
/// ```
package struct TraceChart {
    private let log: ReplayLog
    private let width: Int
    private let plot: Range<Int>
    private let end: Instant
    private let offsets: ClosedRange<Double>

    private static let offsetLines = 12
    private static let velocityLines = 5

    /// Creates a chart of a replay's motion, `width` columns wide; at least 40.
    package init(of log: ReplayLog, width: Int) {
        self.log = log
        self.width = max(40, width)
        plot = 10..<self.width
        let moved = zip(log.frames, log.frames.dropFirst()).filter { $0.offset != $1.offset }
        let last = max(moved.last?.1.deadline ?? .zero, log.inputs.last?.time ?? .zero)
        end = min(log.end, last + ((last - .zero) / 20 + .milliseconds(100)))
        let all = log.frames.map(\.offset) + log.predictions.map(\.target)
        let low = all.min() ?? 0
        offsets = low...max(all.max() ?? 0, low + 1)
    }

    /// The chart, drawn.
    package var grid: Grid {
        var grid = Grid(
            width: width, height: TraceChart.offsetLines + TraceChart.velocityLines + 4)
        drawOffsets(on: &grid)
        drawLandings(on: &grid)
        drawInputs(on: &grid, line: TraceChart.offsetLines)
        drawVelocity(on: &grid, from: TraceChart.offsetLines + 1)
        drawTimes(on: &grid, line: grid.height - 3)
        let legend = "▼ down  ▲ up  × cancelled  w wheel  k key  ○ expected  ● rested  ◉ both"
        grid.put(legend, at: plot.lowerBound, grid.height - 1, ink: .dim)
        return grid
    }

    // MARK: - Scales

    private func column(of time: Instant) -> Int {
        let share = Double(time.nanoseconds) / Double(max(1, end.nanoseconds))
        return plot.lowerBound + min(plot.count - 1, Int(share * Double(plot.count)))
    }

    /// Returns the dot of an offset, counted from the top.
    private func dot(of offset: Double) -> Int {
        let share = (offset - offsets.lowerBound) / (offsets.upperBound - offsets.lowerBound)
        return Int(((1 - share) * Double(4 * TraceChart.offsetLines - 1)).rounded())
    }

    /// The offset on screen at each dot's time.
    private var samples: [Double] {
        var frame = 0
        return (0..<2 * plot.count).map { x in
            let time = Instant(
                nanoseconds: (Int64(x) * 2 + 1) * end.nanoseconds / Int64(4 * plot.count))
            while frame + 1 < log.frames.count, log.frames[frame + 1].start <= time { frame += 1 }
            return log.frames.isEmpty ? 0 : log.frames[frame].offset
        }
    }

    // MARK: - Drawing

    private func drawOffsets(on grid: inout Grid) {
        var dots = Dots(columns: plot.count, lines: TraceChart.offsetLines)
        let heights = samples.map { dot(of: $0) }
        for (x, y) in heights.enumerated() {
            dots.connect(x, from: x == 0 ? y : (heights[x - 1] + y) / 2, to: y)
            if x > 0 { dots.connect(x - 1, from: heights[x - 1], to: (heights[x - 1] + y) / 2) }
        }
        put(dots, on: &grid, from: 0, ink: .good)
        label(offsets.upperBound, on: &grid, line: 0)
        label(
            (offsets.lowerBound + offsets.upperBound) / 2, on: &grid,
            line: TraceChart.offsetLines / 2)
        label(offsets.lowerBound, on: &grid, line: TraceChart.offsetLines - 1)
        grid.put("px", at: 0, 1, ink: .dim)
    }

    private func drawVelocity(on grid: inout Grid, from line: Int) {
        let lines = TraceChart.velocityLines
        let step = Double(end.nanoseconds) / 1e9 / Double(2 * plot.count)
        let reach = max(1, Int((1.5 / Double(log.title.hz) / step).rounded(.up)))
        let samples = self.samples
        let velocities = samples.indices.map { x in
            let from = max(0, x - reach)
            let to = min(samples.count - 1, x + reach)
            return to > from ? (samples[to] - samples[from]) / (Double(to - from) * step) : 0
        }
        let top = max(1, velocities.max() ?? 1)
        let bottom = min(0, velocities.min() ?? 0)
        func dot(of velocity: Double) -> Int {
            Int(((top - velocity) / (top - bottom) * Double(4 * lines - 1)).rounded())
        }
        var dots = Dots(columns: plot.count, lines: lines)
        for (x, velocity) in velocities.enumerated() {
            dots.connect(x, from: dot(of: 0), to: dot(of: velocity))
        }
        put(dots, on: &grid, from: line, ink: .warm)
        grid.put("px/s", at: 0, line + 1, ink: .dim)
        label(top, on: &grid, line: line)
        if bottom < -top / 20 { label(bottom, on: &grid, line: line + lines - 1) }
        label(0, on: &grid, line: line + dot(of: 0) / 4)
    }

    private func put(_ dots: Dots, on grid: inout Grid, from line: Int, ink: Ink) {
        for row in 0..<dots.lines {
            for column in 0..<dots.columns {
                guard let character = dots.character(column, row) else { continue }
                grid.put(
                    String(character), at: plot.lowerBound + column, line + row, ink: ink)
            }
        }
    }

    private func drawLandings(on grid: inout Grid) {
        for stroke in Stroke.all(in: log) {
            guard let expected = stroke.expected else { continue }
            let column = column(of: stroke.rest)
            let rested = dot(of: stroke.landing) / 4
            let guessed = dot(of: expected) / 4
            if rested == guessed {
                grid.put("◉", at: column, rested, ink: .text, bold: true)
            } else {
                grid.put("●", at: column, rested, ink: .text, bold: true)
                grid.put("○", at: column, guessed, ink: .bad, bold: true)
            }
        }
    }

    /// Draws the line of inputs; of simultaneous ones, a touch has precedence.
    private func drawInputs(on grid: inout Grid, line: Int) {
        grid.put(
            "└" + String(repeating: "─", count: plot.count), at: plot.lowerBound - 1, line,
            ink: .dim)
        grid.put("input".right(to: 8), at: 0, line, ink: .dim)
        var marks: [Int: (rank: Int, mark: String)] = [:]
        for input in log.inputs {
            let mark: (rank: Int, mark: String)? =
                switch input.input {
                case .down: (0, "▼")
                case .up: (1, "▲")
                case .cancel: (2, "×")
                case .wheel: (3, "w")
                case .key: (4, "k")
                case .move: nil
                }
            guard let mark else { continue }
            let column = column(of: input.time)
            if marks[column].map({ $0.rank > mark.rank }) ?? true { marks[column] = mark }
        }
        for (column, mark) in marks {
            grid.put(mark.mark, at: column, line, ink: .text, bold: true)
        }
    }

    private func drawTimes(on grid: inout Grid, line: Int) {
        let count = max(2, plot.count / 20)
        grid.put(
            "└" + String(repeating: "─", count: plot.count), at: plot.lowerBound - 1, line,
            ink: .dim)
        for index in 0...count {
            let time = Instant(nanoseconds: end.nanoseconds * Int64(index) / Int64(count))
            let column = column(of: time)
            let text = seconds(time, 2) + " s"
            let place = min(column, plot.upperBound - text.count)
            grid.put("┴", at: column, line, ink: .dim)
            grid.put(text, at: place, line + 1, ink: .dim)
        }
    }

    private func label(_ value: Double, on grid: inout Grid, line: Int) {
        grid.put(decimals(value, 0).right(to: 8) + " ┤", at: 0, line, ink: .dim)
    }
}
