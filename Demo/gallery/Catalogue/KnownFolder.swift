import GalleryFiles
import IdleLoop

/// A folder that the catalogue knows, whether or not it has pictures.
struct KnownFolder {
    /// Whether a folder can be read.
    enum Access {
        case granted
        /// It may not be; its parent may tell when that changes.
        case refused
        /// It couldn't be, for a reason that may pass.
        case failed
    }

    /// The folders in it, by name, each with the number that tells it from another of that name.
    var children: [[UInt8]: UInt64] = [:]
    /// Under which the system tells of its changes.
    var watch: FolderWatch?
    /// The number of the job that lists it now.
    var job: Int?
    /// Whether it waits to be listed.
    var isWaiting = false
    /// The names in it of which something was told since it was last looked at; nil if it's not only
    /// these that may be others, and all of it must be listed.
    var names: Set<[UInt8]>?
    /// Until when all of it isn't listed again because of what was told.
    var restsUntil: Instant?
    /// Whether something happened since its listing began.
    var isListedAgain = false
    /// The outcome of the last attempt to read it.
    var access = Access.granted
    /// Whether not all of its pictures found room.
    var wasCut = false
    /// When the first and the last of its events came that weren't followed by a listing.
    var events: (first: Instant, last: Instant)?
    /// The timer after which it's listed when its events have come to an end, or after a failure.
    var timer: LoopTimer?
}
