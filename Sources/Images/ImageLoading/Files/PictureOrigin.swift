/// The origin of a picture's bytes.
public enum PictureOrigin: Sendable {
    /// A file, by its path, which is opened when its turn comes.
    case file(String)
    /// A file that the closure opens for reading, perhaps on a worker.
    case opened(@Sendable () throws(PictureError.Reason) -> OpenedFile)
    /// All bytes of a file.
    case bytes([UInt8])
    /// An HTTP or HTTPS URL, for a source that has a ``PictureTransport``.
    case url(String)

    /// Whether a transport fetches the bytes.
    var isRemote: Bool {
        if case .url = self { true } else { false }
    }

    /// The path or the URL; empty if it has neither.
    var name: String {
        switch self {
        case .file(let name), .url(let name): name
        case .opened, .bytes: ""
        }
    }

    /// The current state of the file, as far as a path determines it.
    var stamp: FileStamp? {
        if case .file(let path) = self { FileStamp(ofFile: path) } else { nil }
    }

    /// Opens the file if it is one, and if it's within the limits as far as they can be checked
    /// before reading.
    package func open(_ limits: PictureLimits) throws(PictureError.Reason) -> PictureFile {
        switch self {
        case .file(let path): try PictureFile(OpenedFile(path), at: path, limits: limits)
        case .opened(let open): try PictureFile(open(), limits: limits)
        case .bytes(let bytes): try PictureFile(ArrivingBytes(all: bytes), limits: limits)
        case .url: throw .missing
        }
    }
}
