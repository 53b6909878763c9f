/// An error of writing to a disk cache.
public enum DiskCacheError: Error, Equatable, Sendable {
    /// The system's error: the disk is full (`ENOSPC`), a quota exceeded, or a directory not
    /// writable.
    case system(call: String, errno: Int32)
    /// Writing is paused for a minute after an error of the system.
    case paused
}

/// A failure to write to a disk cache.
public struct DiskCacheFailure: Equatable, Sendable {
    /// The directory of the cache.
    public let folder: String
    /// The error of the last attempt.
    public let error: DiskCacheError
}
