import GalleryFiles
import IdleLoop

/// A folder that the catalogue knows, whether or not it has pictures.
struct FolderState {
    /// The readability of a folder.
    enum Access {
        case granted
        /// A lack of permission; an event of its parent may report a change of that.
        case refused
        /// A temporary error.
        case failed
    }

    /// The subfolders by name, each with the inode number that distinguishes it from another of
    /// that name.
    var children: [[UInt8]: UInt64] = [:]
    /// The watch on the folder.
    var watch: FolderWatch?
    /// The number of the job that is listing it.
    var job: Int?
    /// Whether it waits to be listed.
    var isWaiting = false
    /// The time before which events don't cause another listing.
    var restsUntil: Instant?
    /// Whether it must be listed again because of events since the current listing began.
    var isListedAgain = false
    /// The outcome of the last attempt to read it.
    var access = Access.granted
    /// The names of files in formats that aren't shown.
    var unsupported: Set<[UInt8]> = []
    /// Whether some of its pictures exceeded the limit.
    var wasCut = false
    /// The times of the first and the last event that weren't followed by a listing.
    var events: (first: Instant, last: Instant)?
    /// The timer for a listing after its events have stopped, or after a failure.
    var timer: LoopTimer?
}
