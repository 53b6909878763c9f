import Glibc

/// A file that appears in its folder when it is whole, or not at all.
///
/// Until then it has another name, which nobody can foresee, and is gone when this is dropped.
package struct EntryFile: ~Copyable {
    private let folder: String
    private let name: String
    private var descriptor: Int32
    private var isNamed = false

    /// Creates an empty file, and its folder where that isn't there.
    package init(in folder: String) throws(ThumbnailError) {
        self.folder = folder
        name = Self.temporaryName(UInt64.random(in: 0 ... .max))
        let path = "\(folder)/\(name)"
        var created = Self.create(path)
        if created < 0, errno == ENOENT {
            try Self.makeFolder(folder)
            created = Self.create(path)
        }
        guard created >= 0 else { throw .system(call: "open", errno: errno) }
        descriptor = created
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isNamed { unsafe unlink("\(folder)/\(name)") }
    }

    /// Whether a name is one that a process gave to a file before it was whole.
    package static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".lull-") && name.hasSuffix(".tmp")
    }

    /// Writes on at the end.
    package mutating func append(_ bytes: [UInt8]) throws(ThumbnailError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw .system(call: "write", errno: errno)
            }
        }
    }

    /// Gives the file its name, in place of what has that name now.
    ///
    /// It isn't forced to the disk: after a power cut a thumbnail that was lost is made again.
    package mutating func appear(as final: String) throws(ThumbnailError) {
        let closed = close(descriptor)
        let closeError = errno
        descriptor = -1
        // A full disk elsewhere in the network is told of here. Interrupted, it's closed as well.
        guard closed == 0 || closeError == EINTR else {
            throw .system(call: "close", errno: closeError)
        }
        guard unsafe rename("\(folder)/\(name)", "\(folder)/\(final)") == 0 else {
            throw .system(call: "rename", errno: errno)
        }
        isNamed = true
    }

    private static func temporaryName(_ number: UInt64) -> String {
        ".lull-\(String(number, radix: 16)).tmp"
    }

    private static func create(_ path: String) -> Int32 {
        unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }

    /// Makes a folder for its owner alone, and those above that are missing.
    private static func makeFolder(_ path: String) throws(ThumbnailError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .system(call: "mkdir", errno: errno)
        }
        try makeFolder(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", errno: errno)
        }
    }
}
