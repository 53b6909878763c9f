/// The errors of the landings predicted at the release, as shares of the distance.
///
/// The usual error indicates the accuracy of a release velocity, and so how much the frames that
/// follow may correct it.
struct ReleaseErrors: Sendable {
    private static let kept = 16

    /// The usual error with the right scroller.
    static let knownPrior = 0.03
    /// The usual error before anything was learned.
    static let unknownPrior = 0.5

    private var prior: Double
    private var errors: [Double] = []
    private var claim: (target: Double, scale: Double)?

    /// An instance without errors, with a prior.
    init(prior: Double) {
        self.prior = prior
    }

    /// The mean of the errors and the prior.
    var usual: Double { (errors.reduce(0, +) + prior) / (Double(errors.count) + 1) }

    /// Stores a prediction that a list will rest at `target`, after a distance of `way` px.
    mutating func note(_ target: Double, way: Double) {
        claim = (target, way + FlingLearner.slack)
    }

    /// Compares the prediction with the landing.
    mutating func settle(at landing: Double) {
        guard let (target, scale) = claim else { return }
        if errors.count == Self.kept { errors.removeFirst() }
        errors.append(abs(landing - target) / scale)
        claim = nil
    }

    /// Discards the prediction of a fling that didn't end by itself.
    mutating func drop() {
        claim = nil
    }

    /// Replaces the errors by those that the newly identified scroller would have made; if it
    /// differs from the one before, the prior is reset.
    mutating func rewrite(_ errors: [Double], isOther: Bool) {
        if isOther { prior = Self.knownPrior }
        self.errors = errors.suffix(Self.kept)
    }
}
