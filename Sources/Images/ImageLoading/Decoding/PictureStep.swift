/// The result of a step of decoding a picture, or of making a value from one.
public enum PictureStep<Output> {
    /// More steps are needed.
    case more
    /// More steps are needed, once more bytes have arrived.
    case waiting
    /// More steps are needed; this preview can be shown meanwhile.
    case refined(Picture)
    /// The finished picture or value; no more steps are needed.
    case done(Output)
}

extension PictureStep: Sendable where Output: Sendable {}
