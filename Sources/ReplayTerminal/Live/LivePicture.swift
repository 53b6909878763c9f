package import ImageLoading

/// A row's picture with an identity, so that what was made of it is found again.
package final class LivePicture: Sendable {
    package let picture: Picture

    /// A picture of one pixel at least.
    package init(_ picture: Picture) {
        precondition(
            picture.size.width > 0 && picture.size.height > 0,
            "a picture that is shown has pixels")
        self.picture = picture
    }
}
