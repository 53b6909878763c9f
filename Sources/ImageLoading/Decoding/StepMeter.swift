/// Adds up the processor time that the steps of a decoder take.
///
/// To ask the system for it around each step would cost a good part of a short step. It is asked
/// once for some steps, and what has passed within the steps is taken where that is less: the
/// thread may have worked on other things between them, or not at all for a while within them.
/// The sum is never less than what the steps took.
struct StepMeter {
    private static let stepsAtOnce = 16

    private let clock: StepClock
    private var settled = 0
    /// What has passed within the steps since the system was asked.
    private var elapsed = 0
    private var steps = 0
    private var processorStart = 0
    private var stepStart = 0

    init(_ clock: StepClock) { self.clock = clock }

    /// A step begins.
    mutating func begin() {
        if steps == 0 { processorStart = clock.processor() }
        stepStart = clock.elapsed()
    }

    /// The step ends.
    mutating func end() {
        elapsed += max(0, clock.elapsed() - stepStart)
        steps += 1
        if steps == Self.stepsAtOnce { settle() }
    }

    /// The sum of all steps, at most what passed within those since the system was asked.
    var sum: Duration { .nanoseconds(settled + elapsed) }

    /// What all steps have taken, if that is more than `limit`.
    mutating func sum(above limit: Int) -> Int? {
        guard settled + elapsed > limit else { return nil }
        settle()
        return settled > limit ? settled : nil
    }

    private mutating func settle() {
        guard steps > 0 else { return }
        settled += min(elapsed, max(0, clock.processor() - processorStart))
        elapsed = 0
        steps = 0
    }
}
