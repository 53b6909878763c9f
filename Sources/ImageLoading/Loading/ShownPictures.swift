/// Pictures that are shown as they are decoded, and perhaps kept on disk for other programs, too.
public struct ShownPictures: PictureRecipe {
    private let store: (any ThumbnailStore)?

    /// Pictures, of which `store` keeps thumbnails; nil for nobody.
    public init(store: (any ThumbnailStore)? = nil) { self.store = store }

    /// The path or the address.
    public func name(of request: PictureRequest) -> String { request.name }

    /// The box that was asked for.
    public func box(of request: PictureRequest) -> PixelSize { request.box }

    /// Scales a picture that was decoded for the disk to the box that was asked for.
    public func make(
        _ picture: Picture, for request: PictureRequest
    ) -> any SteppedWork<Picture, PictureError.Reason> {
        PictureScaler(picture, fitting: request.box)
    }

    /// The bytes of the pixels.
    public func size(of picture: Picture) -> Int { picture.pixels.count }

    /// Scaling a preview is one step, so it must not be large.
    public func preview(_ picture: Picture, for request: PictureRequest) -> Picture? {
        let isFitting = picture.size.fitted(in: request.box) == picture.size
        guard isFitting || picture.size.width * picture.size.height <= 1 << 16 else { return nil }
        return try? PictureScaler(picture, fitting: request.box).finish()
    }

    /// The size that serves all who ask for less, if thumbnails are kept.
    ///
    /// A picture that a thumbnail in its file stands for isn't kept: it's had sooner from there.
    public func decodingBox(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize {
        guard let box = keptSize(of: request, header) else { return request.box }
        return PixelSize(
            width: max(box.width, request.box.width), height: max(box.height, request.box.height))
    }

    /// Looks for a thumbnail, or for the note of a failure.
    public func find(
        _ request: PictureRequest, _ stamp: FileStamp?
    ) -> StoredPicture<Picture> {
        guard case .file(let path) = request.place, let stamp, let store,
            store.size(serving: request.box) != nil
        else { return .none }
        return store.find(path, stamp, serving: request.box)
    }

    /// The work of keeping a thumbnail.
    public func writer(
        of made: MadePicture<Picture>, for request: PictureRequest
    ) -> (any SteppedWork<Void, any Error>)? {
        guard case .file(let path) = request.place, let stamp = made.stamp,
            keptSize(of: request, made.header) != nil
        else { return nil }
        return store?.writer(of: made.picture, from: path, stamp, header: made.header)
    }

    /// Notes a failure where thumbnails are kept.
    public func noteFailure(of request: PictureRequest, _ stamp: FileStamp) {
        if case .file(let path) = request.place { store?.noteFailure(of: path, stamp) }
    }

    private func keptSize(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize? {
        let isServed = header?.isServedByThumbnail(fitting: request.box) ?? false
        guard case .file = request.place, !isServed else { return nil }
        return store?.size(serving: request.box)
    }
}
