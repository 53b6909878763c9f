import LullLibC

/// A writer of one file of a disk cache, which becomes visible, complete, only when committed.
///
/// Until then the file has a random name in the same directory. A writer that is dropped before
/// it's committed removes it; a process that is killed leaves it behind, and a sweep removes it
/// after an hour. After an error nothing can be appended or committed any more.
struct DiskCacheWriter: ~Copyable {
    private let folder: DiskCacheFolder
    private let temporaryName: String
    private let name: String
    private let cache: DiskCache
    /// The number of the cache's failures before this writer was created.
    private let failuresBefore: Int
    private var descriptor: Int32
    private var isNamed = false
    /// The number of bytes that were appended so far.
    private var byteCount = 0

    /// Creates an empty file.
    init(
        _ name: String, in folder: consuming DiskCacheFolder, of cache: DiskCache
    ) throws(DiskCacheError) {
        temporaryName = ".lull-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
        descriptor = try folder.create(temporaryName)
        failuresBefore = cache.failures
        self.folder = folder
        self.name = name
        self.cache = cache
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isNamed { folder.remove(temporaryName) }
    }

    /// Returns whether a name is that of an entry that is not yet committed.
    static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".lull-") && name.hasSuffix(".tmp")
    }

    /// Appends bytes to the entry.
    ///
    /// - Throws: The system's error, a full disk for example, which pauses the cache for a minute.
    mutating func append(_ bytes: [UInt8]) throws(DiskCacheError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw failed(.system(call: "write", errno: errno))
            }
        }
        byteCount += bytes.count
    }

    /// Renames the entry to its final name, replacing the one that has that name.
    ///
    /// The entry isn't forced to the disk: if it's lost in a power failure, it is made again.
    ///
    /// - Throws: The system's error, which pauses the cache for a minute.
    consuming func commit() throws(DiskCacheError) {
        let closed = close(descriptor)
        let closeError = errno
        descriptor = -1
        // Network file systems may report a full disk here. After EINTR the file is closed as well.
        guard closed == 0 || closeError == EINTR else {
            throw failed(.system(call: "close", errno: closeError))
        }
        do throws(DiskCacheError) {
            try folder.rename(temporaryName, to: name)
        } catch {
            throw failed(error)
        }
        isNamed = true
        cache.recordStored(bytes: byteCount, since: failuresBefore)
    }

    /// Records an error and closes the file, so that a partial entry is never committed.
    private mutating func failed(_ error: DiskCacheError) -> DiskCacheError {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        cache.recordFailure(error)
        return error
    }
}
