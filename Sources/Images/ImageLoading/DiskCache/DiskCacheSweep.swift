internal import IdleLoop

/// The work of evicting what exceeds a disk cache's bound, the least recently used first, in steps.
///
/// It removes only entries, recognized by their names, and files that a process of this package
/// left partially written more than an hour ago. If there is a bound, it uses 150 bytes for each entry
/// while it runs.
final class DiskCacheSweep {
    /// An entry that was found.
    private struct Seen {
        let lastUse: Duration
        let size: DiskCacheSize
        let folder: Int
        let name: String
    }

    private static let (checks, removals) = (32, 8)
    private static let leftoverAge = Duration.seconds(3600)

    private let root: String
    private let folders: [String]
    private let suffix: String
    private let bound: DiskCacheBound
    private let now: Duration
    private var nextFolder = 0
    /// The directory that is being read.
    private var names: DiskCacheNames?
    private var entries: [Seen] = []
    /// The numbers of the entries by their last use: a heap, so that no step has to sort all of them.
    private var order = IndexedHeap()
    private(set) var kept = DiskCacheSize()

    init(
        of root: String, _ folders: [String], suffix: String, bound: DiskCacheBound, now: Duration
    ) {
        self.root = root
        self.folders = folders
        self.suffix = suffix
        self.bound = bound.afterSweep
        self.now = now
    }

    /// Examines 32 files, or removes 8.
    ///
    /// - Returns: Whether the sweep is finished. A further step does nothing.
    func step() -> Bool {
        if var reading = names.take() {
            for _ in 0..<Self.checks {
                guard let name = reading.next() else { return false }
                check(name, in: reading.folder)
            }
            names = .some(reading)
        } else if nextFolder < folders.count {
            // A directory that doesn't exist has nothing to remove.
            names = DiskCacheNames(of: folders[nextFolder], beneath: root)
            nextFolder += 1
        } else {
            for _ in 0..<Self.removals {
                guard bound.isExceeded(by: kept), let slot = order.first?.slot
                else { return true }
                order.remove(slot: slot)
                remove(entries[slot])
            }
        }
        return false
    }

    private func check(_ name: String, in folder: borrowing DiskCacheFolder) {
        let isTemporary = DiskCacheWriter.isTemporary(name)
        guard isTemporary || bound != .none && MD5.isName(name, suffix: suffix),
            let status = folder.status(of: name)
        else { return }
        if isTemporary {
            if status.lastChange < now - Self.leftoverAge { folder.remove(name) }
        } else {
            let size = DiskCacheSize(ofFile: status.bytes)
            kept = kept + size
            let lastUse = UInt64(max(0, status.lastUse.wholeNanoseconds))
            let place = HeapOrder(major: lastUse, minor: UInt64(entries.count))
            order.set(place, slot: entries.count)
            entries.append(
                Seen(lastUse: status.lastUse, size: size, folder: nextFolder - 1, name: name))
        }
    }

    /// Removes an entry, unless it was used or replaced since it was examined.
    private func remove(_ entry: Seen) {
        if let folder = try? DiskCacheFolder(folders[entry.folder], beneath: root),
            let status = folder.status(of: entry.name)
        {
            guard status.lastUse == entry.lastUse, folder.remove(entry.name) else { return }
        }
        kept = kept - entry.size
    }
}
