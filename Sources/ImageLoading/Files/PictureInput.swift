/// A source of the bytes of a picture.
enum PictureInput {
    /// A file, by its name.
    case path(String)
    /// A file that the call opens.
    case opened(() throws(PictureError.Reason) -> OpenedFile)
    /// All bytes of a file.
    case bytes([UInt8])
    /// The bytes of a file that are still arriving.
    case arriving(ArrivingBytes)
    /// A file that is open.
    case file(PictureFile)

    func open(_ limits: PictureLimits) throws(PictureError.Reason) -> PictureFile {
        switch self {
        case .path(let path): try PictureFile(OpenedFile(path), at: path, limits: limits)
        case .opened(let open): try PictureFile(open(), limits: limits)
        case .bytes(let bytes): try PictureFile(bytes, limits: limits)
        case .arriving(let bytes): try PictureFile(bytes, limits: limits)
        case .file(let file): file
        }
    }
}

extension PictureHelperInput {
    /// Opens the file, if it's one, and within the limits as far as that shows before it's read.
    package func open(_ limits: PictureLimits) throws(PictureError.Reason) -> OpenedFile {
        let file: OpenedFile
        switch self {
        case .file(let path): file = try OpenedFile(path)
        case .opened(let opened): file = opened
        case .bytes: throw .notARegularFile
        }
        _ = try PictureFile(file, limits: limits)
        return file
    }
}
