public import GalleryFiles
internal import Glibc

/// A log of requests in the combined format of Apache and nginx, one line for each.
///
/// ```swift
/// let log = try RequestLog("/var/log/gallery/access.log")
/// log.write(RequestLogEntry(address: "::1", line: Array("GET / HTTP/1.1".utf8), status: 200))
/// ```
///
/// The file is appended to, and created if it doesn't exist. As with ``LogOutput``, a pipe or
/// terminal that accepts no more is not waited for: the line is lost. After the file was renamed, a
/// new log of the same path continues in a new file.
public final class RequestLog {
    private let channel: LogChannel
    /// The descriptor of the file; nil for standard output.
    private let file: FileDescriptor?

    /// Opens the log in a file, or on standard output for the path `-`.
    public init(_ path: String) throws(FileError) {
        guard path != "-" else {
            file = nil
            channel = LogChannel(to: STDOUT_FILENO)
            return
        }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o640)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        file = FileDescriptor(owning: descriptor)
        channel = LogChannel(to: descriptor)
    }

    /// Writes a line; returns whether it was written completely.
    @discardableResult
    public func write(_ entry: RequestLogEntry) -> Bool {
        channel.send(entry.text(at: .now))
    }
}
