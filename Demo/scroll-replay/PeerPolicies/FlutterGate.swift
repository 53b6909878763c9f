public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P4: Flutter's gate (`ScrollAwareImageProvider`, `ScrollPhysics.recommendDeferredLoading`).
///
/// Rows are built 250 px beyond either edge of the viewport. At each frame, a built image checks
/// whether it may start: not while the speed of the list is greater than the longer side of the
/// window. If its row has been removed meanwhile, it never checks again. Loads that have started
/// are not cancelled.
///
/// The speed in logical px per second is compared with physical px, which opens the gate earlier on
/// a dense screen: `pixelRatio` is that of the phone of most recorded traces. While a finger drags,
/// a list's activity has no speed; a wheel jumps, and its jump in px counts as a speed. Here the
/// longer side is the viewport's height, and the speed is that over two frames.
public struct FlutterGate: LoadingPolicy {
    /// The distance beyond the edges within which rows are built, in px.
    public let cacheExtent: Double
    /// The number of physical px in a logical one.
    public let pixelRatio: Double

    private var started = Requests()
    private var built = 0..<0
    private var isWheeled = false

    /// Creates the rule for a screen of this density.
    public init(cacheExtent: Double = 250, pixelRatio: Double = 2.625) {
        self.cacheExtent = cacheExtent
        self.pixelRatio = pixelRatio
    }

    /// Returns the rows whose loads have started and aren't finished; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
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

    /// Returns the speed of the list's activity.
    private func speed(_ motion: ScrollMotion) -> Double {
        if motion.isTouched { return 0 }
        return abs(isWheeled ? motion.lastStep.distance : motion.frameVelocity)
    }

    /// Returns the reason why the row waits for the list to slow down; nil if it does not.
    public func explanation(ofRow row: Int) -> String? {
        built.contains(row) && !started.contains(row) ? "asks again at the next frame" : nil
    }
}
