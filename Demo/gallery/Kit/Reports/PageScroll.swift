internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// The tracker and the rule of one page's list: from its reports to the rows that are wanted.
///
/// The rule is asked once for all that was taken in, as a plan costs a hundred times what an event
/// does.
struct PageScroll {
    private(set) var tracker: ScrollTracker
    private var rule = GatedValue()

    init(_ list: ListLayout) {
        tracker = ScrollTracker(Viewport(list, height: 0))
    }

    /// The list as the page showed it last.
    var viewport: Viewport { tracker.viewport }
    /// The rows around which a fling will rest, while one is under way that was foreseen.
    var landing: Range<Int>? { rule.gate }

    /// Takes in events, in order; what is wanted then is asked with ``wanted(loads:)``.
    ///
    /// O(log rows) for each event, and O(rows in view) for a finger's lift.
    mutating func take(_ events: some Sequence<UnseenEvents.Event>, height: Double) {
        tracker.resize(to: height)
        for event in events {
            let input = event.input
            rule.note(tracker.note(input.event, at: event.moment, offset: input.offset))
        }
    }

    /// Returns which rows are wanted after all that was taken in; nil if that is as it was.
    mutating func wanted(loads: any LoadFacts) -> [Wanted<Int>]? {
        rule.wanted(after: tracker.moment, loads: loads)
    }

    /// Takes in that the page is silent, as nothing moves there or it's gone, and returns which rows
    /// are wanted; nil if that is as it was.
    mutating func look(at now: Instant, loads: any LoadFacts) -> [Wanted<Int>]? {
        rule.wanted(after: tracker.noteSilence(at: now), loads: loads)
    }

    /// Replaces the list; what was at the window's top stays there.
    mutating func replace(_ list: ListLayout, mapping: IndexMapping, at now: Instant) {
        rule.note(tracker.change(at: now) { $0.replace(list, mapping: mapping) })
    }
}
