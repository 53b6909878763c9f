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
            let (kind, offset) = event.kind.event
            rule.note(tracker.note(kind, at: event.moment, offset: offset))
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

extension ScrollReport.Kind {
    /// The event as a list is told of it, and the list's offset then, if that is known.
    fileprivate var event: (ScrollEvent, offset: Double?) {
        switch self {
        case .frame(let offset): (.frame, offset)
        case .down(let y, let offset): (.down(y: y), offset)
        case .moved(let y): (.moved(y: y), nil)
        case .up(let y): (.up(y: y), nil)
        case .cancelled: (.cancelled, nil)
        case .wheel: (.wheel, nil)
        case .key: (.key, nil)
        case .jumpBegan: (.jumpBegan(target: 0), nil)
        case .jumpEnded: (.jumpEnded, nil)
        }
    }
}
