public import GalleryFiles
import Glibc
import IdleLoop

// What the system tells of folders.
extension Catalogue {
    /// The time for which a folder must have been quiet to be looked at.
    private static var quiet: Duration { .milliseconds(200) }
    /// The longest time for which a folder that never is quiet isn't looked at.
    private static var patience: Duration { .seconds(2) }
    /// The period at which folders are looked through of whose changes the system doesn't tell.
    private static var rescanInterval: Duration { .seconds(60) }

    static func due(first: Instant, last: Instant) -> Instant {
        min(last.advanced(by: quiet), first.advanced(by: patience))
    }

    func startWatching() {
        do throws(FileError) {
            let watches = try FolderWatches()
            eventWatch = try watch(watches)
            self.watches = watches
            watching = { [mayWatch] folder throws(FileError) in
                try mayWatch()
                return try watches.watch(folder)
            }
        } catch {
            tell(.cannotWatch(error))
            rescanLater()
        }
    }

    private func watch(_ watches: FolderWatches) throws(FileError) -> Watch {
        do throws(LoopError) {
            return try loop.watch(watches.descriptor, for: .readable) { [weak self] _ in
                self?.takeEvents()
            }
        } catch {
            guard case .system(let call, let errno) = error else {
                throw .system(call: "event_add", errno: EBADF)
            }
            throw .system(call: call, errno: errno)
        }
    }

    private func takeEvents() {
        for event in watches?.events() ?? [] {
            switch event {
            case .changed(let watch, let name):
                if let path = table.owners[watch] {
                    touch(path, name)
                } else {
                    meetStranger(watch)
                }
            case .moved(let watch):
                if let path = table.owners[watch] { touch(path) } else { meetStranger(watch) }
            case .ended(let watch):
                if let path = table.forget(watch) { touch(path) } else { meetStranger(watch) }
            case .lost:
                counts.overflows += 1
                rescan()
            }
        }
    }

    /// It may be that of a folder that is being listed.
    private func meetStranger(_ watch: FolderWatch) {
        if listingCount > 0 { strangers.insert(watch) }
    }

    /// A picture's file isn't what the catalogue takes it for: it's looked at again, soon.
    public func lookAgain(at id: PictureID) {
        guard let path = entry(of: id)?.path, let folder = path.parent else { return }
        touch(folder, Array(path.lastPart))
    }

    /// Something happened to a name in a folder: it's looked at when the folder is quiet.
    private func touch(_ path: FilePath, _ name: [UInt8]) {
        // What is hidden is neither a picture nor looked into.
        guard name.first != UInt8(ascii: ".") else { return }
        table.note(name, of: path)
        listSoon(path)
    }

    /// Something happened to a folder: all of it is listed when it's quiet.
    private func touch(_ path: FilePath) {
        table.change(path) { $0.names = nil }
        listSoon(path)
    }

    private func listSoon(_ path: FilePath) {
        let now = loop.clock.now
        table.change(path) { $0.events = (first: $0.events?.first ?? now, last: now) }
        list(path, after: Self.quiet)
    }

    func takeWatch(_ listing: FolderListing, of path: FilePath) {
        // What couldn't be opened has none; what it had may still tell.
        if let watch = listing.watch {
            if let before = table.setWatch(watch, of: path) { watches?.end(before) }
            if strangers.remove(watch) != nil { touch(path) }
        } else if let error = listing.watchError {
            tell(.cannotWatch(error))
            rescanLater()
        }
    }

    /// Looks through all folders in a minute, as nothing tells of changes.
    private func rescanLater() {
        guard !isClosed, rescanTimer == nil else { return }
        rescanTimer = loop.schedule(after: Self.rescanInterval) { [weak self] in
            guard let self else { return }
            rescanTimer = nil
            if watches == nil { startWatching() }
            rescan()  // which finds out whether there's need for another
        }
    }
}
