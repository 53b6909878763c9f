public import IdleLoop

/// A decoder of pictures in another process.
public protocol PictureHelper: AnyObject {
    /// Decodes a file of which nothing was read in this process.
    ///
    /// - Parameters:
    ///   - origin: The bytes: a file or all bytes of one, no URL.
    ///   - name: The name of the file in errors.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - completion: Called once on the loop, after this returns, unless the operation is
    ///     cancelled.
    /// - Returns: The operation, to cancel it.
    func decode(
        _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
    ) -> any PendingOperation
}

/// A transport that fetches resources by their URLs, on a loop's own thread.
public protocol PictureTransport: AnyObject {
    /// Fetches the resource at a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - receive: Called on the loop with each event, in order, after this returns. It's called
    ///     neither after an end nor after the operation was cancelled, which may happen inside the
    ///     call.
    /// - Returns: The operation, to cancel it.
    func fetch(
        _ url: String, receive: @escaping (PictureTransportEvent) -> Void
    ) -> any PendingOperation
}

/// An event of a transfer.
public enum PictureTransportEvent {
    /// The start of the body, with its length if the server has announced one; earlier bytes are
    /// void.
    case began(length: Int?)
    /// The next bytes of the body.
    case bytes([UInt8])
    /// The end of the transfer, with the error if it failed.
    case ended((any Error)?)
}
