public import IdleLoop
public import ImageLoading

/// Why an `IsolatedDecoder` gave no picture.
///
/// ```text
/// photos/a.jpg: truncated: 12 of 480 rows
/// photos/b.jpg: the helper was ended by signal 11
/// ```
public enum IsolatedError: Error, Equatable, Sendable {
    /// Something is wrong with the file; it would be so in any process.
    case picture(PictureError)
    /// The helper went on when the picture had taken all the processor time that its limits allow,
    /// and was ended.
    case tooSlow(file: String, limit: Duration)
    /// The helper gave no answer for so long, and was ended.
    case helperHung(file: String, after: Duration)
    /// The helper ended while it had the picture.
    case helperDied(file: String, ChildExit)
    /// The helper said what no helper says, and was ended.
    case helperLied(file: String, Lie)
    /// No helper could be started.
    case noHelper(StartFailure)
    /// So many pictures wait already.
    case tooMany(limit: Int)
    /// This process has not what it takes to ask: descriptors, or memory.
    case system(SystemError)
    /// The decoder was closed.
    case closed

    /// What was wrong with a helper's answer.
    public enum Lie: Error, Equatable, Sendable {
        /// No message, or one with too many descriptors.
        case garbage
        /// An answer to what wasn't asked.
        case unexpected
        /// A picture larger than what was asked for.
        case wrongSize(PixelSize)
        /// No pixels, or too few, or such as may still change.
        case badPixels
    }

    /// Why a helper didn't get ready.
    public enum StartFailure: Equatable, Sendable {
        /// The system refused.
        case system(SystemError)
        /// It ended before it was ready.
        case ended(ChildExit)
        /// It wasn't ready after so long.
        case silent(after: Duration)
        /// What it said first is not what a helper of this version says.
        case stranger
    }

    /// Whether it may go better later, with nothing changed but time.
    public var mayPass: Bool {
        switch self {
        case .noHelper, .tooMany, .system: true
        case .picture, .tooSlow, .helperHung, .helperDied, .helperLied, .closed: false
        }
    }
}
