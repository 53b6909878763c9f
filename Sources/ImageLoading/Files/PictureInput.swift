/// Where a decoder gets the bytes of a picture from.
enum PictureInput {
    /// A file, by its name.
    case path(String)
    /// A file that somebody opened, and closes.
    case descriptor(Int32)
    /// What was fetched.
    case bytes([UInt8])
    /// What is being fetched.
    case arriving(ArrivingBytes)
    /// A file that the call opens.
    case opened(() throws(PictureError.Reason) -> OpenedFile)
    /// A file that is open.
    case file(PictureFile)

    func open(_ limits: PictureLimits) throws(PictureError.Reason) -> PictureFile {
        switch self {
        case .path(let path): try PictureFile(path: path, limits: limits)
        case .descriptor(let number):
            try PictureFile(FileDescriptor(borrowing: number), at: nil, limits: limits)
        case .opened(let open):
            try PictureFile(FileDescriptor(try open()), at: nil, limits: limits)
        case .bytes(let bytes): try PictureFile(bytes, limits: limits)
        case .arriving(let bytes): try PictureFile(bytes, limits: limits)
        case .file(let file): file
        }
    }
}

extension PictureHelperInput {
    /// Opens the file, if it's one, and within the limits as far as that shows before it's read.
    package func open(_ limits: PictureLimits) throws(PictureError.Reason) -> OpenedFile {
        let input: PictureInput =
            switch self {
            case .file(let path): .path(path)
            case .opened(let file): .opened { file }
            case .bytes(let bytes): .bytes(bytes)
            }
        guard let file = try input.open(limits).opened else { throw .notARegularFile }  // bytes
        return file
    }
}
