internal import IdleLoop
internal import ReplayText

/// A drawing of the live screen: the viewport on the left, the state of the loop on the right.
///
/// It is pure except for its cache of pictures: the same scene at the same size gives the same
/// grid.
package struct LiveScreen {
    /// The minimum size of the screen.
    package static let least = (width: 60, height: 16)

    let scene: LiveScene
    let depth: InkDepth
    let pictures: LivePictures
    var grid: Grid

    /// Draws a scene at a size, with encodings of pictures from `pictures`, and returns the grid.
    package static func grid(
        of scene: LiveScene, width: Int, height: Int, depth: InkDepth,
        pictures: LivePictures = LivePictures()
    ) -> Grid {
        var screen = LiveScreen(
            scene: scene, depth: depth, pictures: pictures,
            grid: Grid(width: width, height: height))
        screen.draw()
        return screen.grid
    }

    private mutating func draw() {
        guard grid.width >= LiveScreen.least.width, grid.height >= LiveScreen.least.height else {
            drawMessage([
                "This takes at least \(LiveScreen.least.width) × \(LiveScreen.least.height);",
                "the terminal has \(grid.width) × \(grid.height).", "q quits",
            ])
            return
        }
        let split = min(100, grid.width * 46 / 100)
        let lines = 1..<grid.height - 2
        drawTitle()
        drawViewport(columns: 0..<split, lines: lines)
        let right = split + 2..<grid.width
        var line = drawFigures(columns: right, from: lines.lowerBound)
        line = drawLanding(columns: right, from: line + 1)
        line = drawFrames(
            columns: right, from: line + 1, barLines: max(2, min(8, (lines.count - 12) / 4)))
        let rest = min(line + 1, lines.upperBound)..<lines.upperBound
        // If there is room, the last decisions take the lower half.
        let queueEnd = rest.count < 14 ? rest.upperBound : rest.lowerBound + max(8, rest.count / 3)
        drawJobs(columns: right, lines: rest.lowerBound..<queueEnd)
        drawLines(columns: right, lines: min(queueEnd + 1, rest.upperBound)..<rest.upperBound)
        drawProgress(line: grid.height - 2)
        drawKeys(line: grid.height - 1)
        if scene.isHelpShown { drawHelp() }
    }

    // MARK: - Title and footer

    private mutating func drawTitle() {
        grid.fill(0..<grid.width, 0..<1, ground: .ground)
        let contender = "\(scene.policy)/\(scene.engine)  \(scene.setting)  \(scene.hz) Hz"
        let clock =
            "\(seconds(scene.time, 2)) of \(seconds(scene.end, 2)) s  × \(brief(scene.speed)) "
        let state = scene.isOver ? "■ over" : scene.isPaused ? "‖ paused" : "▶"
        let right = "\(clock) \(state) "
        grid.put(
            " " + scene.trace, at: 0, 0,
            limit: max(0, grid.width - right.count - contender.count - 4),
            ink: .text, bold: true)
        grid.put(right, at: grid.width - right.count, 0, ink: .text)
        grid.put(
            contender, at: grid.width - right.count - contender.count - 2, 0, ink: .good, bold: true
        )
    }

    private mutating func drawProgress(line: Int) {
        let share = Double(scene.time.nanoseconds) / Double(max(1, scene.end.nanoseconds))
        let done = Int((share * Double(grid.width)).rounded())
        grid.put(String(repeating: "━", count: max(0, done)), at: 0, line, ink: .good)
        grid.put(
            String(repeating: "─", count: max(0, grid.width - done)), at: done, line, ink: .dim)
    }

    private mutating func drawKeys(line: Int) {
        if let message = scene.message {
            grid.put(" " + message, at: 0, line, ink: .warm, bold: true)
            return
        }
        let keys =
            grid.width < 78
            ? " space pause  p rule  r again  q quit  ? help"
            : scene.isOver
                ? " the end  ← a frame back  p rule  e engine  r again  q quit  ? help"
                : " space pause  → ← frame  + - speed  p rule  e engine  r again  q quit  ? help"
        grid.put(keys, at: 0, line, ink: .dim)
    }

    private mutating func drawHelp() {
        drawMessage(LiveScreen.help)
    }

    private static let help = [
        "space    pause, or go on", "→  .     a frame on", "←  ,     a frame back",
        "+  -     faster, slower", "p  P     the next rule, the one before; it takes over at once",
        "e  E     the next engine, the one before; played anew up to here",
        "r        from the start", "q        quit", "?        this, or away with it", "",
        "On the left: ✓ loaded  ◐ preview  ▸ loading  ↓ fetching  … waiting",
        "  · not wanted  ✗ failed",
        "Frames: a bar is how long the loop was busy from when one was due to the next, two",
        "thirds of the height a period; ! it was late, a digit: so many rows were missing.",
    ]

    /// Draws lines of text in a box in the middle.
    private mutating func drawMessage(_ lines: [String]) {
        let width = min(grid.width, (lines.map(\.count).max() ?? 0) + 4)
        let height = min(grid.height, lines.count + 2)
        let left = (grid.width - width) / 2
        let top = (grid.height - height) / 2
        grid.fill(left..<left + width, top..<top + height, ground: .ground)
        for (index, line) in lines.enumerated() where index + 1 < height {
            grid.put(line, at: left + 2, top + 1 + index, limit: width - 3, ink: .text)
        }
    }
}
