public import ImageLoading

/// The purpose of a small picture, which decides its size.
public enum ThumbnailKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A row of the list, on a screen with two pixels for one of CSS's.
    case row = 1
    /// The large view.
    case view = 2

    /// The box that the picture is fitted in.
    public var box: PixelSize {
        switch self {
        case .row: PixelSize(width: 384, height: 288)
        case .view: PixelSize(width: 1280, height: 960)
        }
    }

    /// The word for it in the names of files.
    var name: String {
        switch self {
        case .row: "row"
        case .view: "view"
        }
    }
}
