import LullLibC
import IdleLoop

extension PictureError: CustomStringConvertible {
    /// A single line for a log, whatever characters the file's name contains.
    public var description: String { singleLine("\(file): \(reason)") }
}

extension PictureError.Reason: CustomStringConvertible {
    /// A text that describes the reason.
    public var description: String {
        switch self {
        case .cannotOpen(let errno): "cannot open: \(systemMessage(errno))"
        case .cannotRead(let errno): "cannot read: \(systemMessage(errno))"
        case .notARegularFile: "not a regular file"
        case .empty: "empty"
        case .tooLarge(let measure, let found, let limit):
            "too large: \(found) \(measure.rawValue), the limit is \(limit)"
        case .tooSlow(let spent, let limit):
            """
            too large: \(spent.wholeNanoseconds) nanoseconds of processor time, \
            the limit is \(limit.wholeNanoseconds)
            """
        case .unsupported(let kind): "unsupported: \(kind)"
        case .truncated(_, of: 0): "truncated: ends before its size is known"
        case .truncated(let rowsDecoded, let rows): "truncated: \(rowsDecoded) of \(rows) rows"
        case .corrupt(let message): "corrupt: \(message)"
        case .changedWhileRead: "changed while it was read"
        case .replaced: "another file than the one asked for"
        case .outOfMemory: "out of memory"
        }
    }
}

private func systemMessage(_ errno: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { buffer in
        guard let base = buffer.baseAddress, unsafe strerror_r(errno, base, 200) == 0 else {
            return "error \(errno)"
        }
        return unsafe String(cString: base)
    }
}

/// Returns the text with `\u{…}` for each character that breaks lines or controls a terminal.
package func singleLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format:
            line += "\\u{\(String(scalar.value, radix: 16))}"
        default: line.unicodeScalars.append(scalar)
        }
    }
    return line
}
