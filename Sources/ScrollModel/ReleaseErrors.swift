/// The errors of the landings that were foreseen at the release, as shares of the way.
///
/// The usual error says how far a release velocity may be off, and so how much the frames that
/// follow may put right.
struct ReleaseErrors: Sendable {
    private static let kept = 16

    /// The usual error with the right scroller.
    static let knownPrior = 0.03
    /// The usual error before anything was learned.
    static let unknownPrior = 0.5

    private var prior: Double
    private var errors: [Double] = []
    private var claim: (target: Double, scale: Double)?

    /// No errors yet, and one of this size to begin with.
    init(prior: Double) {
        self.prior = prior
    }

    /// The size of a usual error.
    var usual: Double { (errors.reduce(0, +) + prior) / (Double(errors.count) + 1) }

    /// Notes that a list is said to rest at `target`, after a way of so many px.
    mutating func note(_ target: Double, way: Double) {
        claim = (target, way + FlingLearner.slack)
    }

    /// Compares what was said with where the list came to rest.
    mutating func settle(at landing: Double) {
        guard let (target, scale) = claim else { return }
        if errors.count == Self.kept { errors.removeFirst() }
        errors.append(abs(landing - target) / scale)
        claim = nil
    }

    /// Forgets what was said of a fling that didn't end by itself.
    mutating func drop() {
        claim = nil
    }

    /// Replaces the errors by those that the scroller known now would have made; another one than
    /// was believed begins anew.
    mutating func rewrite(_ errors: [Double], isOther: Bool) {
        if isOther { prior = Self.knownPrior }
        self.errors = errors.suffix(Self.kept)
    }
}
