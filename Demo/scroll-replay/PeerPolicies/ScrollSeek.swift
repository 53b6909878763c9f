public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P10: placeholders in a fast scroll (react-virtuoso, `scrollSeekConfiguration`).
///
/// When the list moves by more than `enter` px from one scroll event to the next, all rows are
/// shown as placeholders, until it moves by less than `exit`. Otherwise, rows on screen are loaded
/// as they appear and cancelled as they leave; all of them are dropped when seeking begins.
///
/// In virtuoso the application sets both thresholds; these are usual ones. A frame is an event.
public struct ScrollSeek: LoadingPolicy {
    /// The px per event above which placeholders are shown.
    public let enter: Double
    /// The px per event below which they no longer are.
    public let exit: Double
    /// Whether placeholders are shown.
    public private(set) var isSeeking = false

    private var order = EntryOrder()

    /// Creates the rule with its thresholds in px per event.
    public init(enter: Double = 200, exit: Double = 30) {
        self.enter = enter
        self.exit = exit
    }

    /// Returns the rows on screen, or none; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let speed = abs(moment.motion.lastStep.distance)
        isSeeking = isSeeking ? !(speed < exit) : speed > enter
        if isSeeking { order.removeAll() } else { order.update(in: moment) }
        return order.wanted
    }

    /// Returns a text while rows are placeholders because the list is fast; otherwise nil.
    public func explanation(ofRow row: Int) -> String? {
        isSeeking ? "a placeholder while the list is sought through" : nil
    }
}
