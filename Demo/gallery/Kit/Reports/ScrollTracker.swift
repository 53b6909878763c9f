internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// Follows one page's list: from what it reports to the rows that are wanted for it.
///
///     var tracker = ScrollTracker(list)
///     if let rows = tracker.take(report.events, at: moments, loads: facts) { … }
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

    /// Takes in what happened, in order, and says which rows are wanted now; nil if that is as it was.
    mutating func take(
        _ events: [(moment: Instant, kind: ScrollReport.Kind)], height: Double,
        loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        if viewport.height != height { viewport.height = height }
        var answer: [Wanted<Int>]?
        let lastFrame = events.lastIndex { if case .frame = $0.kind { true } else { false } }
        for (index, event) in events.enumerated() {
            lastEvent = event.moment
            let moment = note(event.kind, at: event.moment, loads: loads)
            if case .frame = moment.event, index != lastFrame {
                policy.pass(moment)
            } else if let wanted = policy.wanted(after: moment) {
                answer = wanted
            }
        }
        return answer
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
        _ = policy.wanted(
            after: ScrollMoment(.changed, now: now, viewport: viewport))
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
        _ kind: ScrollReport.Kind, at now: Instant, loads: any LoadFacts
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
