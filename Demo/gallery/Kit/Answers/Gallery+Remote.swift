internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading

// Pictures on servers, each of which may change at any time.
extension Gallery {
    /// Returns whether a picture is on a server.
    func isRemote(_ key: ThumbnailKey) -> Bool {
        catalogue.entry(of: key.picture.id)?.path.isShortcut == true
    }

    /// Invalidates a picture on a server, or its failure, if it is older than the limit, so that it
    /// is fetched again.
    func forgetStale(_ key: ThumbnailKey) {
        guard isRemote(key), loader.state(of: key).isSettled else { return }
        let age = remotes[key].map { $0.duration(to: loop.clock.now) }
        if let age, age < limits.remoteFreshness { return }
        noteRemote(key)
        source.forgetFailure(of: key)
        loader.invalidate(key)
    }

    /// Records that a picture was made: the time for a picture on a server, and its aspect ratio for
    /// the catalogue.
    func noteMade(_ key: ThumbnailKey, _ thumbnail: Thumbnail) {
        unused.noteMade(key)
        guard isRemote(key) else { return }
        noteRemote(key)
        guard key.size == .row,
            let header = try? PictureHeader.read(.bytes(thumbnail.bytes), named: key.text)
        else { return }
        catalogue.take(header.size, ofRemote: key.picture)
    }

    private func noteRemote(_ key: ThumbnailKey) {
        remotes.insert(loop.clock.now, for: key)
    }
}
