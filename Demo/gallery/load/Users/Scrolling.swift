internal import IdleLoop
internal import LullTesting
internal import ReplayText
internal import ScrollModel

/// The list of a simulated user's page: its offset, the events to report, and the loaded rows.
struct Scrolling {
    /// The list's current viewport.
    private var list: Viewport
    /// The time of the last motion.
    private var lastMoved = Instant.zero
    /// The rows whose pictures are loaded or have failed.
    private var shown: Set<Int> = []

    private var events: ArraySlice<(time: Duration, event: Motion.Event)> = []
    /// The time since which the list has been at rest with a row in view missing.
    private var waitingSince: Instant?
    private var start = Instant.zero

    /// The maximum number of events in a report.
    private static let most = 200

    /// Creates a list at its start.
    init(_ layout: ListLayout) { list = Viewport(layout, height: 800) }

    /// Creates a list at a place, as a share of its height, that is to be reported.
    init(_ layout: ListLayout, from share: Double, at now: Instant) {
        self.init(layout)
        list.scroll(to: list.maximumOffset * share)
        events = [(.zero, .frame(offset: list.offset))]
        start = now
    }

    /// Returns the rows whose distance to the viewport is at most this many pixels.
    func rows(within reach: Double) -> RowSet {
        list.list.visibleRows(offset: list.offset - reach, height: list.height + 2 * reach)
    }

    /// Whether events of the last fling are still to come.
    var isMoving: Bool { !events.isEmpty }

    /// Begins to wait for the rows in view, as the list has come to rest.
    mutating func beginWait() { waitingSince = lastMoved }

    /// Ends the wait if all rows in view are loaded or failed, and returns for how long it lasted.
    mutating func endWait(at now: Instant) -> Duration? {
        guard let wait = wait(at: now), list.visibleRows.allSatisfy(shown.contains) else {
            return nil
        }
        waitingSince = nil
        return wait
    }

    /// Returns the time for which it has waited for the rows in view; nil if it doesn't wait.
    func wait(at now: Instant) -> Duration? { waitingSince.map { $0.duration(to: now) } }

    /// Records that a row's picture is loaded or has failed.
    mutating func show(_ row: Int) { shown.insert(row) }

    /// Starts a fling with a random velocity in either direction.
    mutating func fling(at now: Instant, using random: inout SeededGenerator) {
        let speed = Double.random(in: 1500...9000, using: &random)
        let isUp =
            list.offset > list.maximumOffset - 4000
            || list.offset > 4000 && Bool.random(using: &random)
        events = Motion(in: list, velocity: isUp ? -speed : speed).events[...]
        start = now
        lastMoved = now
    }

    /// Scrolls as far as until `now`, without a report.
    mutating func advance(to now: Instant) {
        while !report(until: now).isEmpty {}
    }

    /// Returns the unreported events until `now`, in the format of a report.
    mutating func report(until now: Instant) -> String {
        let elapsed = start.duration(to: now)
        var texts: [String] = []
        while let next = events.first, next.time <= elapsed, texts.count < Self.most {
            texts.append(text(of: next.event, at: next.time))
            events.removeFirst()
        }
        return texts.joined(separator: ";")
    }

    private mutating func text(of event: Motion.Event, at time: Duration) -> String {
        let moment = start.advanced(by: time)
        let stamp = milliseconds(moment)
        switch event {
        case .down(let y): return "d,\(stamp),\(decimals(y, 1)),\(decimals(list.offset, 1))"
        case .moved(let y): return "m,\(stamp),\(decimals(y, 1))"
        case .up(let y): return "u,\(stamp),\(decimals(y, 1))"
        case .frame(let offset):
            if list.clamped(offset) != list.offset { lastMoved = moment }
            list.scroll(to: offset)
            return "f,\(stamp),\(decimals(list.offset, 1))"
        }
    }
}

extension Duration {
    /// Returns a random part of a duration, or a multiple, in whole nanoseconds.
    static func random(
        _ range: ClosedRange<Double>, of duration: Duration, using random: inout SeededGenerator
    ) -> Duration {
        let seconds = Double.random(in: range, using: &random) * (duration / .seconds(1))
        return .nanoseconds(Int64(seconds * 1e9))
    }
}
