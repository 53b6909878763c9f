import Foundation
import Glibc

/// The terminal in full-screen mode: the alternate screen, keys one by one, no cursor.
///
/// It is restored by `leave()` or on deinitialization.
final class LiveTerminal {
    private var saved = termios()
    private var isEntered = false

    /// Whether both input and output are a terminal.
    static var isThere: Bool { isatty(0) == 1 && isatty(1) == 1 }

    deinit {
        leave()
    }

    /// Enters full-screen mode.
    func enter() {
        guard !isEntered else { return }
        isEntered = true
        unsafe tcgetattr(0, &saved)
        var raw = saved
        // Signals are still generated, so that Control-C and Control-Z work.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe tcsetattr(0, TCSANOW, &raw)
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Restores the terminal; a second call does nothing.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        unsafe tcsetattr(0, TCSANOW, &saved)
    }

    /// Writes a text completely, or as much as the terminal accepts before it is closed.
    func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Writes the changes of a frame at once; the terminal shows them together.
    func show(_ changes: [UInt8]) {
        let frame = Array("\u{1B}[?2026h".utf8) + changes + Array("\u{1B}[?2026l".utf8)
        try? FileHandle.standardOutput.write(contentsOf: Data(frame))
    }

    /// Whether the terminal accepts output now; it may still be processing earlier output.
    var isReady: Bool {
        var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&output, 1, 0) != 0
    }

    /// Returns the keys that were pressed; nil if the input has ended.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(0, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
