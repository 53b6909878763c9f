/// A recipe for pictures that are shown as decoded, and perhaps stored on disk for other programs,
/// too.
public struct ShownPictures: PictureRecipe {
    private let store: (any ThumbnailStore)?

    /// Creates a recipe whose thumbnails are stored in `store`; nil to store none.
    public init(store: (any ThumbnailStore)? = nil) { self.store = store }

    /// Returns the path or the URL.
    public func name(of request: PictureRequest) -> String { request.name }

    /// Returns the requested target size.
    public func targetSize(of request: PictureRequest) -> PixelSize { request.targetSize }

    /// Scales a picture that was decoded for the disk to the requested target size.
    public func make(
        _ picture: Picture, for request: PictureRequest
    ) -> any SteppedWork<Picture, PictureError.Reason> {
        PictureScaler(picture, fitting: request.targetSize)
    }

    /// Returns the size of the pixels in bytes.
    public func size(of picture: Picture) -> Int { picture.pixels.count }

    /// Returns a preview, scaled in one step; nil if the picture is too large for that.
    public func preview(_ picture: Picture, for request: PictureRequest) -> Picture? {
        let isFitting = picture.size.fitted(in: request.targetSize) == picture.size
        guard isFitting || picture.size.width * picture.size.height <= 1 << 16 else { return nil }
        return try? PictureScaler(picture, fitting: request.targetSize).finish()
    }

    /// Returns the size that serves all smaller requests, if thumbnails are stored.
    ///
    /// A picture isn't stored if a thumbnail in its own file is enough: that is faster to read.
    public func decodingSize(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize {
        guard let kept = keptSize(of: request, header) else { return request.targetSize }
        return PixelSize(
            width: max(kept.width, request.targetSize.width),
            height: max(kept.height, request.targetSize.height))
    }

    /// Looks for a thumbnail, or for a recorded failure.
    public func find(
        _ request: PictureRequest, _ stamp: FileStamp?
    ) -> StoredPicture<Picture> {
        guard case .file(let path) = request.place, let stamp, let store,
            store.size(serving: request.targetSize) != nil
        else { return .none }
        return store.find(path, stamp, serving: request.targetSize)
    }

    /// Returns the work of storing a thumbnail.
    public func writer(
        of made: MadePicture<Picture>, for request: PictureRequest
    ) -> (any SteppedWork<Void, any Error>)? {
        guard case .file(let path) = request.place, let stamp = made.stamp,
            keptSize(of: request, made.header) != nil
        else { return nil }
        return store?.writer(of: made.picture, from: path, stamp, header: made.header)
    }

    /// Records a failure in the thumbnail store.
    public func recordFailure(of request: PictureRequest, _ stamp: FileStamp) {
        if case .file(let path) = request.place { store?.recordFailure(of: path, stamp) }
    }

    private func keptSize(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize? {
        let isServed = header?.isServedByThumbnail(fitting: request.targetSize) ?? false
        guard case .file = request.place, !isServed else { return nil }
        return store?.size(serving: request.targetSize)
    }
}
