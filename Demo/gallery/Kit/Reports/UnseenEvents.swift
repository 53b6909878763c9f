internal import IdleLoop
internal import ScrollModel

/// A bounded queue of a page's events that weren't handled yet; the oldest are dropped first.
///
/// In each ``interval``, only the last event of each kind is kept, so that a page costs no more
/// than a screen and a finger can cause, however many events it sends.
struct UnseenEvents {
    typealias Event = (moment: Instant, input: ScrollReport.Input)

    /// The interval, which is shorter than the frames of a few screens or the samples of a finger.
    static let interval = Duration.milliseconds(4)
    /// The maximum number of events.
    static let most = 2 * ScrollReport.mostEvents

    private(set) var events: ArraySlice<Event> = []

    var isEmpty: Bool { events.isEmpty }
    var count: Int { events.count }

    /// Adds an event; times never decrease.
    ///
    /// O(1): an interval has at most one event of each kind.
    mutating func append(_ input: ScrollReport.Input, at moment: Instant) {
        var place = events.endIndex
        while place > events.startIndex,
            events[place - 1].moment.duration(to: moment) < Self.interval
        {
            place -= 1
            guard events[place].input.isLike(input) else { continue }
            events.remove(at: place)
            break
        }
        events.append((moment, input))
        if events.count > Self.most { events.removeFirst() }
    }

    /// Removes and returns the oldest events, at most `count`.
    mutating func removeFirst(atMost count: Int) -> ArraySlice<Event> {
        defer { events = events.count > count ? events.dropFirst(count) : [] }
        return events.prefix(count)
    }
}

extension ScrollReport.Input {
    /// Returns whether the other event is of the same kind, ignoring its position.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (event, other.event) {
        case (.down, .down), (.moved, .moved), (.up, .up): true
        default: event == other.event
        }
    }
}
