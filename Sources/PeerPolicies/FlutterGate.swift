public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P4: Flutter's gate (`ScrollAwareImageProvider`, `ScrollPhysics.recommendDeferredLoading`).
///
/// Rows are built 250 px beyond either edge of the viewport. An image that is built asks at each
/// frame whether it may start: not while the speed of the list is greater than the longer side of
/// the window; if its row is gone meanwhile, it never asks again. What was started is not
/// cancelled.
///
/// The speed in px per second, taken for logical ones, is compared with physical px, which makes
/// the gate open earlier on a dense screen: `pixelRatio` is that of the phone of most recorded
/// traces. While a finger drags, a list's activity has no speed; a wheel jumps, and its one jump in
/// px counts as a speed. Here the longer side is the viewport's height, and the speed is that over
/// two frames.
public struct FlutterGate: LoadingPolicy {
    /// The distance beyond the edges within which rows are built, in px.
    public let cacheExtent: Double
    /// Physical px for each logical one.
    public let pixelRatio: Double

    private var started = Requests()
    private var built = 0..<0
    private var isWheeled = false

    /// The rule on a screen of this density.
    public init(cacheExtent: Double = 250, pixelRatio: Double = 2.625) {
        self.cacheExtent = cacheExtent
        self.pixelRatio = pixelRatio
    }

    /// Returns the rows that were started and aren't there yet; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        switch moment.event {
        case .wheel: isWheeled = true
        case .down, .key: isWheeled = false
        default: break
        }
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        built = viewport.rows(
            from: viewport.offset - cacheExtent, to: viewport.bottom + cacheExtent)
        started.dropSettled(loads)
        if speed(moment.motion) <= viewport.height * pixelRatio {
            for row in built.along(isForward: moment.motion.isMovingDown)
            where loads.progress(ofRow: row) != .settled {
                started.ask(for: row)
            }
        }
        return started.wanted()
    }

    /// Returns the list's speed by its activity.
    private func speed(_ motion: ScrollMotion) -> Double {
        if motion.isTouched { return 0 }
        return abs(isWheeled ? motion.lastStep.distance : motion.frameVelocity)
    }

    /// Whether it waits for the list to slow down.
    public func explanation(ofRow row: Int) -> String? {
        built.contains(row) && !started.contains(row) ? "asks again at the next frame" : nil
    }
}
