/// A picture file, and the box that its picture is to lie in.
///
/// ```swift
/// pictures.subscribe(to: PictureRequest("photos/a.jpg", fitting: box))
/// ```
public struct PictureRequest: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The picture is scaled down to lie in it, and never scaled up.
    public var box: PixelSize

    /// A request for the picture of a file.
    public init(_ path: String, fitting box: PixelSize) {
        self.path = path
        self.box = box
    }
}
