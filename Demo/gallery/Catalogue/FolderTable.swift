import GalleryFiles
import IdleLoop

/// The folders beneath that of all pictures: which there are, which wait to be listed, and which
/// watch is whose.
struct FolderTable {
    private(set) var folders: [FilePath: KnownFolder] = [.root: KnownFolder()]
    private(set) var owners: [FolderWatch: FilePath] = [:]
    /// In the order in which they're listed; some may be gone.
    private var queue: [FilePath] = []
    private var first = 0
    private(set) var waitingCount = 0
    /// The number of folders with events that are yet to be followed.
    private(set) var restlessCount = 0
    /// The number of folders that may not be read.
    private(set) var refusedCount = 0
    /// The number of folders that couldn't be read, for a reason that may pass.
    private(set) var failedCount = 0
    /// The number of names in folders that are to be looked at.
    private(set) var nameCount = 0

    /// The most names of a folder, and of all together, that are looked at one by one; with more to look
    /// at a folder is listed.
    static let mostNames = (ofFolder: 1024, inAll: 16_384)

    subscript(path: FilePath) -> KnownFolder? { folders[path] }

    /// Changes what is known of a folder, if it is.
    mutating func change(_ path: FilePath, _ body: (inout KnownFolder) -> Void) {
        guard var folder = folders.removeValue(forKey: path) else { return }
        count(folder, -1)
        body(&folder)
        count(folder, 1)
        folders[path] = folder
    }

    private mutating func count(_ folder: KnownFolder, _ change: Int) {
        waitingCount += folder.isWaiting ? change : 0
        restlessCount += folder.timer == nil ? 0 : change
        refusedCount += folder.access == .refused ? change : 0
        failedCount += folder.access == .failed ? change : 0
        nameCount += change * (folder.names?.count ?? 0)
    }

    // MARK: - Waiting

    /// Requests a listing of a folder, again if one is under way.
    mutating func want(_ path: FilePath) {
        change(path) { $0.names = nil }
        wantTold(path)
    }

    /// Notes that something was told of a name in a folder.
    mutating func note(_ name: [UInt8], of path: FilePath) {
        let isFull = nameCount >= Self.mostNames.inAll
        change(path) { folder in
            folder.names?.insert(name)
            if isFull || folder.names?.count ?? 0 > Self.mostNames.ofFolder { folder.names = nil }
        }
    }

    /// Requests a look at the names in a folder of which something was told, or at all of it.
    mutating func wantTold(_ path: FilePath) {
        guard let folder = folders[path], !folder.isWaiting else { return }
        if folder.job != nil {
            change(path) { $0.isListedAgain = true }
        } else {
            change(path) { $0.isWaiting = true }
            queue.append(path)
        }
    }

    /// Takes out the folder that is to be listed next.
    mutating func next() -> FilePath? {
        while first < queue.count {
            let path = queue[first]
            first += 1
            guard folders[path]?.isWaiting == true else { continue }
            change(path) { $0.isWaiting = false }
            return path
        }
        queue = []
        first = 0
        return nil
    }

    // MARK: - Coming and going

    /// Adds a folder that was found in another, and has it listed.
    mutating func add(_ path: FilePath) {
        folders[path] = KnownFolder()
        want(path)
    }

    /// Takes out a folder and all in it: what they were, by their paths.
    mutating func remove(_ path: FilePath) -> [(path: FilePath, folder: KnownFolder)] {
        var gone: [(path: FilePath, folder: KnownFolder)] = []
        var paths = [path]
        while let path = paths.popLast() {
            guard let folder = folders.removeValue(forKey: path) else { continue }
            count(folder, -1)
            gone.append((path, folder))
            paths += folder.children.keys.compactMap { path.appending($0) }
        }
        return gone
    }

    // MARK: - Watches

    /// Notes under which watch a folder is; gives back the one under which it was, if no other is.
    mutating func setWatch(_ watch: FolderWatch?, of path: FilePath) -> FolderWatch? {
        guard let before = folders[path]?.watch, before != watch else {
            own(watch, path)
            return nil
        }
        let isOver = owners[before] == path
        if isOver { owners[before] = nil }
        own(watch, path)
        return isOver ? before : nil
    }

    private mutating func own(_ watch: FolderWatch?, _ path: FilePath) {
        change(path) { $0.watch = watch }
        guard let watch else { return }
        // A folder that moved takes its watch with it.
        if let other = owners[watch], other != path { change(other) { $0.watch = nil } }
        owners[watch] = path
    }

    /// Takes back a watch that is over, or whose folder went; says whose it was.
    mutating func forget(_ watch: FolderWatch) -> FilePath? {
        guard let path = owners.removeValue(forKey: watch) else { return nil }
        change(path) { $0.watch = nil }
        return path
    }
}
