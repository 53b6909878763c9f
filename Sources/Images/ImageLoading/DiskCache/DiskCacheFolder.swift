import LullLibC

/// An open directory of a disk cache, whose files are identified by their names in it.
///
/// The path of the cache's own directory may contain links; beneath it no link is followed.
struct DiskCacheFolder: ~Copyable {
    fileprivate let number: Int32

    /// Opens a directory beneath another.
    ///
    /// - Parameters:
    ///   - path: The path relative to the root; empty for the root itself.
    ///   - root: The root directory.
    ///   - isMade: Whether missing directories are created, accessible to their owner alone.
    /// - Throws: The system's error, for a link for example.
    init(_ path: String, beneath root: String, isMade: Bool = false) throws(DiskCacheError) {
        var folder = Self.open(root)
        if folder < 0, errno == ENOENT, isMade {
            try Self.make(root)
            folder = Self.open(root)
        }
        guard folder >= 0 else { throw .system(call: "open", errno: errno) }
        for part in path.split(separator: "/").map(String.init) {
            let parent = folder
            defer { close(parent) }
            if isMade, unsafe mkdirat(parent, part, 0o700) != 0, errno != EEXIST {
                throw .system(call: "mkdir", errno: errno)
            }
            folder = Self.open(part, in: parent, O_NOFOLLOW)
            guard folder >= 0 else { throw .system(call: "open", errno: errno) }
        }
        number = folder
    }

    deinit { close(number) }

    /// Returns the directory and the name in a path.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Returns the status of a regular file; nil if there is none.
    func status(of name: String) -> FileStatus? {
        FileStatus(ofFile: name, in: number, AT_SYMLINK_NOFOLLOW)
            .flatMap { $0.isRegularFile ? $0 : nil }
    }

    /// Creates a file that is accessible to its owner alone, and opens it for writing.
    func create(_ name: String) throws(DiskCacheError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe openat(number, name, flags, 0o600)
        guard file >= 0 else { throw .system(call: "open", errno: errno) }
        return file
    }

    /// Renames a file, replacing the one that has the new name.
    func rename(_ name: String, to final: String) throws(DiskCacheError) {
        guard unsafe renameat(number, name, number, final) == 0 else {
            throw .system(call: "rename", errno: errno)
        }
    }

    /// Removes a file, or a link to one, and returns whether that succeeded.
    @discardableResult
    func remove(_ name: String) -> Bool { unsafe unlinkat(number, name, 0) == 0 }

    fileprivate static func open(
        _ path: String, in folder: Int32 = AT_FDCWD, _ flags: Int32 = 0
    ) -> Int32 {
        unsafe openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
    }

    /// Creates a directory, and its missing parents.
    private static func make(_ path: String) throws(DiskCacheError) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            guard unsafe mkdir(String(path[..<end]), 0o700) == 0 || errno == EEXIST else {
                throw .system(call: "mkdir", errno: errno)
            }
        }
    }
}

/// The names in a directory of a disk cache, one after the other.
@safe struct DiskCacheNames: ~Copyable {
    let folder: DiskCacheFolder
    private let stream: OpaquePointer

    /// Begins to read a directory; nil if it doesn't exist or may not be read.
    init?(of path: String, beneath root: String) {
        guard let folder = try? DiskCacheFolder(path, beneath: root) else { return nil }
        let descriptor = DiskCacheFolder.open(".", in: folder.number)
        guard descriptor >= 0, let stream = unsafe fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        self.folder = folder
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// Returns the next name; nil after the last.
    ///
    /// Names that aren't UTF-8 are skipped.
    mutating func next() -> String? {
        while let entry = unsafe readdir(stream) {
            let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = unsafe UnsafeRawPointer(entry).advanced(by: start)
                .assumingMemoryBound(to: CChar.self)
            if let name = unsafe String(validatingCString: name) { return name }
        }
        return nil
    }
}
