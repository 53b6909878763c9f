import Foundation
import Glibc
import IdleLoop

/// One line on standard error that tells how far long work has come, on a terminal only.
final class Progress {
    /// The number of things that are done.
    var done = 0

    private let label: String
    private let count: Int
    private let clock: LoopClock
    private let start: Instant
    private var hasShown = false

    /// Whether there's a terminal to show it on.
    static var isShown: Bool { isatty(2) == 1 }

    /// Shows nothing in the first half second.
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

    /// Takes the line away.
    func clear() {
        if hasShown { write("\r\u{1B}[K") }
        hasShown = false
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
