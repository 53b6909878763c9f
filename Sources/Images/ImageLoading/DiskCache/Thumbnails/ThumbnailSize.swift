/// The shared sizes of thumbnails, by the length of the longest side.
enum ThumbnailSize: Int, CaseIterable {
    case normal = 128
    case large = 256
    case extraLarge = 512
    case doubleExtraLarge = 1024

    /// Finds the smallest size from which every picture of a target size can be made; nil if
    /// all are too small.
    init?(serving targetSize: PixelSize) {
        let side = max(targetSize.width, targetSize.height)
        guard let size = Self.allCases.first(where: { $0.rawValue >= side }) else { return nil }
        self = size
    }

    /// Finds the size class of a picture; nil if it was reduced to some other size.
    ///
    /// A picture that wasn't reduced belongs to the smallest size that contains it.
    init?(of picture: PixelSize, from original: PixelSize) {
        let side = max(picture.width, picture.height)
        guard let size = Self(serving: picture), size.rawValue == side || picture == original else {
            return nil
        }
        self = size
    }

    /// The directory of thumbnails of this size, relative to the cache's own.
    var folder: String {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .extraLarge: "x-large"
        case .doubleExtraLarge: "xx-large"
        }
    }

    var pixelSize: PixelSize { PixelSize(width: rawValue, height: rawValue) }
}
