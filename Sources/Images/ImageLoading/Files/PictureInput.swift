/// A source of the bytes of a picture.
enum PictureInput {
    /// A file, by its path.
    case path(String)
    /// A file that the closure opens.
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
    /// The input of a job in this process.
    var input: PictureInput {
        switch self {
        case .file(let path): .path(path)
        case .opened(let file): .opened { file }
        case .bytes(let bytes): .bytes(bytes)
        }
    }

    /// Opens the file if it is one, and if it's within the limits as far as they can be checked
    /// before reading.
    package func open(_ limits: PictureLimits) throws(PictureError.Reason) -> OpenedFile {
        guard let file = try input.open(limits).opened else { throw .notARegularFile }
        return file
    }
}
