internal import Glibc
internal import LullTesting

/// A descriptor open for reading: a file's, closed when it is dropped, or standard input.
struct InputDescriptor: ~Copyable {
    /// The file's name.
    let file: String
    private let number: Int32
    private let isOwn: Bool

    /// Opens a file; `-` is standard input.
    init(_ file: String) throws(TraceError) {
        self.file = file
        if file == "-" {
            number = STDIN_FILENO
            isOwn = false
            return
        }
        // Swift would pass only the part before a zero byte, which is another file's name.
        let number = file.utf8.contains(0) ? -1 : unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else {
            let reason = file.utf8.contains(0) ? EINVAL : errno
            throw TraceError(unreadable: file, errno: reason)
        }
        self.number = number
        isOwn = true
    }

    deinit { if isOwn { close(number) } }

    /// Returns the next bytes, 64 KiB at most, waiting for them if need be; nil at the end.
    func next() throws(TraceError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        var count = -1
        repeat {
            count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(number, buffer.baseAddress, buffer.count)
            }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw TraceError(unreadable: file, errno: errno) }
        return count == 0 ? nil : Array(bytes.prefix(count))
    }
}
