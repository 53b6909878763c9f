public import IdleLoop

/// The bytes of a key's picture.
public enum PictureOrigin: Sendable {
    /// A file, by its path.
    case file(String)
    /// A file that the call opens for reading, perhaps on a worker.
    case opened(@Sendable () throws(PictureError.Reason) -> OpenedFile)
    /// An HTTP or HTTPS address.
    case url(String)
    /// An HTTP or HTTPS address that the call finds, perhaps on a worker.
    case linked(@Sendable () throws(PictureError.Reason) -> String)

    /// Whether a transport fetches the bytes.
    var isRemote: Bool {
        switch self {
        case .file, .opened: false
        case .url, .linked: true
        }
    }
}

/// The process in which pictures are decoded.
public enum PictureDecoding {
    /// This one.
    case inProcess
    /// One that can do nothing else, for files of strangers.
    case helper(any PictureHelper)
}

/// A decoder of pictures in another process.
public protocol PictureHelper: AnyObject {
    /// Decodes a file, of which nothing was read in this process.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - name: The name that errors have.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: The most that the file may cost.
    ///   - completion: Called once on the loop, after this returns, unless the operation is
    ///     cancelled.
    /// - Returns: What cancels it.
    func decode(
        _ input: PictureHelperInput, named name: String, fitting box: PixelSize,
        limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
    ) -> any PendingOperation
}

/// A file that a helper decodes, or whose header is read.
public enum PictureHelperInput: Sendable {
    /// A file, by its path; it's opened when its turn comes.
    case file(String)
    /// An open file.
    case opened(OpenedFile)
    /// All bytes of a file.
    case bytes([UInt8])
}

/// A way to fetch what is at addresses, on a loop's own thread.
public protocol PictureTransport: AnyObject {
    /// Fetches what is at an address.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - receive: Called on the loop with what comes, in order, after this returns; not after an
    ///     end, nor once the operation was cancelled, which may happen inside of it.
    /// - Returns: What cancels it.
    func fetch(
        _ url: String, receive: @escaping (PictureTransportEvent) -> Void
    ) -> any PendingOperation
}

/// An event of a transfer.
public enum PictureTransportEvent {
    /// The bytes begin to arrive; so many will, if the server has said that. What came before counts
    /// no more.
    case began(length: Int?)
    /// The next bytes.
    case bytes([UInt8])
    /// All bytes have come, or why they won't.
    case ended((any Error)?)
}
