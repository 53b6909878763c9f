internal import IdleLoop
internal import ScrollModel

/// A list that somebody flings, as a page has it: where it is, what is to be reported, and what of
/// what is in view is there.
struct Scrolling {
    /// The list as it stands.
    private(set) var list: Viewport
    /// When it last moved.
    private(set) var lastMoved = Instant.zero
    /// The rows whose pictures are there, or can't be had.
    private(set) var shown: Set<Int> = []

    private var events: ArraySlice<(time: Double, event: Motion.Event)> = []
    private var start = Instant.zero

    /// The most events of a report.
    private static let most = 200

    init(_ layout: ListLayout) {
        list = Viewport(layout, height: 800)
    }

    /// Whether there is more to come of the last fling.
    var isMoving: Bool { !events.isEmpty }

    /// Whether all that is in view is there.
    var isWhole: Bool { list.visibleRows.allSatisfy(shown.contains) }

    /// A row's picture is there.
    mutating func show(_ row: Int) { shown.insert(row) }

    /// Begins a fling, at any speed and either way.
    mutating func fling(at now: Instant, using random: inout SplitNumbers) {
        let speed = Double.random(in: 1500...9000, using: &random)
        let isUp =
            list.offset > list.maximumOffset - 4000
            || list.offset > 4000 && Bool.random(using: &random)
        events = Motion(in: list, velocity: isUp ? -speed : speed).events[...]
        start = now
        lastMoved = now
    }

    /// Returns the events by now that weren't reported yet, as reports have them.
    mutating func report(until now: Instant) -> String {
        let elapsed = start.duration(to: now) / .milliseconds(1)
        var texts: [String] = []
        while let next = events.first, next.time <= elapsed, texts.count < Self.most {
            texts.append(text(of: next.event, at: next.time))
            events.removeFirst()
        }
        return texts.joined(separator: ";")
    }

    private mutating func text(of event: Motion.Event, at time: Double) -> String {
        let moment = start.advanced(by: .nanoseconds(Int64(time * 1e6)))
        let stamp = (Double(moment.nanoseconds) / 1e6).text(1)
        switch event {
        case .down(let y): return "d,\(stamp),\(y.text(1)),\(list.offset.text(1))"
        case .moved(let y): return "m,\(stamp),\(y.text(1))"
        case .up(let y): return "u,\(stamp),\(y.text(1))"
        case .frame(let offset):
            if list.clamped(offset) != list.offset { lastMoved = moment }
            list.scroll(to: offset)
            return "f,\(stamp),\(list.offset.text(1))"
        }
    }
}
