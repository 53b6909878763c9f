/// The reason why something can't be put into a disk cache.
public enum DiskCacheError: Error, Equatable, Sendable {
    /// The system refused: a disk is full (`ENOSPC`), a quota used up, a folder not writable.
    case system(call: String, errno: Int32)
    /// Nothing is written for a minute after the system has refused.
    case paused
}

/// The state of a disk cache that can't be written.
public struct DiskCacheTrouble: Equatable, Sendable {
    /// The folder of the cache.
    public let folder: String
    /// The error of the last attempt.
    public let error: DiskCacheError
}
