import Glibc

/// An entry of a disk cache being written: it appears when it is committed, whole, or not at all.
///
/// ```swift
/// var writer = try cache.writer(for: key)
/// try writer.append(head)
/// try writer.append(body)
/// try writer.commit()
/// ```
///
/// Until then it has a name in the same folder that nobody can foresee. Dropped before, it leaves
/// nothing behind; a process that is killed leaves that file, which a sweep removes after an hour.
/// After an error nothing can be appended or committed any more.
///
/// A process that limits the length of its files must ignore `SIGXFSZ`, which would end it here.
public struct DiskCacheWriter: ~Copyable, Sendable {
    private let folder: DiskCacheFolder
    private let temporaryName: String
    private let name: String
    private let state: DiskCacheState
    /// The number of failures of the cache before this.
    private let failuresBefore: Int
    private var descriptor: Int32
    private var isNamed = false
    /// The number of bytes so far.
    public private(set) var byteCount = 0

    /// Creates an empty file.
    init(
        _ name: String, in folder: consuming DiskCacheFolder, _ state: DiskCacheState
    ) throws(DiskCacheError) {
        temporaryName = ".lull-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
        descriptor = try folder.create(temporaryName)
        failuresBefore = state.failures
        self.folder = folder
        self.name = name
        self.state = state
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isNamed { folder.remove(temporaryName) }
    }

    /// Returns whether a name is one that a process gave to an entry before it was whole.
    static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".lull-") && name.hasSuffix(".tmp")
    }

    /// Appends bytes to the entry.
    ///
    /// - Throws: The system's refusal, a full disk say, which pauses the cache for a minute.
    public mutating func append(_ bytes: [UInt8]) throws(DiskCacheError) {
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

    /// Gives the entry its name, in place of what has that name now.
    ///
    /// It isn't forced to the disk: after a power cut an entry that was lost is made again.
    ///
    /// - Throws: The system's refusal, which pauses the cache for a minute.
    public consuming func commit() throws(DiskCacheError) {
        let closed = close(descriptor)
        let closeError = errno
        descriptor = -1
        // A full disk elsewhere in the network is told of here. Interrupted, it's closed as well.
        guard closed == 0 || closeError == EINTR else {
            throw failed(.system(call: "close", errno: closeError))
        }
        do throws(DiskCacheError) {
            try folder.rename(temporaryName, to: name)
        } catch {
            throw failed(error)
        }
        isNamed = true
        state.noteStored(bytes: byteCount, since: failuresBefore)
    }

    /// Notes an error and closes the file, so that no part of it is ever taken for the whole.
    private mutating func failed(_ error: DiskCacheError) -> DiskCacheError {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        state.noteTrouble(error)
        return error
    }
}
