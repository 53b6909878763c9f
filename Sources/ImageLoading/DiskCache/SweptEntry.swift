/// An entry of a thumbnail cache that a sweep has seen.
struct SweptEntry: Comparable {
    let lastUse: FileTime
    /// What the entry counts against the bound.
    let cost: Int
    /// Which of the swept folders it is in.
    let folder: Int
    let digest: ThumbnailDigest

    init(lastUse: FileTime, bytes: Int, folder: Int, digest: ThumbnailDigest) {
        self.lastUse = lastUse
        cost = ThumbnailSweep.cost(of: bytes)
        self.folder = folder
        self.digest = digest
    }

    /// The longest unused first; among those of one instant, the order is only to be the same always.
    static func < (one: SweptEntry, other: SweptEntry) -> Bool {
        (one.lastUse, one.folder, one.digest) < (other.lastUse, other.folder, other.digest)
    }
}
