internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// Follows one page's list: from what it reports to the rows that are wanted for it.
///
/// ```swift
/// var tracker = ScrollTracker(list)
/// tracker.take(events, height: 800)
/// if let rows = tracker.wanted(loads: facts) { … }
/// ```
///
/// Its rule is asked once for all that was taken in, as a plan costs a hundred times what an event
/// does.
struct ScrollTracker {
    /// The list as the page showed it last.
    private(set) var viewport: Viewport
    /// When something last happened that the page told of.
    private(set) var lastEvent = Instant.zero
    /// When the list last moved.
    private(set) var lastMotion = Instant.zero
    private var predictor = FlingPredictor(learning: FlingLearner())
    private var policy = GatedValue()
    private var isTouched = false

    init(_ list: ListLayout) {
        viewport = Viewport(list, height: 0)
    }

    /// Where a fling will rest, while one is under way that was foreseen.
    var landing: Range<Int>? { policy.gate }

    /// Whether the list may still be moving, for all that is known.
    func isMoving(at now: Instant) -> Bool {
        isTouched || landing != nil || lastMotion.duration(to: now) < .milliseconds(150)
    }

    /// Takes in what happened, in order; what is wanted then is asked with ``wanted(loads:)``.
    ///
    /// O(log rows) for each event, and O(rows in view) for a finger's lift.
    mutating func take(_ events: some Sequence<UnseenEvents.Event>, height: Double) {
        if viewport.height != height { viewport.height = height }
        for event in events {
            lastEvent = event.moment
            policy.pass(note(event.kind, at: event.moment))
        }
    }

    /// Says which rows are wanted after all that was taken in; nil if that is as it was.
    mutating func wanted(loads: any LoadFacts) -> [Wanted<Int>]? {
        // A move without a finger: all has been told, and it's only to be asked.
        policy.wanted(
            after: ScrollMoment(.moved, now: lastEvent, viewport: viewport, loads: loads))
    }

    /// A frame that nobody told of: the page is silent, as nothing moves there, or as it's gone.
    mutating func look(at now: Instant, loads: any LoadFacts) -> [Wanted<Int>]? {
        if isTouched, lastEvent.duration(to: now) > .seconds(10) { isTouched = false }
        return policy.wanted(
            after: note(.frame(offset: viewport.offset), at: now, loads: loads))
    }

    /// The list has changed; what was at the window's top stays there.
    mutating func replace(_ list: ListLayout, mapping: IndexMapping, at now: Instant) {
        let old = viewport
        viewport.list = list
        if old.list.rowCount > 0, list.rowCount > 0 {
            viewport.scroll(to: Self.offset(in: list, keeping: old, by: mapping))
        }
        policy.pass(ScrollMoment(.changed, now: now, viewport: viewport))
    }

    /// Where the first row in view that is still there lies now, less how far it was from the top.
    private static func offset(
        in list: ListLayout, keeping old: Viewport, by mapping: IndexMapping
    ) -> Double {
        for position in old.visibleRows {
            let row = old.list.row(atPosition: position)
            guard let new = mapping.newIndex(of: row) else { continue }
            return list.offset(of: new) + old.offset - old.list.offset(of: row)
        }
        return old.offset
    }

    private mutating func note(
        _ kind: ScrollReport.Kind, at now: Instant, loads: any LoadFacts = NoLoadFacts()
    ) -> ScrollMoment {
        let time = Instant.zero.duration(to: now)
        let before = viewport
        var finger: FingerPlace?
        let event: ScrollMoment.Event
        switch kind {
        case .frame(let offset):
            viewport.scroll(to: offset)
            if viewport.offset != before.offset { lastMotion = now }
            predictor.observe(viewport.offset, at: time, in: viewport)
            return ScrollMoment(.frame, now: now, viewport: viewport, loads: loads)
        case .down(let y, let offset):
            isTouched = true
            viewport.scroll(to: offset)
            predictor.fingerDown(y, at: time, offset: viewport.offset)
            (event, finger) = (.down, FingerPlace(y: y, time: now))
        case .moved(let y):
            predictor.fingerMoved(y, at: time)
            (event, finger) = (.moved, FingerPlace(y: y, time: now))
        case .up(let y):
            isTouched = false
            event = .up(predictor.fingerUp(y, at: time, in: viewport))
            finger = FingerPlace(y: y, time: now)
        case .cancelled:
            isTouched = false
            event = .cancelled
        case .wheel: event = .wheel
        case .key: event = .key
        case .jumpBegan: event = .scrollToTopBegan
        case .jumpEnded: event = .scrollToTopEnded
        }
        return ScrollMoment(event, now: now, viewport: viewport, loads: loads, finger: finger)
    }
}
