/// The sizes in which thumbnails are shared: the longest side of each.
enum ThumbnailSize: Int, CaseIterable {
    case normal = 128
    case large = 256
    case extraLarge = 512
    case doubleExtraLarge = 1024

    /// The smallest size from which every picture for a box can be made; nil if all are too small.
    init?(serving box: PixelSize) {
        let side = max(box.width, box.height)
        guard let size = Self.allCases.first(where: { $0.rawValue >= side }) else { return nil }
        self = size
    }

    /// The size of which a picture is; nil if it was shrunk to something else.
    ///
    /// A picture that was not shrunk belongs to the smallest size that holds it.
    init?(of picture: PixelSize, from original: PixelSize) {
        let side = max(picture.width, picture.height)
        guard let size = Self(serving: picture), size.rawValue == side || picture == original else {
            return nil
        }
        self = size
    }

    /// The folder of thumbnails of this size, under that of all.
    var folder: String {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .extraLarge: "x-large"
        case .doubleExtraLarge: "xx-large"
        }
    }

    var box: PixelSize { PixelSize(width: rawValue, height: rawValue) }
}
