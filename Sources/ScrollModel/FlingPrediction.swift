/// Where a list that was just let go will come to rest, and how that is known.
public struct FlingPrediction: Sendable {
    /// Who said where the list will rest.
    public enum Source: Sendable {
        /// The scroller that moves the list: its own plan, and no guess.
        case host
        /// A fling model, from the finger's samples.
        case model
    }

    /// The offset at which the list will rest, in px, within its bounds.
    public let target: Double

    /// Who said so.
    public let source: Source

    /// The list's velocity at the lift, in px per second; positive when the offset grows.
    ///
    /// From a model, this includes what a caught fling added to it.
    public let velocity: Double

    /// The way there, for those who ask when a row will be reached; nil if the host told only
    /// the target.
    public let path: Fling?

    /// The time from the lift until the list rests; nil if the host told only the target.
    public var duration: Duration? { path?.duration }

    /// What someone who knows says of the fling.
    public init(target: Double, source: Source, velocity: Double, path: Fling? = nil) {
        self.target = target
        self.source = source
        self.velocity = velocity
        self.path = path
    }
}
