import GalleryFiles
import IdleLoop

// The listing of folders, each by one job.
extension Catalogue {
    private static var listingsAtOnce: Int { 2 }
    /// The minimum time per entry between two listings of a folder.
    ///
    /// Listing takes some microseconds per entry, so a folder that changes all the time takes a
    /// tenth of a worker's time.
    private static var restPerEntry: Duration { .microseconds(50) }

    /// Scans all folders again, for when the system has lost events.
    public func rescan() {
        guard !isClosed, startTimer == nil else { return }
        counts.rescans += 1
        for path in table.folders.keys { table.want(path) }
        work()
    }

    func listFolders() {
        while listingCount < Self.listingsAtOnce, let path = table.next() { list(path) }
    }

    private func list(_ path: FilePath) {
        jobNumber += 1
        listingCount += 1
        let number = jobNumber
        var names: Set<[UInt8]>?
        table.change(path) { folder in
            folder.job = number
            folder.isListedAgain = false
            names = folder.names
            folder.names = []
        }
        queue.submit(
            .listing(number), priority: .normal, on: pool,
            onEnd: { [weak self] end in self?.listingEnded(path, number, end) },
            work: { [folder, limits, watching, names] in
                if let names {
                    return FolderListing(of: path, in: folder, limits: limits, names: names)
                }
                return FolderListing(of: path, in: folder, limits: limits, watching: watching)
            },
            then: { [weak self] listing in
                { _ in
                    self?.take(listing, of: path, from: number)
                    return .done
                }
            })
    }

    private func listingEnded(_ path: FilePath, _ number: Int, _ end: JobEnd) {
        listingCount -= 1
        guard !isClosed else { return }
        if table[path]?.job == number {
            table.change(path) { $0.job = nil }
            // Without threads it fails at once, and would fail again.
            if case .done = end {} else { tryAgain(path, after: .seconds(1)) }
            if table[path]?.isListedAgain == true { table.wantTold(path) }
        }
        if listingCount == 0 { strangers = [] }
        work()
    }

    private func take(_ listing: FolderListing, of path: FilePath, from number: Int) {
        if listing.isWhole { counts.listings += 1 }
        counts.entriesRead += listing.entriesRead
        guard table[path]?.job == number else {
            // The folder was removed meanwhile, or replaced by another.
            if let watch = listing.watch, table.owners[watch] == nil { watches?.end(watch) }
            return
        }
        takeWatch(listing, of: path)
        defer { endTroubles() }
        switch listing.outcome {
        case .listed(let pictures, let folders):
            news.folders[path] = .all(pictures)
            let rest = Self.restPerEntry * listing.entriesRead
            table.change(path) { folder in
                folder.access = .granted
                folder.restsUntil = loop.clock.now.advanced(by: rest)
            }
            takeAllChildren(folders, of: path)
        case .seen(let pictures, let folders):
            if !pictures.isEmpty { news.add(.some(pictures), of: path) }
            takeChildren(folders, of: path)
        case .refused(let error):
            news.folders[path] = .all([])
            table.change(path) { folder in
                folder.access = .refused
                folder.names = nil
            }
            takeAllChildren([:], of: path)
            tell(.mayNotList(path, error))
        case .gone where path == .root:
            news.folders[path] = .all([])
            table.change(path) { folder in
                folder.access = .granted
                folder.names = nil
            }
            takeAllChildren([:], of: path)
        case .gone:
            // The parent forgets it, so that it counts as new when it comes back.
            if let parent = path.parent {
                table.change(parent) { $0.children[Array(path.lastPart)] = nil }
            }
            remove(path)
        case .failed(let error):
            table.change(path) { $0.access = .failed }
            tell(.cannotList(path, error))
            tryAgain(path, after: .seconds(5))
        }
    }

    private func takeAllChildren(_ found: [[UInt8]: UInt64], of path: FilePath) {
        var changes = found.mapValues(UInt64?.some)
        for name in (table[path]?.children ?? [:]).keys where found[name] == nil {
            changes.updateValue(nil, forKey: name)
        }
        takeChildren(changes, of: path)
    }

    /// Updates the subfolders of some names, by their inode numbers; nil for a name without a
    /// folder.
    private func takeChildren(_ found: [[UInt8]: UInt64?], of path: FilePath) {
        guard var children = table[path]?.children, !found.isEmpty else { return }
        // Removed folders make room for new ones, so they go first.
        for (name, inode) in found where inode == nil && children.removeValue(forKey: name) != nil {
            if let child = path.appending(name) { remove(child) }
        }
        for (name, inode) in found {
            guard let inode, let child = path.appending(name) else { continue }
            if let before = children[name], let folder = table[child] {
                if before != inode || folder.access == .refused { table.want(child) }
            } else if child.depth > limits.depth {
                tell(.tooDeep(limit: limits.depth))
                continue
            } else if table.folders.count >= limits.folders {
                tell(.tooManyFolders(limit: limits.folders))
                continue
            } else {
                table.add(child)
            }
            children[name] = inode
        }
        table.change(path) { $0.children = children }
    }

    /// Removes a folder and everything in it.
    private func remove(_ path: FilePath) {
        for gone in table.remove(path) {
            news.folders[gone.path] = .all([])
            gone.folder.timer?.cancel()
            if let watch = gone.folder.watch, table.owners[watch] == gone.path {
                _ = table.forget(watch)
                watches?.end(watch)
            }
        }
    }

    /// Lists a folder completely after a delay, for when listing has failed.
    private func tryAgain(_ path: FilePath, after delay: Duration) {
        table.change(path) { $0.names = nil }
        list(path, after: delay)
    }

    /// Lists a folder after a delay, unless that is scheduled already.
    func list(_ path: FilePath, after delay: Duration) {
        guard !isClosed, let folder = table[path], folder.timer == nil else { return }
        let timer = loop.schedule(after: delay) { [weak self] in self?.timeIsUp(of: path) }
        table.change(path) { $0.timer = timer }
    }

    private func timeIsUp(of path: FilePath) {
        table.change(path) { $0.timer = nil }
        let now = loop.clock.now
        if let folder = table[path], let events = folder.events {
            var due = Self.due(first: events.first, last: events.last)
            if folder.names == nil, let rest = folder.restsUntil { due = max(due, rest) }
            guard due <= now else { return list(path, after: now.duration(to: due)) }
            table.change(path) { $0.events = nil }
        }
        table.wantTold(path)
        work()
    }
}
