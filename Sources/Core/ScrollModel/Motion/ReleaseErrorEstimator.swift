/// An estimator of the error of landings that are predicted at the release, as a share of the
/// distance.
///
/// The usual error indicates the accuracy of a release velocity, and so how much the frames that
/// follow may correct it.
struct ReleaseErrorEstimator: Sendable {
    private static let kept = 16

    /// The usual error with the right scroller.
    static let knownPrior = 0.03
    /// The usual error before anything was learned.
    static let unknownPrior = 0.5

    private var prior: Double
    private var errors: [Double] = []
    private var prediction: (target: Double, scale: Double)?

    /// An estimator that knows only a prior.
    init(prior: Double) {
        self.prior = prior
    }

    /// The mean of the errors and the prior.
    var usual: Double { (errors.reduce(0, +) + prior) / (Double(errors.count) + 1) }

    /// Stores the prediction that a list will rest at `target`, after a distance of `way` px.
    mutating func predict(_ target: Double, way: Double) {
        prediction = (target, way + FlingLearner.slack)
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

    /// Replaces the errors by those that the newly identified scroller would have made; if it
    /// differs from the one before, the prior is reset.
    mutating func replace(by errors: [Double], isOther: Bool) {
        if isOther { prior = Self.knownPrior }
        self.errors = errors.suffix(Self.kept)
    }
}
