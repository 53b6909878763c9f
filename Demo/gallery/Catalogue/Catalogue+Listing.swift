import GalleryFiles
import IdleLoop

// Folders, each read by one job.
extension Catalogue {
    private static var listingsAtOnce: Int { 2 }

    /// Looks through all folders again, as after the system lost count of their changes.
    public func rescan() {
        guard !isClosed, startTimer == nil else { return }
        counts.rescans += 1
        for path in book.folders.keys { book.want(path) }
        work()
    }

    func listFolders() {
        while listingCount < Self.listingsAtOnce, let path = book.next() { list(path) }
    }

    private func list(_ path: FilePath) {
        jobNumber += 1
        listingCount += 1
        let number = jobNumber
        book.change(path) { folder in
            folder.job = number
            folder.isListedAgain = false
        }
        queue.submit(
            .listing(number), urgency: .near, on: pool,
            onEnd: { [weak self] end in self?.listingEnded(path, number, end) },
            work: { [folder, limits, watching] in
                FolderListing(of: path, in: folder, limits: limits, watching: watching)
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
        if book[path]?.job == number {
            book.change(path) { $0.job = nil }
            if book[path]?.isListedAgain == true { book.want(path) }
            // Where there are no threads to be had it fails at once, and would again.
            if case .done = end {} else { list(path, after: .seconds(1)) }
        }
        if listingCount == 0 { strangers = [] }
        work()
    }

    private func take(_ listing: FolderListing, of path: FilePath, from number: Int) {
        counts.listings += 1
        guard book[path]?.job == number else {
            // The folder went meanwhile, or is another.
            if let watch = listing.watch, book.owners[watch] == nil { watches?.end(watch) }
            return
        }
        takeWatch(listing, of: path)
        switch listing.outcome {
        case .listed(let pictures, let folders):
            news.folders[path] = pictures
            book.change(path) { $0.wasRefused = false }
            takeChildren(folders, of: path)
        case .refused:
            news.folders[path] = []
            book.change(path) { $0.wasRefused = true }
            takeChildren([:], of: path)
        case .gone where path == .root:
            news.folders[path] = []
            takeChildren([:], of: path)
        case .gone:
            // So that it's new when it comes back.
            if let parent = path.parent {
                book.change(parent) { $0.children[Array(path.lastPart)] = nil }
            }
            remove(path)
        case .failed(let error):
            tell(.cannotList(path, error))
            list(path, after: .seconds(5))
        }
    }

    private func takeChildren(_ found: [[UInt8]: UInt64], of path: FilePath) {
        guard let known = book[path] else { return }
        var children: [[UInt8]: UInt64] = [:]
        for name in known.children.keys where found[name] == nil {
            if let child = path.appending(name) { remove(child) }
        }
        for (name, inode) in found {
            guard let child = path.appending(name) else { continue }
            if let before = known.children[name], let folder = book[child] {
                if before != inode || folder.wasRefused { book.want(child) }
            } else if child.depth > limits.depth {
                tell(.tooDeep(limit: limits.depth))
                continue
            } else if book.folders.count >= limits.folders {
                tell(.tooManyFolders(limit: limits.folders))
                continue
            } else {
                book.add(child)
            }
            children[name] = inode
        }
        book.change(path) { $0.children = children }
    }

    /// A folder is gone, and all in it.
    private func remove(_ path: FilePath) {
        for gone in book.remove(path) {
            news.folders[gone.path] = []
            if let timer = gone.folder.timer { loop.cancel(timer) }
            if let watch = gone.folder.watch, book.owners[watch] == gone.path {
                _ = book.forget(watch)
                watches?.end(watch)
            }
        }
    }

    /// Lists a folder after some time, unless it's to be listed after some time already.
    func list(_ path: FilePath, after delay: Duration) {
        guard !isClosed, let folder = book[path], folder.timer == nil else { return }
        let timer = loop.schedule(after: delay) { [weak self] in self?.timeIsUp(of: path) }
        book.change(path) { $0.timer = timer }
    }

    private func timeIsUp(of path: FilePath) {
        book.change(path) { $0.timer = nil }
        let now = loop.clock.now
        if let events = book[path]?.events {
            let due = Self.due(first: events.first, last: events.last)
            guard due <= now else { return list(path, after: now.duration(to: due)) }
            book.change(path) { $0.events = nil }
        }
        book.want(path)
        work()
    }
}
