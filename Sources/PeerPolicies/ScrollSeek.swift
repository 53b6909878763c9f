public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P10: placeholders in a fast scroll (react-virtuoso, `scrollSeekConfiguration`).
///
/// When the list moves by more than `enter` px from one scroll event to the next, all rows are
/// shown as placeholders, until it moves by less than `exit`. What is on screen otherwise is loaded
/// as it appears and cancelled as it goes, and all of it is gone as seeking begins.
///
/// Both thresholds are the application's in virtuoso; these are usual ones. A frame is an event.
public struct ScrollSeek: LoadingPolicy {
    /// From how many px an event on placeholders are shown.
    public let enter: Double
    /// Below how many px an event they no longer are.
    public let exit: Double
    /// Whether placeholders are shown.
    public private(set) var isSeeking = false

    private var numbers = EntryNumbers()

    /// The rule with its thresholds in px an event.
    public init(enter: Double = 200, exit: Double = 30) {
        self.enter = enter
        self.exit = exit
    }

    /// Returns the rows on screen, or none; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let speed = abs(moment.motion.lastStep.distance)
        isSeeking = isSeeking ? !(speed < exit) : speed > enter
        if isSeeking { numbers.forgetAll() } else { numbers.update(in: moment) }
        return numbers.wanted
    }

    /// Whether it's a placeholder because the list is fast.
    public func explanation(ofRow row: Int) -> String? {
        isSeeking ? "a placeholder while the list is sought through" : nil
    }
}
