/// A width and a height in whole pixels.
///
/// ```swift
/// PixelSize(width: 4000, height: 3000).fitted(in: PixelSize(width: 256, height: 256))
/// // 256x192
/// ```
public struct PixelSize: Hashable, Sendable {
    /// The number of pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size from a width and a height.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the largest size of the same shape within `targetSize`, never larger than this one.
    ///
    /// Sides are rounded to the nearest pixel and are never less than 1, whatever the target size.
    public func fitted(in targetSize: PixelSize) -> PixelSize {
        let width = max(1, width)
        let height = max(1, height)
        // Larger sides than the picture's have no effect; clamping them keeps products small.
        let limit = PixelSize(
            width: min(max(1, targetSize.width), width),
            height: min(max(1, targetSize.height), height))
        if limit.width * height <= limit.height * width {
            let scaled = (2 * height * limit.width + width) / (2 * width)
            return PixelSize(width: limit.width, height: max(1, scaled))
        }
        let scaled = (2 * width * limit.height + height) / (2 * height)
        return PixelSize(width: max(1, scaled), height: limit.height)
    }
}

extension PixelSize: CustomStringConvertible {
    /// The size in the usual notation: `4000x3000`.
    public var description: String { "\(width)x\(height)" }
}
