internal import LullLibC

/// A predictor of a fling's landing position from touch samples.
///
/// It processes each touch event, and predicts at the lift, before the list has moved by itself.
///
/// ```swift
/// var predictor = FlingPredictor(model: ChromiumPhysicsFling())
/// predictor.fingerDown(760, at: time, offset: viewport.offset)
/// predictor.fingerMoved(700, at: time.advanced(by: .milliseconds(8)))
/// …
/// if let fling = predictor.fingerUp(320, at: time.advanced(by: .milliseconds(110)), in: viewport) {
///     viewport.visibleRows(at: fling.target)
/// }
/// ```
///
/// Finger positions count downwards and offsets upwards: an upward stroke increases the offset. The
/// offset is read at the touch only, since later offsets lag behind the finger by a frame; the
/// offset at the lift is that one and the drag, less the slop, plus a short lead.
///
/// A new stroke that catches a running fling may add to it; see
/// ``FlingModel/flywheelVelocity(_:by:)``. Its maximum distance may be multiplied, too: in the
/// recorded series of four flings, the last went four times three viewports.
///
/// ## Correction at each frame
///
/// Given the list's offset at each frame, by ``observe(_:at:in:)``, it updates its ``forecast``:
/// the landing position, the time, and the path. Without a given model it identifies the model:
///
/// ```swift
/// var predictor = FlingPredictor(learning: FlingLearner())
/// …
/// if let forecast = predictor.observe(offset, at: time, in: viewport) {
///     viewport.visibleRows(at: forecast.target)
/// }
/// ```
///
/// ## Accuracy
///
/// In synthetic sessions of nine platforms, with touch samples as panels report them, 99.9 % of
/// flings rest within three rows of the prediction with the right curve and estimator, and as many
/// with those learned from three flings; 92 % with the right curve and always a parabola. The worst
/// platform is GTK, with 97 and 67 %. `PredictionTests` write the figures of each.
package struct FlingPredictor: Sendable {
    /// The minimum velocity of a fling, in px per second.
    private static let minimumVelocity = 50.0

    private let slop: Double
    private let lead: Double

    private var scroller: (model: any FlingModel, tracking: VelocityTracker.Configuration)
    private var finger: VelocityTracker
    private var drag: Drag?
    /// The running fling, which a stroke may catch, and the strokes that made it.
    private var running: (fling: Fling, start: Instant, strokes: Int)?

    /// The learner of the list's scroller; nil if the model was given.
    package private(set) var learner: FlingLearner?
    private var errors: ReleaseErrorEstimator
    private var tracker: FlingTracker?

    /// The forecast of the fling that moves the list; nil if there is none.
    package private(set) var forecast: FlingForecast?

    /// A predictor for lists that move by a given model.
    ///
    /// - Parameters:
    ///   - model: the model of the scroller that moves the list.
    ///   - tracking: the scroller's estimator of the finger's velocity.
    ///   - slop: the distance, in px, that a finger moves before the list follows; the list doesn't
    ///     make up for it.
    ///   - lead: the share of the finger's newest move by which the list is ahead. Scrollers that
    ///     resample touches for their frames extrapolate beyond the newest sample, Chromium by half
    ///     the time between two: up to 40 px. Zero for a list that follows the finger itself.
    /// - Precondition: none is negative, all are finite.
    package init(
        model: any FlingModel, tracking: VelocityTracker.Configuration = .init(),
        slop: Double = 15, lead: Double = 0.5
    ) {
        precondition(slop >= 0 && slop.isFinite, "a slop is finite, zero or more")
        precondition(lead >= 0 && lead.isFinite, "a lead is finite, zero or more")
        self.slop = slop
        self.lead = lead
        scroller = (model, tracking)
        finger = VelocityTracker(configuration: tracking)
        errors = ReleaseErrorEstimator(prior: ReleaseErrorEstimator.knownPrior)
    }

    /// A predictor that identifies the scroller of the list.
    ///
    /// It must be given the list's offsets, by ``observe(_:at:in:)``. Until three flings have come
    /// to rest, it predicts by the learner's guess. To keep what was learned, pass ``learner`` from
    /// one session to the next.
    ///
    /// - Precondition: as for the initializer with a model.
    package init(
        learning learner: FlingLearner, slop: Double = 15, lead: Double = 0.5
    ) {
        self.init(
            model: learner.scroller.model, tracking: learner.scroller.tracking, slop: slop,
            lead: lead)
        // Enough samples that every scroller's estimator finds all that it uses.
        finger = VelocityTracker(configuration: .init(capacity: 40))
        self.learner = learner
        if !learner.hasChosen {
            errors = ReleaseErrorEstimator(prior: ReleaseErrorEstimator.unknownPrior)
        }
    }

    /// Processes a finger that touches the list at `y` px, while the list is at `offset` px.
    package mutating func fingerDown(_ y: Double, at time: Instant, offset: Double) {
        if tracker?.isResting(at: offset, time) == true { land() }
        endObservation()
        finger.reset()
        finger.add(y, at: time)
        if let last = running, time - last.start >= last.fling.duration { running = nil }
        drag = Drag(y: y, time: time, offset: offset)
    }

    /// Processes a finger that moves to `y` px; ignored if none is down.
    package mutating func fingerMoved(_ y: Double, at time: Instant) {
        guard var drag else { return }
        let isHeld = drag.moved(
            to: y, at: time, slop: slop, longestPause: scroller.model.longestPause)
        if isHeld { running = nil }
        self.drag = drag
        finger.add(y, at: time)
    }

    /// Processes a finger that leaves the list at `y` px, and returns the forecast.
    ///
    /// Nil if the finger moved less than the slop, was too slow for a fling, or was never down.
    @discardableResult
    package mutating func fingerUp(
        _ y: Double, at time: Instant, in viewport: Viewport
    ) -> FlingForecast? {
        fingerMoved(y, at: time)
        defer { drag = nil }
        let velocity = drag == nil ? 0 : -finger.velocity(at: time, by: scroller.tracking)
        let caught = running
        running = nil
        // Comparisons with NaN are false.
        let isFast =
            abs(velocity) >= Self.minimumVelocity && abs(velocity) <= Fling.mostVelocity
        guard let drag, drag.direction != 0, isFast else { return nil }

        var combined = velocity
        if let (last, start, strokes) = caught {
            combined = scroller.model.flywheelVelocity(
                velocity,
                by: Flywheel(
                    fling: last, elapsed: drag.start - start, strokes: strokes,
                    pages: 1 + viewport.maximumOffset / max(viewport.height, .ulpOfOne)))
        }
        let bounds = 0...viewport.maximumOffset
        // Limits grow with the velocity, as if that many strokes were made one after the other.
        let limitHeight = viewport.height * max(1, combined / velocity)
        let fling = scroller.model.fling(
            from: drag.offset(slop: slop, lead: lead), velocity: combined, bounds: bounds,
            viewportHeight: limitHeight)
        let tracker = FlingTracker(
            fling, by: scroller.model, in: bounds, limitHeight: limitHeight, liftedAt: time,
            relativeDeviation: min(max(errors.usual, 0.01), 0.3),
            velocities: combined == velocity ? velocities(at: time) : [])
        self.tracker = tracker
        running = (fling, time, combined == velocity ? 1 : (caught?.strokes ?? 0) + 1)
        errors.predict(fling.unclampedTarget, way: abs(fling.unclampedTarget - fling.start))
        forecast = tracker.forecast
        return forecast
    }

    /// Processes the list's offset, in px, at a frame; returns the forecast.
    ///
    /// Nil as soon as a frame shows that the fling is over: it was caught, reversed, or has come to
    /// rest. If the list moves much faster than before, a new path is predicted; if it deviates a
    /// little from its path, the path is corrected. While a finger is down there is no forecast.
    ///
    /// Times that don't increase are ignored.
    ///
    /// - Complexity: two flings and about twenty evaluations of one.
    @discardableResult
    package mutating func observe(
        _ offset: Double, at time: Instant, in viewport: Viewport
    ) -> FlingForecast? {
        let bounds = 0...viewport.maximumOffset
        switch drag == nil ? tracker?.observe(offset, within: bounds, at: time) : nil {
        case .following, .accelerated: forecast = tracker?.forecast
        case .landed: land()
        case .lost, nil: forecast = nil
        }
        return forecast
    }

    /// Moves a touch or a fling along with a list whose offset has moved by `shift` px, to keep the
    /// rows in view in their places.
    package mutating func shift(by shift: Double, in viewport: Viewport) {
        drag?.shift(by: shift)
        errors.shift(by: shift)
        tracker?.shift(by: shift, within: 0...viewport.maximumOffset)
        if forecast != nil { forecast = tracker?.forecast }
    }

    /// Ends a touch without a fling, or a fling because something else has moved the list.
    package mutating func fingerCancelled() {
        drag = nil
        running = nil
        endObservation()
    }

    /// Learns from a fling that has come to rest by itself.
    private mutating func land() {
        defer { endObservation() }
        guard let tracker else { return }
        running = nil
        if let landing = tracker.landing { errors.record(landing: landing) }
        guard var learner, let fling = tracker.observed() else { return }
        self.learner = nil
        let before = learner.scroller
        learner.learn(fling)
        if learner.hasChosen {
            let isOther =
                learner.scroller.name != before.name || learner.count == FlingLearner.fewest
            scroller = (learner.scroller.model, learner.scroller.tracking)
            errors.replace(by: learner.errors, isOther: isOther)
        }
        self.learner = learner
    }

    /// Discards a fling that is over, and its forecast.
    private mutating func endObservation() {
        tracker = nil
        forecast = nil
        errors.discardPrediction()
    }

    /// Returns the release velocity by each estimator.
    private func velocities(at time: Instant) -> [Double] {
        learner == nil
            ? [] : FlingLearner.estimators.map { -finger.velocity(at: time, by: $0) }
    }
}
