internal import LullLibC

/// A replay drawn in characters, rows downwards and frames to the right, for tests and terminals.
///
/// ```swift
/// var options = ReplayOptions()
/// options.isLogged = true
/// let replay = try Replay(of: trace, in: list, policy: MyPolicy(), options: options)
/// _ = try replay.run()
/// #expect(ReplayDrawing(replay.log, rows: 9..<12).text == """
///      9 ██████████
///     10 ·o████████
///     11 --o+++████
///     """)
/// ```
///
/// | | on screen | not on screen |
/// |---|---|---|
/// | loaded, or failed | `█` | `+` |
/// | worked on in the frame's time | `o` | `-` |
/// | neither | `·` | a blank |
public struct ReplayDrawing: Sendable {
    private let log: ReplayLog
    private let rows: Range<Int>
    private let frames: Range<Int>

    /// Creates a drawing of some rows and frames of a replay; of all frames by default.
    ///
    /// - Precondition: the replay was logged.
    ///
    /// Traps if there is no log.
    public init(_ log: ReplayLog?, rows: Range<Int>, frames: Range<Int>? = nil) {
        guard let log else { preconditionFailure("only a replay that was logged can be drawn") }
        self.log = log
        self.rows = rows
        self.frames = (frames ?? 0..<log.frames.count).clamped(to: 0..<log.frames.count)
    }

    /// The drawing, a line for each row with its number, without trailing blanks.
    ///
    /// O(rows · frames + all that was logged).
    public var text: String {
        let width = String(max(0, rows.upperBound - 1)).count + 1
        let settled = settledFrom
        let worked = workedIn
        return rows.map { row in
            let number = String(row)
            var line = String(repeating: " ", count: max(0, width - number.count)) + number + " "
            for frame in frames {
                let isVisible = log.frames[frame].visible.contains(row)
                if let first = settled[row], first <= frame {
                    line += isVisible ? "█" : "+"
                } else if worked[row]?.contains(frame) == true {
                    line += isVisible ? "o" : "-"
                } else {
                    line += isVisible ? "·" : " "
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        .joined(separator: "\n")
    }

    /// The first frame that shows each row in its final state.
    private var settledFrom: [Int: Int] {
        var first = Dictionary(log.warm.map { ($0, 0) }) { old, _ in old }
        for slice in log.slices where slice.isLast && first[slice.row] == nil {
            first[slice.row] = log.frames.firstIndex { $0.start >= slice.end } ?? log.frames.count
        }
        return first
    }

    /// The frames during which, or after which until the next, each row was worked on.
    private var workedIn: [Int: Set<Int>] {
        var frames: [Int: Set<Int>] = [:]
        var frame = 0
        for slice in log.slices {
            while frame + 1 < log.frames.count, log.frames[frame + 1].start <= slice.start {
                frame += 1
            }
            frames[slice.row, default: []].insert(frame)
        }
        return frames
    }
}
