internal import LullLibC

/// The lines of a file, read in constant memory, whatever it holds.
struct FileLines: ~Copyable {
    /// The longest line that is read, in bytes.
    private static let longest = 64 * 1024

    private let file: String
    private let expected: String
    private let descriptor: Int32
    private var chunk: ArraySlice<UInt8> = []
    /// The number of the line that was read last, from 1.
    private(set) var number = 0

    /// Opens a file, `-` being standard input; `expected` is said of a line that is too long.
    init(of file: String, expected: String) throws(TraceError) {
        // Swift would hand the part before a zero to the system, which is another file's name.
        guard !file.utf8.contains(0) else { throw TraceError(unreadable: file, errno: EINVAL) }
        let descriptor =
            file == "-"
            ? dup(STDIN_FILENO) : unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw TraceError(unreadable: file, errno: errno) }
        self.file = file
        self.expected = expected
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns the next line without its end; nil after the last.
    mutating func next() throws(TraceError) -> [UInt8]? {
        var line: [UInt8] = []
        var end: Int?
        while end == nil {
            if chunk.isEmpty { chunk = try read()[...] }
            guard !chunk.isEmpty else {
                guard !line.isEmpty else { return nil }
                break
            }
            end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            line += chunk[..<(end ?? chunk.endIndex)]
            chunk = chunk[(end.map { $0 + 1 } ?? chunk.endIndex)...]
            guard line.count <= Self.longest else {
                throw TraceError(
                    kind: .malformed, file: file, line: number + 1,
                    found: "a line of more than 64 KiB", expected: expected)
            }
        }
        number += 1
        return line
    }

    /// Returns the next bytes, waiting for them if need be; none at the end.
    private func read() throws(TraceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        var count = -1
        repeat {
            count = unsafe LullLibC.read(descriptor, &bytes, bytes.count)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw TraceError(unreadable: file, errno: errno) }
        return Array(bytes.prefix(count))
    }
}
