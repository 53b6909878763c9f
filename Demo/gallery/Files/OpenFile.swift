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

    /// All of its bytes.
    ///
    /// - Parameter limit: How many bytes are wanted at most.
    /// - Returns: The bytes.
    /// - Throws: `notARegularFile`, `tooLarge`, `changedWhileRead` if it's another when it was read
    ///   than it was when it was opened, or what the system says.
    public func bytes(upTo limit: Int) throws(FileError) -> [UInt8] {
        guard facts.kind == .regular else { throw .notARegularFile }
        guard facts.byteCount <= limit else {
            throw .tooLarge(found: facts.byteCount, limit: limit)
        }
        let length = facts.byteCount
        guard length > 0 else { return try unchanged([]) }
        var failure: FileError?
        // Not made zero first: a large picture is many pages.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { room, count in
            while count < length {
                let got = unsafe read(descriptor, room.baseAddress! + count, length - count)
                if got > 0 {
                    count += got
                } else if got == 0 || errno != EINTR {
                    failure =
                        got == 0 ? .changedWhileRead : .system(call: "read", errno: errno)
                    return
                }
            }
        }
        if let failure { throw failure }
        return try unchanged(bytes)
    }

    /// Returns the bytes read, unless the file has changed since it was opened.
    private func unchanged(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
        guard try Self.facts(of: descriptor) == facts else { throw .changedWhileRead }
        return bytes
    }

    private static func facts(of descriptor: Int32) throws(FileError) -> FileFacts {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system(call: "fstat", errno: errno)
        }
        return FileFacts(status)
    }
}
