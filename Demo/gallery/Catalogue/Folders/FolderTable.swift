import GalleryFiles
import IdleLoop

/// The folders below the root: their states, the queue of those to be listed, and the owners of
/// watches.
struct FolderTable {
    private(set) var folders: [FilePath: FolderState] = [.root: FolderState()]
    private(set) var owners: [FolderWatch: FilePath] = [:]
    /// The folders in the order of listing, which may include removed ones.
    private var queue: [FilePath] = []
    private var first = 0
    private(set) var waitingCount = 0
    /// The number of folders with events that haven't been handled yet.
    private(set) var restlessCount = 0
    /// The number of folders that may not be read.
    private(set) var refusedCount = 0
    /// The number of folders that couldn't be read because of a temporary error.
    private(set) var failedCount = 0
    /// The number of files in formats that aren't shown.
    private(set) var unsupportedCount = 0
    /// The number of folders of which some pictures exceeded the limit.
    private(set) var cutCount = 0

    subscript(path: FilePath) -> FolderState? { folders[path] }

    /// Changes the state of a folder, if it is known.
    mutating func change(_ path: FilePath, _ body: (inout FolderState) -> Void) {
        guard var folder = folders.removeValue(forKey: path) else { return }
        count(folder, -1)
        body(&folder)
        count(folder, 1)
        folders[path] = folder
    }

    private mutating func count(_ folder: FolderState, _ change: Int) {
        waitingCount += folder.isWaiting ? change : 0
        restlessCount += folder.timer == nil ? 0 : change
        refusedCount += folder.access == .refused ? change : 0
        failedCount += folder.access == .failed ? change : 0
        unsupportedCount += change * folder.unsupported.count
        cutCount += folder.wasCut ? change : 0
    }

    // MARK: - Queue

    /// Requests a listing of a folder, again if one is under way.
    mutating func want(_ path: FilePath) {
        guard let folder = folders[path], !folder.isWaiting else { return }
        if folder.job != nil {
            change(path) { $0.isListedAgain = true }
        } else {
            change(path) { $0.isWaiting = true }
            queue.append(path)
        }
    }

    /// Removes and returns the folder that is to be listed next.
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

    // MARK: - Adding and removing

    /// Adds a folder that was found in another, and requests its listing.
    mutating func add(_ path: FilePath) {
        folders[path] = FolderState()
        want(path)
    }

    /// Removes a folder and everything in it, and returns the removed folders.
    mutating func remove(_ path: FilePath) -> [(path: FilePath, folder: FolderState)] {
        var gone: [(path: FilePath, folder: FolderState)] = []
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

    /// Sets a folder's watch; returns its previous one, if no other folder has it.
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
        // A folder that was moved keeps its watch.
        if let other = owners[watch], other != path { change(other) { $0.watch = nil } }
        owners[watch] = path
    }

    /// Removes a watch that has ended, or whose folder was removed; returns its folder.
    mutating func forget(_ watch: FolderWatch) -> FilePath? {
        guard let path = owners.removeValue(forKey: watch) else { return nil }
        change(path) { $0.watch = nil }
        return path
    }
}
