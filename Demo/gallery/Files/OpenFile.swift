internal import CGallery
internal import Glibc

/// A file or folder beneath the folder of pictures, open for reading until it's dropped.
public struct OpenFile: ~Copyable {
    /// The descriptor, which stays this value's.
    public let descriptor: Int32
    /// The facts of the file when it was opened.
    public let facts: FileFacts

    init(beneath folder: Int32, _ path: String, _ flags: Int32) throws(FileError) {
        try self.init(beneath: folder, Array(path.utf8), flags)
    }

    init(beneath folder: Int32, _ path: [UInt8], _ flags: Int32) throws(FileError) {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        var opened: Int32
        repeat {
            opened = unsafe gallery_open_beneath(
                folder, name, UInt64(UInt32(bitPattern: flags | O_CLOEXEC)))
            // EAGAIN: something on the way was moved meanwhile.
        } while opened < 0 && (errno == EINTR || errno == EAGAIN)
        guard opened >= 0 else { throw .system(call: "openat2", errno: errno) }
        do throws(FileError) {
            facts = try Self.facts(of: opened)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Hands its descriptor over to somebody who closes it.
    public consuming func takeDescriptor() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    private static func facts(of descriptor: Int32) throws(FileError) -> FileFacts {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system(call: "fstat", errno: errno)
        }
        return FileFacts(status)
    }
}
