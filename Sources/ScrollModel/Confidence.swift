/// How sure predictions are: a book of errors for the release, and one for each part of the way.
///
/// With each frame, the landing is known better; so errors of the first frames, of some and of
/// many are kept apart. Those at the release are shares of the way. Later ones are so for a curve
/// that isn't quite right, and some pixels for one that is: they are shares of the fourth root of
/// what is left of the way, which does for both.
struct Confidence: Sendable {
    /// A forecast that will be compared with the landing.
    struct Claim: Sendable {
        let target: Double
        /// The length of which errors are shares, in px.
        let scale: Double
        let interval: ClosedRange<Double>
        /// 0 for the release, else the part of the time.
        let stage: Int
    }

    /// When errors begin to count as those of a later part.
    private static let ends: [Duration] = [
        .milliseconds(60), .milliseconds(150), .milliseconds(400),
    ]
    /// Usual errors in the parts of the way.
    private static let priors = [0.6, 0.3, 0.15, 0.1]

    /// The usual error at the release with the right scroller.
    static let knownPrior = 0.03

    let level: Double
    private var books: [ErrorBook]
    /// For each stage one claim of the fling that lasts, and how many it was chosen from.
    private var claims: [(claim: Claim, count: UInt64)?]
    private var dice: UInt64 = 1

    /// Sureness at a level, with a usual error of predictions at the release as a prior.
    init(level: Double, prior: Double) {
        precondition(level > 0 && level < 1, "a level lies between never and always")
        self.level = level
        books = ([prior] + Self.priors).map { ErrorBook(prior: $0) }
        claims = books.map { _ in nil }
    }

    /// The usual error at the release, as a share of the way.
    var usualError: Double { books[0].usual }

    /// Claims that a list will rest at `target`, having `left` px to go, when it was seen for a
    /// time; for none at the release.
    mutating func claim(
        _ target: Double, left: Double, seenFor time: Duration?, within bounds: ClosedRange<Double>
    ) -> Claim {
        let stage = time.map { time in 1 + Self.ends.count { time >= $0 } } ?? 0
        let scale = stage == 0 ? left + FlingLearner.slack : left.squareRoot().squareRoot() + 2
        let half = books[stage].width(level: level) * scale
        func limited(_ place: Double) -> Double {
            min(max(place, bounds.lowerBound), bounds.upperBound)
        }
        let claim = Claim(
            target: target, scale: scale,
            interval: limited(target - half)...limited(target + half), stage: stage)
        note(claim)
        return claim
    }

    /// Compares the claims of the fling with where it came to rest.
    mutating func settle(at landing: Double) {
        for case let (claim, _)? in claims {
            books[claim.stage].add(
                abs(landing - claim.target) / claim.scale,
                held: claim.interval.contains(landing), level: level)
        }
        drop()
    }

    /// Forgets the claims of a fling that didn't end by itself.
    mutating func drop() {
        for stage in claims.indices { claims[stage] = nil }
    }

    /// What the errors at the release would have been with what is known now.
    ///
    /// If the list turned out to move in another way than was believed, errors on the way, which
    /// can't be made again, are forgotten.
    mutating func rewrite(_ errors: [Double], isOther: Bool) {
        if isOther { books = ([Self.knownPrior] + Self.priors).map { ErrorBook(prior: $0) } }
        books[0].rewrite(errors)
    }

    /// Keeps one claim a stage, each with the same chance.
    private mutating func note(_ claim: Claim) {
        let count = (claims[claim.stage]?.count ?? 0) + 1
        dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        if count == 1 || (dice >> 33) % count == 0 {
            claims[claim.stage] = (claim, count)
        } else {
            claims[claim.stage]?.count = count
        }
    }
}
