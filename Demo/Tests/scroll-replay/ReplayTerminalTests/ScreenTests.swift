import LullTesting
import ReplayTerminal
import ScrollModel
import TestSupport
import Testing

struct GridTests {
    @Test func `what is drawn outside is left out`() {
        var grid = Grid(width: 4, height: 2)
        grid.put("abcdef", at: 2, 0)
        grid.put("xy", at: -1, 1)
        grid.put("no", at: 0, 7)
        #expect(grid.lines == ["  ab", "y"])
    }

    @Test func `only what has changed is written, with the colours it has`() {
        var old = Grid(width: 6, height: 2)
        old.put("abc", at: 0, 0)
        var new = old
        new.put("X", at: 1, 0, ink: .bad)
        #expect(
            new.changes(from: old, in: .full) == "\u{1B}[1;2H\u{1B}[0;38;2;240;90;60mX\u{1B}[0m")
        #expect(new.changes(from: old, in: .indexed) == "\u{1B}[1;2H\u{1B}[0;38;5;203mX\u{1B}[0m")
        #expect(new.changes(from: old, in: .none) == "\u{1B}[1;2HX")
        #expect(new.changes(from: new, in: .full).isEmpty)
    }

    @Test func `a screen of another size is written whole`() {
        let new = Grid(width: 2, height: 1)
        #expect(new.changes(from: Grid(width: 3, height: 1), in: .none) == "\u{1B}[1;1H  ")
        #expect(new.changes(from: nil, in: .none) == "\u{1B}[1;1H  ")
    }

    @Test func `dots fill a character from the upper left to the lower right`() {
        var dots = Dots(columns: 2, lines: 1)
        #expect(dots.character(0, 0) == nil)
        dots.set(0, 0)
        #expect(dots.character(0, 0) == "⠁")
        dots.connect(1, from: 0, to: 3)
        #expect(dots.character(0, 0) == "⢹")
        dots.set(9, 9)
        dots.set(-1, 0)
        #expect(dots.character(1, 0) == nil)
    }
}

struct ChartTests {
    static func log(of trace: Trace) throws -> ReplayLog {
        let list = Viewport(rows: try RowHeights(count: 500, height: 80), height: 800)
        var options = ReplayOptions()
        options.isLogged = true
        let replay = try Replay(of: trace, in: list, policy: Nothing(), options: options)
        _ = try replay.run()
        return try #require(replay.log)
    }

    /// A finger that lifts at 3000 px/s, a wheel, a key.
    static let trace = Trace(
        name: "hand",
        events: [Trace.Event(time: .zero, .down(y: 700))]
            + (1...10).map { .init(time: .milliseconds(8 * $0), .move(y: 700 - 24 * Double($0))) }
            + [
                .init(time: .milliseconds(84), .up(y: 460)),
                .init(time: .milliseconds(3000), .wheel(dy: -120)),
                .init(time: .milliseconds(3500), .key),
            ],
        samples: [])

    @Test(arguments: [40, 80, 120, 200])
    func `a chart is as wide as it was asked to be, and no wider`(width: Int) throws {
        let grid = TraceChart(of: try ChartTests.log(of: ChartTests.trace), width: width).grid
        #expect(grid.width == width)
        for line in grid.lines { #expect(line.count <= width) }
        #expect(grid.lines(in: .none) == grid.lines)
    }

    @Test func `it shows what came in, and where the fling rested`() throws {
        let lines = TraceChart(of: try ChartTests.log(of: ChartTests.trace), width: 100).grid.lines
        let input = try #require(lines.first { $0.contains("input") })
        #expect(input.contains("▼") && input.contains("▲"))
        #expect(input.contains("w") && input.contains("k"))
        #expect(lines.dropLast().contains { $0.contains("◉") })
    }

    @Test func `a summary tells strokes, rate and landings`() throws {
        let text = TraceSummary(of: ChartTests.trace, in: try ChartTests.log(of: ChartTests.trace))
            .text
        #expect(text[0] == "hand: 3.50 s; 500 rows, viewport 800 px, 60 Hz")
        #expect(
            text[1] == "  input   1 stroke, 12 finger samples at 125 Hz, 1 wheel notch, 1 key, "
                + "the list by the model")
        #expect(text.count == 5)
        #expect(text[4].contains("3000 px/s"))
    }

    @Test func `the end of a fling that was caught is no rest`() throws {
        var trace = ChartTests.trace
        trace.events[12] = .init(time: .milliseconds(200), .down(y: 500))
        trace.events[13] = .init(time: .milliseconds(250), .up(y: 500))
        let strokes = Stroke.all(in: try ChartTests.log(of: trace))
        #expect(strokes.count == 2)
        #expect(strokes[0].isCaught)
        #expect(!strokes[1].isCaught)
    }

    @Test func `a trace without motion or input has a chart too`() throws {
        let still = Trace(name: "still", events: [], samples: [.init(time: .zero, offset: 0)])
        let log = try ChartTests.log(of: still)
        #expect(TraceChart(of: log, width: 80).grid.lines.count > 10)
        #expect(
            TraceSummary(of: still, in: log).text[1] == "  input   none, 1 recorded offset")
    }
}
