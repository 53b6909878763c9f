public import ImageLoading

/// The geometry of the list's rows, in the pixels of a page.
public struct RowGeometry: Hashable, Sendable {
    /// The width of the size that a row's picture is scaled down to fit.
    public var targetWidth = 224.0
    /// The height of that size.
    public var targetHeight = 168.0
    /// The sum of the margins above and below a picture.
    public var padding = 16.0
    /// The minimum height of a row, for its text.
    public var leastHeight = 72.0
    /// The height of a section's header.
    public var header = 40.0
    /// The estimated height of a row whose picture's size isn't known.
    public var estimate = 168.0 + 16.0

    /// Creates the geometry of the page.
    public init() {}

    /// Returns the height of a row, in whole pixels; a small picture isn't enlarged.
    public func height(of pixels: PixelSize) -> Double {
        let width = Double(max(1, pixels.width))
        let height = Double(max(1, pixels.height))
        let shown = min(height, targetHeight, height * targetWidth / width)
        return max(leastHeight, shown.rounded(.up) + padding)
    }
}
