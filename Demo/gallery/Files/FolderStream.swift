internal import Glibc

/// The entries of an open folder, one after the other.
@safe struct FolderStream: ~Copyable {
    private let stream: OpaquePointer

    /// Starts at the first entry of a folder whose descriptor the caller opened, and closes.
    init(of descriptor: Int32) throws(FileError) {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .system(call: "fcntl", errno: errno) }
        guard let stream = unsafe fdopendir(own) else {
            let error = errno
            close(own)
            throw .system(call: "fdopendir", errno: error)
        }
        unsafe self.stream = stream
        unsafe rewinddir(stream)  // a duplicate descriptor shares its offset
    }

    deinit { unsafe closedir(stream) }

    /// Returns the next entry; nil after the last.
    mutating func next() throws(FileError) -> FolderEntry? {
        errno = 0
        guard let entry = unsafe readdir(stream) else {
            if errno != 0 { throw .system(call: "readdir", errno: errno) }
            return nil
        }
        let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        // This doesn't read the name as a tuple, as the record ends with the name.
        let name = unsafe UnsafeRawPointer(entry).advanced(by: start)
            .assumingMemoryBound(to: UInt8.self)
        let count = unsafe strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        return unsafe FolderEntry(
            name: Array(UnsafeBufferPointer(start: name, count: count)),
            kind: .init(entry.pointee.d_type), inode: UInt64(entry.pointee.d_ino))
    }
}

extension FolderEntry.Kind {
    fileprivate init(_ type: UInt8) {
        self =
            switch Int(type) {
            case Int(DT_REG): .regular
            case Int(DT_DIR): .folder
            case Int(DT_LNK): .link
            case Int(DT_UNKNOWN): .unknown
            default: .other
            }
    }
}
