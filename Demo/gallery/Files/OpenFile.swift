internal import CGallery
internal import Glibc

/// A file or folder in the picture folder, open for reading.
public struct OpenFile: ~Copyable {
    private let owner: FileDescriptor
    /// The facts of the file at the time of opening.
    public let facts: FileFacts

    init(beneath folder: Int32, _ path: String, _ flags: Int32) throws(FileError) {
        try self.init(beneath: folder, Array(path.utf8), flags)
    }

    init(beneath folder: Int32, _ path: [UInt8], _ flags: Int32) throws(FileError) {
        let name = path.map { CChar(truncatingIfNeeded: $0) } + [0]
        var opened: Int32
        repeat {
            opened = unsafe gallery_open_beneath(
                folder, name, UInt64(UInt32(bitPattern: flags | O_CLOEXEC)))
            // EAGAIN: a component of the path was moved meanwhile.
        } while opened < 0 && (errno == EINTR || errno == EAGAIN)
        guard opened >= 0 else { throw .system(call: "openat2", errno: errno) }
        let owner = FileDescriptor(owning: opened)
        facts = try Self.facts(of: opened)
        self.owner = owner
    }

    /// The descriptor, which this value owns.
    public var descriptor: Int32 { owner.number }

    /// Transfers the descriptor to the caller, who closes it.
    public consuming func takeDescriptor() -> Int32 { owner.take() }

    private static func facts(of descriptor: Int32) throws(FileError) -> FileFacts {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system(call: "fstat", errno: errno)
        }
        return FileFacts(status)
    }
}
