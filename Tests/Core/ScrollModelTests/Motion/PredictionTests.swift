import ScrollModel
import TestSupport
import Testing

/// How good predictions are, with thresholds; the figures themselves are ``PredictionFigures``.
struct PredictionTests {
    /// The predictor's constants were chosen with the seeds 1 to 3, so that those prove nothing.
    @Test(arguments: seeds(101...103))
    func `predictions are as good as they are said to be`(seed: UInt64) throws {
        let figures = try PredictionFigures(seed: seed)
        Attachment.record(figures.description, named: "predictions-\(seed).txt")
        for row in figures.rows {
            #expect(row.flings == 200)
            let right = PredictionFigures.share(row.right, of: row.flings)
            let learned = PredictionFigures.share(row.learned, of: row.flings)
            #expect(right >= 0.95, "\(row.engine)")
            #expect(learned >= right - 0.05, "\(row.engine)")
        }
    }

    @Test(arguments: Scheduling.allCases, seeds(77...79))
    func `no forecast outlives the frame after a catch or a reversal`(
        engine: Scheduling, seed: UInt64
    ) throws {
        var session = try SyntheticSession(engine, seed: seed)
        var predictor = FlingPredictor(
            model: engine.scroller.model, tracking: engine.scroller.tracking, slop: engine.slop,
            lead: engine.lead)
        var learned = FlingPredictor(learning: FlingLearner())
        for _ in 0..<4 { _ = session.fling(&learned) }
        var seen = 0
        for number in 0..<60 {
            let disturbance = SyntheticSession.Disturbance.allCases[number % 2]
            for survivors in [
                session.disturbedFling(&predictor, by: disturbance),
                session.disturbedFling(&learned, by: disturbance),
            ] {
                guard let survivors else { continue }
                seen += 1
                #expect(survivors == 0)
            }
        }
        #expect(seen >= 25)
    }

    @Test func `what was learned is kept for the next session`() throws {
        var first = try SyntheticSession(.qt, seed: 3)
        var predictor = FlingPredictor(learning: FlingLearner())
        for _ in 0..<5 { _ = first.fling(&predictor) }
        let learner = try #require(predictor.learner)
        #expect(learner.scroller.name == .qt)
        var second = try SyntheticSession(.qt, seed: 4)
        var next = FlingPredictor(learning: learner)
        let fling = second.fling(&next)
        let outcome = try #require(fling)
        #expect(PredictionFigures.Row.rowsOff(outcome, in: second.viewport) <= 3)
    }
}
