internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading

// Pictures on servers, each of which may be another one day.
extension Gallery {
    /// Whether a picture is on a server.
    func isRemote(_ key: ThumbnailKey) -> Bool {
        catalogue.entry(of: key.picture.id)?.path.isShortcut == true
    }

    /// Forgets a picture on a server, or that there's none, if that is long known: it's asked for anew.
    func forgetStale(_ key: ThumbnailKey) {
        guard isRemote(key), loader.state(of: key).isSettled else { return }
        let age = remotes[key].map { $0.duration(to: loop.clock.now) }
        if let age, age < limits.remoteFreshness { return }
        noteRemote(key)
        source.forgetFailure(of: key)
        loader.invalidate(key)
    }

    /// Notes that a picture was made now: of one on a server when, and for the catalogue its shape.
    func noteMade(_ key: ThumbnailKey, _ thumbnail: Thumbnail) {
        waste.noteMade(key)
        guard isRemote(key) else { return }
        noteRemote(key)
        guard key.size == .row,
            let header = try? PictureHeader.read(.bytes(thumbnail.bytes), named: key.text)
        else { return }
        catalogue.take(header.size, ofRemote: key.picture)
    }

    private func noteRemote(_ key: ThumbnailKey) {
        remotes.insert(loop.clock.now, for: key)
        if remotes.count > 1 << 14 { remotes.removeOldest() }
    }
}
