internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// Follows one page's list: from what it reports to the rows that are wanted for it.
///
/// The rule is asked once for all that was taken in, as a plan costs a hundred times what an event
/// does.
struct PageScroll {
    private(set) var tracker: ScrollTracker
    private var rule = GatedValue()
    private var latest: ScrollMoment?

    init(_ list: ListLayout) {
        tracker = ScrollTracker(Viewport(list, height: 0))
    }

    /// The list as the page showed it last.
    var viewport: Viewport { tracker.viewport }
    /// When something last happened that the page told of.
    var lastEvent: Instant { tracker.lastEvent ?? .zero }
    /// The same, or when the list last moved.
    var lastNews: Instant { max(lastEvent, tracker.motion.lastMoved ?? .zero) }
    /// Where a fling will rest, while one is under way that was foreseen.
    var landing: Range<Int>? { rule.gate }

    /// Whether the list may still be moving, for all that is known.
    func isMoving(at now: Instant) -> Bool {
        landing != nil || !tracker.motion.hasRested(for: .milliseconds(150), at: now)
    }

    /// Takes in what happened, in order; what is wanted then is asked with ``wanted(loads:)``.
    ///
    /// O(log rows) for each event, and O(rows in view) for a finger's lift.
    mutating func take(_ events: some Sequence<UnseenEvents.Event>, height: Double) {
        tracker.resize(to: height)
        for event in events {
            let (kind, offset) = event.kind.event
            note(tracker.note(kind, at: event.moment, offset: offset))
        }
    }

    /// Says which rows are wanted after all that was taken in; nil if that is as it was.
    mutating func wanted(loads: any LoadFacts) -> [Wanted<Int>]? {
        guard var moment = latest else { return nil }
        // A move without a finger: all has been told, and it's only to be asked.
        moment.event = .moved(y: 0)
        return rule.wanted(after: moment, loads: loads)
    }

    /// A frame that nobody told of: the page is silent, as nothing moves there, or as it's gone.
    mutating func look(at now: Instant, loads: any LoadFacts) -> [Wanted<Int>]? {
        rule.wanted(after: tracker.noteSilence(at: now), loads: loads)
    }

    /// The list has changed; what was at the window's top stays there.
    mutating func replace(_ list: ListLayout, mapping: IndexMapping, at now: Instant) {
        note(tracker.change(at: now) { $0.replace(list, mapping: mapping) })
    }

    private mutating func note(_ moment: ScrollMoment) {
        rule.note(moment)
        latest = moment
    }
}

extension ScrollReport.Kind {
    /// What it is to a list, and where the list is then, if that is told.
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

extension Viewport {
    /// Takes another list in its place: the first row in view that is still there stays where it is.
    fileprivate mutating func replace(_ list: ListLayout, mapping: IndexMapping) {
        let old = self
        self.list = list
        guard old.list.rowCount > 0, list.rowCount > 0 else { return }
        for position in old.visibleRows {
            let row = old.list.row(atPosition: position)
            guard let new = mapping.newIndex(of: row) else { continue }
            let way = list.extent(of: .row(new)).offset - old.list.extent(of: .row(row)).offset
            scroll(to: old.offset + way)
            return
        }
        scroll(to: old.offset)
    }
}
