public import GalleryFiles
import Glibc
import IdleLoop

// The system's events about folders.
extension Catalogue {
    /// The time without events after which a folder is read again.
    private static var quiet: Duration { .milliseconds(200) }
    /// The maximum delay for a folder whose events don't stop.
    private static var patience: Duration { .seconds(2) }
    /// The interval at which folders without a watch are scanned.
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

    /// Remembers an unknown watch, as it may belong to a folder that is being listed.
    private func meetStranger(_ watch: FolderWatch) {
        if listingCount > 0 { strangers.insert(watch) }
    }

    /// Examines a picture's file again soon, for when it isn't the file that the catalogue knows.
    public func lookAgain(at id: PictureID) {
        guard let path = entry(of: id)?.path, let folder = path.parent else { return }
        touch(folder, Array(path.lastPart))
    }

    /// Schedules a check of a name in a folder, for when its events have stopped.
    private func touch(_ path: FilePath, _ name: [UInt8]) {
        // Hidden files are not pictures, and hidden folders are not read.
        guard name.first != UInt8(ascii: ".") else { return }
        table.note(name, of: path)
        listSoon(path)
    }

    /// Schedules a complete listing of a folder, for when its events have stopped.
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
        // A folder that couldn't be opened has no new watch; its old one may still be valid.
        if let watch = listing.watch {
            if let before = table.setWatch(watch, of: path) { watches?.end(before) }
            if strangers.remove(watch) != nil { touch(path) }
        } else if let error = listing.watchError {
            tell(.cannotWatch(error))
            rescanLater()
        }
    }

    /// Schedules a scan of all folders in a minute, as not all changes are reported.
    private func rescanLater() {
        guard !isClosed, rescanTimer == nil else { return }
        rescanTimer = loop.schedule(after: Self.rescanInterval) { [weak self] in
            guard let self else { return }
            rescanTimer = nil
            if watches == nil { startWatching() }
            rescan()  // which schedules another if necessary
        }
    }
}
