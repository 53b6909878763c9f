public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P3: Texture's ranges (AsyncDisplayKit, `ASRangeController`).
///
/// Around the viewport are two ranges, longer on the side that the list moves towards, in which
/// nodes are displayed and preloaded. Before the first scroll they are small. At each change of the
/// offset they are computed anew: visible nodes are visited first, then those to be displayed, then
/// those to be preloaded, and nodes that have left are cancelled. A load's priority follows its
/// range, in place.
///
/// Here displaying and preloading are the same load, and ranges are in screens. The last direction
/// is kept at rest. Within a range, first come first served.
public struct TextureRanges: LoadingPolicy {
    /// The reach of a range, in screens.
    public struct Reach: Sendable {
        /// The reach on the side that the list moves towards.
        public var ahead: Double
        /// The reach on the other side.
        public var behind: Double

        /// Creates a reach ahead and behind.
        public init(ahead: Double, behind: Double) {
            self.ahead = ahead
            self.behind = behind
        }
    }

    /// The reach of displaying, before the first scroll and after.
    public let display: (minimum: Reach, full: Reach)
    /// The reach of preloading, before the first scroll and after.
    public let preload: (minimum: Reach, full: Reach)

    private var requests = Requests()
    private var isFirst = true

    /// Creates the rule with its ranges, which default to Texture's own.
    public init(
        display: (minimum: Reach, full: Reach) = (
            Reach(ahead: 0.25, behind: 0.25), Reach(ahead: 1, behind: 0.5)
        ),
        preload: (minimum: Reach, full: Reach) = (
            Reach(ahead: 0.5, behind: 0.25), Reach(ahead: 2.5, behind: 1.5)
        )
    ) {
        self.display = display
        self.preload = preload
    }

    /// Returns the rows in the ranges; answers at frames, when the offset has changed.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame, isFirst || moment.motion.lastStep.distance != 0 else {
            return nil
        }
        isFirst = false
        let viewport = moment.viewport
        let hasScrolled = moment.motion.lastMoved != nil
        func rows(_ reach: (minimum: Reach, full: Reach)) -> Range<Int> {
            let reach = hasScrolled ? reach.full : reach.minimum
            return viewport.rows(
                ahead: reach.ahead * viewport.height, behind: reach.behind * viewport.height,
                isForward: moment.motion.isMovingDown)
        }
        let visible = viewport.visibleRows.bounds
        let displayed = rows(display)
        let preloaded = rows(preload)
        requests.drop { !preloaded.contains($0) && !displayed.contains($0) }
        requests.ask(for: visible)
        requests.ask(for: displayed)
        requests.ask(for: preloaded)
        return requests.wanted { row in
            visible.contains(row) ? .visible : displayed.contains(row) ? .approach : .near
        }
    }
}
