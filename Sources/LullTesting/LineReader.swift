internal import Glibc

/// Reads a file line by line, in constant memory, whatever the file holds.
struct LineReader: ~Copyable {
    /// The longest line that is read, in bytes.
    static let longest = 64 * 1024

    private let descriptor: Int32
    private let file: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private(set) var number = 0

    init(_ file: String) throws(TraceError) {
        self.file = file
        descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw LineReader.unreadable(file) }
    }

    deinit { close(descriptor) }

    /// The next line without its end, or nil after the last.
    mutating func next() throws(TraceError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if position == buffer.count {
                guard try fill() else {
                    if line.isEmpty { return nil }
                    number += 1
                    return line
                }
            }
            let rest = buffer[position...]
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: rest[..<end])
                position = end + 1
                number += 1
                try check(line.count)
                return line
            }
            line.append(contentsOf: rest)
            position = buffer.count
            if line.count > LineReader.longest {
                number += 1
                try check(line.count)
            }
        }
    }

    private func check(_ count: Int) throws(TraceError) {
        guard count > LineReader.longest else { return }
        throw TraceError(
            kind: .malformed, file: file, line: number,
            found: "a line of more than 64 KiB", expected: "one JSON object a line")
    }

    private mutating func fill() throws(TraceError) -> Bool {
        guard !isAtEnd else { return false }
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var count = -1
        repeat {
            count = unsafe chunk.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress, bytes.count)
            }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw LineReader.unreadable(file) }
        isAtEnd = count == 0
        buffer = Array(chunk[..<count])
        position = 0
        return count > 0
    }

    private static func unreadable(_ file: String) -> TraceError {
        TraceError(
            kind: .unreadable, file: file, line: nil,
            found: unsafe String(cString: strerror(errno)), expected: "")
    }
}
