import Glibc

/// The names in a folder, one after the other.
@safe package struct FolderReader: ~Copyable {
    private let stream: OpaquePointer

    /// Opens a folder; nil if it isn't there or may not be read.
    package init?(_ path: String) {
        guard let stream = unsafe opendir(path) else { return nil }
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// The next name; nil after the last.
    ///
    /// Names that are no UTF-8 are left out.
    package mutating func next() -> String? {
        while let entry = unsafe readdir(stream) {
            let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = unsafe UnsafeRawPointer(entry).advanced(by: start)
                .assumingMemoryBound(to: CChar.self)
            if let name = unsafe String(validatingCString: name) { return name }
        }
        return nil
    }

    package func status(of name: String) -> FileStatus? {
        FileStatus(of: name, in: unsafe dirfd(stream))
    }

    /// Removes a file, and says whether that went well.
    package func remove(_ name: String) -> Bool { unsafe unlinkat(dirfd(stream), name, 0) == 0 }
}
