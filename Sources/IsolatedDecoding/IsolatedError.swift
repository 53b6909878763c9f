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
    /// Something is wrong with the file, or it takes too long; it would be so in any process.
    case picture(PictureError)
    /// The helper failed while it had the picture, and was ended.
    case helper(file: String, HelperFailure)
    /// No helper could be started.
    case noHelper(HelperFailure)
    /// As many pictures wait already.
    case tooMany(limit: Int)
    /// This process has not what it takes to ask: descriptors, or memory.
    case system(LoopError)
    /// The decoder was closed.
    case closed

    /// A failure of a helper, at its start or over a picture.
    public enum HelperFailure: Equatable, Sendable {
        /// The system refused to start it.
        case system(LoopError)
        /// It ended.
        case ended(ChildExit)
        /// It said nothing for so long.
        case silent(after: Duration)
        /// It said what no helper of this version says.
        case lied(Lie)
    }

    /// A fault in a helper's answer.
    public enum Lie: Error, Equatable, Sendable {
        /// No message, or one with a descriptor.
        case garbage
        /// An answer to what wasn't asked.
        case unexpected
        /// A picture larger than what was asked for.
        case wrongSize(PixelSize)
        /// Too few pixels.
        case badPixels
    }
}

extension IsolatedError: RetryableError {
    /// Whether it may go better later, with nothing changed but time.
    public var mayPass: Bool {
        switch self {
        case .noHelper, .tooMany, .system: true
        case .picture, .helper, .closed: false
        }
    }

    /// Again where only the helpers were short of something; never for the file's own fault.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        mayPass && failures < 5 ? .later : .never
    }
}
