/// The part of EXIF, the notes that cameras put into picture files, that matters for a thumbnail.
package struct EXIF: Equatable, Sendable {
    /// The turn that makes the picture upright.
    package let orientation: PictureOrientation
    /// The place in the notes of a small JPEG of the picture.
    package let thumbnail: Range<Int>?

    package init(orientation: PictureOrientation = .upright, thumbnail: Range<Int>? = nil) {
        self.orientation = orientation
        self.thumbnail = thumbnail
    }
}
