/// From a finger's samples to the place where the list will rest.
///
/// It is told of each touch, and answers at the lift: before the list has moved a pixel by itself.
///
///     var predictor = FlingPredictor(model: ChromiumPhysicsFling())
///     predictor.fingerDown(760, at: .zero, offset: viewport.offset)
///     predictor.fingerMoved(700, at: .milliseconds(8))
///     …
///     if let fling = predictor.fingerUp(320, at: .milliseconds(110), in: viewport) {
///         viewport.visibleRows(at: fling.target)
///     }
///
/// Fingers count downwards and offsets grow upwards: an upward stroke raises the offset. Offsets
/// are read at the touch only, since later ones lag behind the finger by a frame; the offset at
/// the lift is that one and the drag, less the slop, plus a short lead.
///
/// A new stroke that catches a running fling may add to it, see
/// ``FlingModel/boosted(_:by:after:)``. Its way may then be as many times longer, too: in the
/// recorded train of four flings, the last went four times three viewports.
public struct FlingPredictor: Sendable {
    private let model: any FlingModel
    private let slop: Double
    private let minimumVelocity: Double
    private let lead: Double

    private var tracker = VelocityTracker()
    private var drag: Drag?
    private var running: (fling: Fling, start: Duration)?

    /// A predictor for lists that move by the given model.
    ///
    /// - Parameters:
    ///   - model: the rule of the scroller that moves the list.
    ///   - slop: the way, in px, that a finger moves before the list follows; lost for the list.
    ///   - minimumVelocity: the slowest fling, in px per second.
    ///   - lead: the share of the finger's newest move that the list makes once more. Scrollers
    ///     that resample touches for their frames run ahead of the newest one, Chromium by half
    ///     the time between two: up to 40 px. Zero for a list that follows the finger itself.
    /// - Precondition: none is negative, all are finite.
    public init(
        model: any FlingModel, slop: Double = 15, minimumVelocity: Double = 50,
        lead: Double = 0.5
    ) {
        precondition(slop >= 0 && slop.isFinite, "a slop is finite, zero or more")
        precondition(
            minimumVelocity >= 0 && minimumVelocity.isFinite,
            "a minimum velocity is finite, zero or more")
        precondition(lead >= 0 && lead.isFinite, "a lead is finite, zero or more")
        self.model = model
        self.slop = slop
        self.minimumVelocity = minimumVelocity
        self.lead = lead
    }

    /// A finger touches the list at `y` px, while the list is at `offset` px.
    ///
    /// - Precondition: both are finite.
    public mutating func fingerDown(_ y: Double, at time: Duration, offset: Double) {
        precondition(offset.isFinite, "an offset is finite")
        tracker.reset()
        tracker.add(y, at: time)
        if let last = running, time - last.start >= last.fling.duration { running = nil }
        drag = Drag(y: y, time: time, offset: offset)
    }

    /// The finger moves to `y` px; ignored if none is down.
    ///
    /// - Precondition: `y` is finite.
    public mutating func fingerMoved(_ y: Double, at time: Duration) {
        guard var drag else { return }
        if drag.moved(to: y, at: time, slop: slop) { running = nil }
        self.drag = drag
        tracker.add(y, at: time)
    }

    /// The finger leaves the list at `y` px, and the list goes on to the place that is returned.
    ///
    /// If the scroller tells its own target, as UIKit's `scrollViewWillEndDragging` does, that
    /// wins. Otherwise nil if the finger moved less than the slop, or was too slow for a fling,
    /// or was never down.
    ///
    /// - Precondition: `y` is finite; `hostTarget` is a number.
    public mutating func fingerUp(
        _ y: Double, at time: Duration, in viewport: Viewport, hostTarget: Double? = nil
    ) -> FlingPrediction? {
        fingerMoved(y, at: time)
        defer { drag = nil }
        let velocity = drag == nil ? 0 : -tracker.velocity(at: time)
        let caught = running
        running = nil
        if let hostTarget {
            return FlingPrediction(
                target: viewport.clamped(hostTarget), source: .host, velocity: velocity)
        }
        guard let drag, drag.direction != 0, abs(velocity) >= max(minimumVelocity, .ulpOfOne)
        else { return nil }

        var boosted = velocity
        if let (last, start) = caught {
            boosted = model.boosted(velocity, by: last, after: drag.start - start)
        }
        let fling = model.fling(
            from: drag.offset(slop: slop, lead: lead),
            velocity: boosted,
            bounds: 0...viewport.maximumOffset,
            // Limits grow with the boost, as if so many strokes were made one after the other.
            viewportHeight: viewport.height * max(1, boosted / velocity))
        running = (fling, time)
        return FlingPrediction(
            target: fling.target, source: .model, velocity: boosted, path: fling)
    }

    /// The touch ends without a fling; or the list was moved by something else, so that no fling
    /// is running any longer.
    public mutating func fingerCancelled() {
        drag = nil
        running = nil
    }
}
