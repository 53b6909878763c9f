public import DeferredLoading
public import IdleLoop
public import ImageLoading

/// An error of an `IsolatedDecoder`.
///
/// ```text
/// photos/a.jpg: truncated: 12 of 480 rows
/// photos/b.jpg: the helper was ended by signal 11
/// ```
public enum IsolatedError: Error, Equatable, Sendable {
    /// The file is invalid, or takes too long to decode; it would be so in any process.
    case picture(PictureError)
    /// The helper failed while it decoded the picture, and was killed.
    case helper(file: String, HelperFailure)
    /// No helper could be started.
    case noHelper(HelperFailure)
    /// The limit of waiting pictures was reached.
    case tooMany(limit: Int)
    /// This process lacks a resource for the request: descriptors, or memory.
    case system(LoopError)
    /// The decoder was closed.
    case closed

    /// A failure of a helper, at its start or while decoding a picture.
    public enum HelperFailure: Equatable, Sendable {
        /// The system's error when it was started.
        case system(LoopError)
        /// The helper exited.
        case ended(ChildExit)
        /// The helper didn't reply for this time.
        case silent(after: Duration)
        /// The helper sent a message that no helper of this version sends.
        case invalidReply(InvalidReply)
    }

    /// A protocol error in a helper's reply.
    public enum InvalidReply: Error, Equatable, Sendable {
        /// A malformed message, or one with a descriptor.
        case garbage
        /// A reply without a request.
        case unexpected
        /// A picture larger than the requested target size.
        case wrongSize(PixelSize)
        /// Fewer pixels than the size of the picture.
        case badPixels
    }
}

extension IsolatedError: RetryableError {
    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .noHelper, .tooMany, .system: true
        case .picture, .helper, .closed: false
        }
    }

    /// Returns `later` if only the helpers lacked something, and `never` for the file's own fault.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        isTransient && failures < 5 ? .later : .never
    }
}
