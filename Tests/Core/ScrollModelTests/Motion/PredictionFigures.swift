import ScrollModel

/// How good predictions are, on synthetic sessions of every platform.
///
/// Each figure is a share. Ten sessions of 23 flings are made for each platform; the first three
/// of each, in which the learner learns, count for nothing.
struct PredictionFigures: CustomStringConvertible {
    struct Row {
        var engine: Scheduling
        /// Flings that count.
        var flings = 0
        /// That rested within three rows of the landing predicted at the release: with the right
        /// curve and estimator; with the right curve and the default estimator; learned.
        var right = 0
        var rightCurve = 0
        var learned = 0
    }

    static let sessions = 10
    static let flings = 23

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
            let learned = FlingPredictor(learning: FlingLearner())
            // The same hand and list for each.
            for (kind, predictor) in [right, curve, learned].enumerated() {
                var synthetic = try SyntheticSession(engine, seed: seed)
                var predictor = predictor
                for number in 0..<flings {
                    let outcome = synthetic.fling(&predictor)
                    guard number >= 3, let outcome else { continue }
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
            let shares = [row.right, row.rightCurve, row.learned]
                .map { percent(Self.share($0, of: row.flings)) }
            return ([row.engine.rawValue, "\(row.flings)"] + shares).joined(separator: " | ")
        }
        let totals = [total(\.right), total(\.rightCurve), total(\.learned)].map(percent)
        return (lines + [(["all", ""] + totals).joined(separator: " | ")])
            .joined(separator: "\n")
    }
}

extension PredictionFigures.Row {
    /// Counts an outcome of the right predictor, of the right curve's, or of the learned one.
    mutating func note(_ outcome: SyntheticSession.Outcome, kind: Int, in viewport: Viewport) {
        let near = Self.rowsOff(outcome, in: viewport) <= 3 ? 1 : 0
        switch kind {
        case 0:
            flings += 1
            right += near
        case 1: rightCurve += near
        default: learned += near
        }
    }

    /// How many rows lie between the predicted and the true row in the middle of the window.
    static func rowsOff(_ outcome: SyntheticSession.Outcome, in viewport: Viewport) -> Int {
        func middle(_ offset: Double) -> Int {
            viewport.list.position(at: viewport.clamped(offset) + viewport.height / 2) ?? -1
        }
        return abs(middle(outcome.prediction.target) - middle(outcome.landing))
    }
}
