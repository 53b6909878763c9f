import ScrollModel

/// How good predictions are, on synthetic sessions of every platform.
///
/// Each figure is a share. Ten sessions of 20 flings are made for each platform.
struct PredictionFigures: CustomStringConvertible {
    struct Row {
        var engine: Scheduling
        /// Flings that count.
        var flings = 0
        /// That rested within three rows of the landing predicted at the release: with the right
        /// curve and estimator; with the right curve and the default estimator.
        var right = 0
        var rightCurve = 0
        /// That rested within three rows of the landing predicted at half time without the platform's
        /// name.
        var corrected = 0
    }

    static let sessions = 10
    static let flings = 20

    var rows: [Row]

    init(_ engines: [Scheduling] = Scheduling.allCases, seed: UInt64 = 1) throws {
        rows = try engines.map { try Self.measure($0, seed: seed) }
    }

    static func share(_ part: Int, of all: Int) -> Double { Double(part) / Double(max(1, all)) }

    func total(_ part: KeyPath<Row, Int>) -> Double {
        Self.share(
            rows.reduce(0) { $0 + $1[keyPath: part] }, of: rows.reduce(0) { $0 + $1.flings })
    }

    private static func measure(_ engine: Scheduling, seed: UInt64) throws -> Row {
        var row = Row(engine: engine)
        for session in 0..<sessions {
            let seed = seed &* 1_000_003 &+ UInt64(session)
            let scroller = engine.scroller
            let right = FlingPredictor(
                model: scroller.model, tracking: scroller.tracking, slop: engine.slop,
                lead: engine.lead)
            let curve = FlingPredictor(model: scroller.model)
            let guess = FlingPredictor(model: Scroller(.chromium).model, isGuess: true)
            // The same hand and list for each.
            for (kind, predictor) in [right, curve, guess].enumerated() {
                var synthetic = try SyntheticSession(engine, seed: seed)
                var predictor = predictor
                for _ in 0..<flings {
                    guard let outcome = synthetic.fling(&predictor) else { continue }
                    row.note(outcome, kind: kind, in: synthetic.viewport)
                }
            }
        }
        return row
    }

    var description: String {
        func percent(_ share: Double) -> String {
            let tenths = Int((share * 1_000).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        let lines = rows.map { row in
            let shares = [row.right, row.rightCurve, row.corrected]
                .map { percent(Self.share($0, of: row.flings)) }
            return ([row.engine.rawValue, "\(row.flings)"] + shares).joined(separator: " | ")
        }
        let totals = [total(\.right), total(\.rightCurve), total(\.corrected)].map(percent)
        return (lines + [(["all", ""] + totals).joined(separator: " | ")])
            .joined(separator: "\n")
    }
}

extension PredictionFigures.Row {
    /// Counts an outcome of the right predictor, of the right curve's, or of a guess.
    mutating func note(_ outcome: SyntheticSession.Outcome, kind: Int, in viewport: Viewport) {
        let prediction = kind < 2 ? outcome.prediction : outcome.correction
        let near = Self.rows(from: prediction, to: outcome.landing, in: viewport) <= 3 ? 1 : 0
        switch kind {
        case 0:
            flings += 1
            right += near
        case 1: rightCurve += near
        default: corrected += near
        }
    }

    /// How many rows lie between the predicted and the true row in the middle of the window.
    private static func rows(
        from prediction: FlingForecast?, to landing: Double, in viewport: Viewport
    ) -> Int {
        func middle(_ offset: Double) -> Int {
            viewport.list.position(at: viewport.clamped(offset) + viewport.height / 2) ?? -1
        }
        return prediction.map { abs(middle($0.target) - middle(landing)) } ?? .max
    }
}
