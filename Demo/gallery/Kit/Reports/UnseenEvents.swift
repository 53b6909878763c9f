internal import IdleLoop
internal import ScrollModel

/// A bounded queue of events of a page that weren't looked at yet; the oldest are lost first.
///
/// Of each kind of event one in ``interval`` counts, the last: what a page says costs no more than
/// what a screen shows and a finger does, however many events it makes of that.
struct UnseenEvents {
    typealias Event = (moment: Instant, input: ScrollReport.Input)

    /// More than a few screens show a frame, or sample a finger, in this time.
    static let interval = Duration.milliseconds(4)
    /// The most events.
    static let most = 2 * ScrollReport.mostEvents

    private(set) var events: ArraySlice<Event> = []

    var isEmpty: Bool { events.isEmpty }
    var count: Int { events.count }

    /// Adds an event; moments never go back.
    ///
    /// O(1): in an interval there's one event of each kind.
    mutating func append(_ input: ScrollReport.Input, at moment: Instant) {
        let start = moment.advanced(by: .zero - Self.interval)
        var place = events.endIndex
        while place > events.startIndex, events[place - 1].moment > start {
            place -= 1
            guard events[place].input.isLike(input) else { continue }
            events.remove(at: place)
            break
        }
        events.append((moment, input))
        if events.count > Self.most { events.removeFirst() }
    }

    /// Removes the oldest, up to so many, and returns them.
    mutating func removeFirst(atMost count: Int) -> ArraySlice<Event> {
        defer { events = events.count > count ? events.dropFirst(count) : [] }
        return events.prefix(count)
    }
}

extension ScrollReport.Input {
    /// Returns whether the other is the same, but for where it happened.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (event, other.event) {
        case (.down, .down), (.moved, .moved), (.up, .up): true
        default: event == other.event
        }
    }
}
