internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// The tracker and the rule of one page's list: from its reports to the wanted rows.
///
/// The rule is asked once after all events, as a plan costs a hundred times as much as an event.
struct PageScroll {
    private(set) var tracker: ScrollTracker
    private var rule = ListRule.value

    init(_ list: ListLayout) {
        tracker = ScrollTracker(Viewport(list, height: 0))
    }

    /// The list as the page last showed it.
    var viewport: Viewport { tracker.viewport }
    /// Whether the rule has more to want when half of its last answer is loaded.
    var isPartial: Bool { rule.isPartial }

    /// Returns the rows that are in view now or come into view in some time, as the list moves.
    func rows(seenWithin time: Duration) -> RowSet {
        let way = tracker.moment.motion.velocity * (time / .seconds(1))
        var end = viewport.offset + way
        if let target = tracker.forecast?.target {
            end = way > 0 ? min(end, target) : max(end, target)
        }
        let top = min(viewport.offset, end)
        return viewport.list.visibleRows(
            offset: top, height: viewport.height + max(viewport.offset, end) - top)
    }

    /// Handles events, in order; ``wanted(loads:)`` then returns the wanted rows.
    ///
    /// O(log rows) for each event, and O(rows in view) for a finger's lift.
    mutating func take(_ events: some Sequence<UnseenEvents.Event>, height: Double) {
        tracker.resize(to: height)
        for event in events {
            let input = event.input
            rule.note(tracker.note(input.event, at: event.moment, offset: input.offset))
        }
    }

    /// Returns the wanted rows after all handled events; nil if they are unchanged.
    mutating func wanted(loads: any LoadStatus) -> [Wanted<Int>]? {
        rule.wanted(after: tracker.moment, loads: loads)
    }

    /// Handles the silence of a page that doesn't move or is gone, and returns the wanted rows; nil
    /// if they are unchanged.
    mutating func noteSilence(at now: Instant, loads: any LoadStatus) -> [Wanted<Int>]? {
        rule.wanted(after: tracker.noteSilence(at: now), loads: loads)
    }

    /// Replaces the list, or its lines; the row at the top of the window stays there.
    mutating func replace(_ list: ListLayout, mapping: IndexMapping = .none, at now: Instant) {
        rule.note(tracker.change(at: now) { $0.replace(list, mapping: mapping) })
    }
}
