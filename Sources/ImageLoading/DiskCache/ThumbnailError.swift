/// Why a thumbnail could not be stored.
public enum ThumbnailError: Error, Equatable, Sendable {
    /// The system refused: a disk is full (`ENOSPC`), a quota used up, a folder not writable.
    case system(call: String, errno: Int32)
    /// The system had no memory left to pack it.
    case outOfMemory
}
