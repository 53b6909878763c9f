public import GalleryFiles
internal import Glibc
public import ImageLoading

/// Why there is no small picture.
public enum ThumbnailFailure: Error, Equatable, Sendable {
    /// No picture has this key, or its file is gone.
    case missing
    /// The file is another than the one that the key stands for: there is, or soon will be, a new
    /// key.
    case changed
    /// The file gives no picture.
    case picture(PictureError.Reason)

    /// The failure of a picture by a file's error.
    public init(_ error: FileError) {
        self =
            switch error {
            case .system("openat2", ENOENT), .system("openat2", ENOTDIR): .missing
            // What a socket answers, and a device without hardware.
            case .system("openat2", ENXIO): .picture(.notARegularFile)
            case .system("openat2", let errno): .picture(.cannotOpen(errno: errno))
            case .system(_, let errno): .picture(.cannotRead(errno: errno))
            case .notARegularFile: .picture(.notARegularFile)
            case .tooLarge(let found, let limit):
                .picture(.tooLarge(.bytes, found: found, limit: limit))
            case .changedWhileRead: .picture(.changedWhileRead)
            }
    }

    /// Whether somebody should look what is there now.
    var isOutOfDate: Bool {
        switch self {
        case .missing, .changed, .picture(.changedWhileRead): true
        case .picture: false
        }
    }
}

extension ThumbnailFailure: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .missing: "not there"
        case .changed: "changed meanwhile"
        case .picture(let reason): reason.description
        }
    }
}
