internal import ScrollModel

/// A stroke of a finger and the fling that comes of it, frame by frame: what a page would report.
struct Motion {
    /// An event of the motion.
    enum Event {
        case down(y: Double)
        case moved(y: Double)
        case up(y: Double)
        case frame(offset: Double)
    }

    private static let touches = 10
    private static let interval = 1000.0 / 120
    private static let frame = 1000.0 / 60

    /// The events in order, by the ms since the motion began.
    let events: [(time: Double, event: Event)]
    /// The offset at which the list rests then.
    let target: Double

    /// A fling at so many px a second, from where the list is.
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
            from: start, velocity: velocity, bounds: list.minimumOffset...list.maximumOffset,
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
        self.events = events.sorted { $0.time < $1.time }
        target = fling.target
    }
}
