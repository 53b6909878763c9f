package import ImageLoading

/// A row's picture with an identity, by which its encodings are found again.
package final class LivePicture: Sendable {
    package let picture: Picture

    /// Wraps a picture of at least one pixel.
    package init(_ picture: Picture) {
        precondition(
            picture.size.width > 0 && picture.size.height > 0,
            "a picture that is shown has pixels")
        self.picture = picture
    }
}
