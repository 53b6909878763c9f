import GalleryFiles
import ImageLoading

/// What a picture's header said, or that it said nothing.
struct ReadHeader: Hashable, Sendable {
    let key: PictureKey
    let pixels: PixelSize?
}
