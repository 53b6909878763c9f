import CGzip
import Glibc
import LullTesting

/// The bytes of a file or of standard input in chunks, decompressed if they are gzip.
@safe
struct ByteSource: ~Copyable {
    /// The maximum size of a chunk, in bytes.
    private static let chunk = 64 * 1024

    /// The file's name.
    let file: String
    private let handle: gzFile
    private var ahead: [UInt8] = []

    /// Opens a file; `-` is standard input.
    init(_ file: String) throws(TraceError) {
        // Swift would pass only the part before a zero byte, which is another file's name.
        guard !file.utf8.contains(0) else { throw TraceError(unreadable: file, errno: EINVAL) }
        let descriptor =
            file == "-"
            ? dup(STDIN_FILENO) : unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw TraceError(unreadable: file, errno: errno) }
        guard let handle = unsafe gzdopen(descriptor, "rb") else {
            close(descriptor)
            throw TraceError(unreadable: file, errno: ENOMEM)
        }
        self.file = file
        unsafe self.handle = handle
    }

    deinit { _ = unsafe gzclose_r(handle) }

    /// Whether the file is compressed.
    var isPacked: Bool { unsafe gzdirect(handle) == 0 }

    /// Returns the first `count` bytes, or fewer if the file is shorter; `next` returns them again.
    mutating func peek(_ count: Int) throws(TraceError) -> [UInt8] {
        while ahead.count < count, let more = try read() { ahead += more }
        return Array(ahead.prefix(count))
    }

    /// Skips the next bytes, which `peek` has returned.
    mutating func skip(_ count: Int) { ahead.removeFirst(count) }

    /// Returns the next bytes, or nil at the end.
    mutating func next() throws(TraceError) -> [UInt8]? {
        guard !ahead.isEmpty else { return try read() }
        defer { ahead = [] }
        return ahead
    }

    private func read() throws(TraceError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = unsafe gzread(handle, &bytes, UInt32(bytes.count))
        let code = errno
        if count > 0 { return Array(bytes.prefix(Int(count))) }
        var status = Z_OK
        _ = unsafe gzerror(handle, &status)
        switch status {
        case Z_OK, Z_STREAM_END: return nil
        case Z_ERRNO: throw TraceError(unreadable: file, errno: code)
        case Z_BUF_ERROR: throw damaged("the end of the file inside its gzip data")
        case Z_MEM_ERROR: throw damaged("no memory to unpack it")
        default: throw damaged("damaged gzip data")
        }
    }

    private func damaged(_ found: String) -> TraceError {
        TraceError(
            kind: .malformed, file: file, line: nil, found: found, expected: "a whole gzip file")
    }
}
