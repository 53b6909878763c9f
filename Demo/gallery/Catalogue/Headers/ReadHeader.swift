import GalleryFiles
import ImageLoading

/// The result of reading a picture's header.
struct ReadHeader: Hashable, Sendable {
    let key: PictureKey
    let pixels: PixelSize?
}
