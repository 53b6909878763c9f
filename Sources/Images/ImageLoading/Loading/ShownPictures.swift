/// A recipe for pictures that are shown as decoded, and perhaps stored on disk for other programs,
/// too.
public struct ShownPictures: PictureRecipe {
    /// The thumbnails on disk; nil if none are stored.
    public let store: (any PictureStore<PictureRequest, Picture>)?

    /// Creates a recipe whose thumbnails are stored in `store`; nil to store none.
    public init(store: (any PictureStore<PictureRequest, Picture>)? = nil) { self.store = store }

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
}
