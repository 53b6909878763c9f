/// An estimator of the error of landings that are predicted at the release, as a share of the
/// distance.
///
/// The usual error indicates the accuracy of a release velocity, and so how much the frames that
/// follow may correct it.
struct ReleaseErrorEstimator: Sendable {
    private static let kept = 16
    /// The length that is added to short distances, in px, since slops and leads differ by as much.
    private static let slack = 30.0

    private let prior: Double
    private var errors: [Double] = []
    private var prediction: (target: Double, scale: Double)?

    /// An estimator that knows only whether the predictor has the list's scroller, or guesses it.
    init(isGuess: Bool) {
        prior = isGuess ? 0.5 : 0.03
    }

    /// The mean of the errors and the prior.
    var usual: Double { (errors.reduce(0, +) + prior) / (Double(errors.count) + 1) }

    /// Stores the prediction that a list will rest at `target`, after a distance of `way` px.
    mutating func predict(_ target: Double, way: Double) {
        prediction = (target, way + Self.slack)
    }

    /// Moves the prediction along with a list whose offset has moved by `shift` px.
    mutating func shift(by shift: Double) {
        prediction?.target += shift
    }

    /// Compares the prediction with the landing.
    mutating func record(landing: Double) {
        guard let (target, scale) = prediction else { return }
        if errors.count == Self.kept { errors.removeFirst() }
        errors.append(abs(landing - target) / scale)
        prediction = nil
    }

    /// Discards the prediction of a fling that didn't end by itself.
    mutating func discardPrediction() {
        prediction = nil
    }
}
