internal import ScrollModel

/// A finger's stroke and the following fling, frame by frame, as a page would report them.
struct Motion {
    /// An event of the motion.
    enum Event {
        case down(y: Double)
        case moved(y: Double)
        case up(y: Double)
        case frame(offset: Double)
    }

    private static let touches = 10
    // In ms, as pages measure their times.
    private static let interval = 1000.0 / 120
    private static let frame = 1000.0 / 60

    /// The events in order, with their times since the start of the motion.
    let events: [(time: Duration, event: Event)]

    /// Creates a fling with a velocity in px per second, from the list's current offset.
    init(in list: Viewport, velocity: Double) {
        var events: [(time: Double, event: Event)] = [(0, .down(y: 500))]
        let step = velocity * Self.interval / 1000
        for touch in 1...Self.touches {
            let time = Double(touch) * Self.interval
            events.append((time, .moved(y: 500 - step * Double(touch))))
        }
        let lift = Double(Self.touches) * Self.interval + 2
        events.append((lift, .up(y: 500 - step * Double(Self.touches))))
        let start = list.clamped(list.offset + step * Double(Self.touches))
        let fling = Scroller(.chromium).fling(
            from: start, velocity: velocity, bounds: 0...list.maximumOffset,
            viewportHeight: list.height)
        var time = Self.frame
        let end = lift + fling.duration / .milliseconds(1)
        while time < end + 150 {
            let offset =
                time <= lift
                ? list.clamped(list.offset + (start - list.offset) * time / lift)
                : fling.offset(at: .nanoseconds(Int64((time - lift) * 1e6)))
            events.append((time, .frame(offset: offset)))
            time += Self.frame
        }
        self.events = events.sorted { $0.time < $1.time }.map { (.milliseconds($0.time), $0.event) }
    }
}
