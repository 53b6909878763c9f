import Foundation
import Glibc
import IdleLoop

/// A line on standard error that shows the progress of long work, on a terminal only.
final class Progress {
    /// The number of finished tasks.
    var done = 0

    private let label: String
    private let count: Int
    private let clock: LoopClock
    private let start: Instant
    private var hasShown = false

    /// Whether standard error is a terminal.
    static var isShown: Bool { isatty(2) == 1 }

    /// Creates the line, which is first shown after half a second.
    init(label: String, count: Int, on loop: MainLoop) {
        self.label = label
        self.count = count
        clock = loop.clock
        start = loop.clock.now
        guard Progress.isShown else { return }
        loop.schedule(after: .milliseconds(500), every: .milliseconds(200)) { [weak self] in
            self?.show()
        }
    }

    private func show() {
        let elapsed = start.duration(to: clock.now) / .seconds(1)
        var line = "\(done) of \(count) \(label)"
        if done > 0 {
            let left = elapsed / Double(done) * Double(count - done)
            line += ", about \(Int(left.rounded(.up))) s left"
        }
        hasShown = true
        write("\r\u{1B}[K" + line)
    }

    /// Removes the line.
    func clear() {
        if hasShown { write("\r\u{1B}[K") }
        hasShown = false
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
