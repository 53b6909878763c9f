/// What EXIF, the notes that cameras put into picture files, says that matters for a thumbnail.
package struct EXIF: Equatable, Sendable {
    /// How the picture has to be turned to be upright.
    package let orientation: PictureOrientation
    /// Where in the notes a small JPEG of the picture is.
    package let thumbnail: Range<Int>?

    package init(orientation: PictureOrientation = .upright, thumbnail: Range<Int>? = nil) {
        self.orientation = orientation
        self.thumbnail = thumbnail
    }
}
