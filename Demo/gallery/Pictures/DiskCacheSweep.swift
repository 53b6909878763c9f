internal import GalleryFiles
internal import Glibc
internal import ImageLoading

/// Removes from a disk cache what is beyond its bound, the longest unused first, and what was left
/// behind half-written more than an hour ago.
///
/// Other files are left alone. It keeps 64 bytes for each entry while it runs.
struct DiskCacheSweep {
    /// An entry that was seen.
    private struct Seen: Comparable {
        let lastUse: FileTime
        let cost: Int
        let key: ThumbnailKey

        /// Among those of one instant the order is only to be the same always.
        static func < (one: Seen, other: Seen) -> Bool {
            one.lastUse == other.lastUse
                ? one.key.picture.id.value < other.key.picture.id.value
                : one.lastUse < other.lastUse
        }
    }

    private static let leftoverAge = 3600

    private let folder: String
    private let now: Int
    private var entries = OldestFirst<Seen>()
    /// The size of what is there.
    private(set) var kept = DiskCacheBound(bytes: 0, count: 0)
    /// The number of files it has removed.
    private(set) var removed = 0

    init(of folder: String, now: Duration) {
        self.folder = folder
        self.now = Int(now.components.seconds)
    }

    /// Looks at all, and removes what is too much: so much that it isn't too much again at once.
    mutating func run(within bound: DiskCacheBound) {
        guard var reader = FolderReader(folder) else { return }
        while let name = reader.next() { look(at: name, in: reader) }
        guard kept.exceeds(bound) else { return }
        while kept.exceeds(bound.afterSweep), let entry = entries.pop() { remove(entry) }
    }

    private mutating func look(at name: String, in reader: borrowing FolderReader) {
        if EntryFile.isTemporary(name) {
            let status = reader.status(of: name)
            if let status, status.lastChange.seconds < now - Self.leftoverAge,
                reader.remove(name)
            {
                removed += 1
            }
        } else if let key = ThumbnailKey(text: name), let status = reader.status(of: name) {
            let cost = DiskCacheBound.cost(of: status.bytes)
            kept.add(bytes: cost, count: 1)
            entries.push(Seen(lastUse: status.lastChange, cost: cost, key: key))
        }
    }

    /// Removes an entry, unless it was used or replaced since it was looked at.
    private mutating func remove(_ entry: Seen) {
        let path = "\(folder)/\(entry.key.text)"
        if let status = FileStatus(of: path) {
            guard status.lastChange == entry.lastUse, unsafe unlink(path) == 0 else { return }
            removed += 1
        }
        kept.add(bytes: -entry.cost, count: -1)
    }
}
