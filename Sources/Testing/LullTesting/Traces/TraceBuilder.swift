internal import LullLibC
internal import ScrollModel

/// A builder of traces: strokes of a finger, wheel turns, jumps and pauses, one after the other.
///
/// ```swift
/// var hand = TraceBuilder("a look back")
/// hand.fling(at: 5_000)                // upwards with the finger, on down the list, at 5000 px/s
/// hand.pause(for: .milliseconds(300))
/// hand.tap()                           // catches it
/// hand.fling(at: -2_000)
/// let outcome = try Replay(of: hand.trace, in: list, policy: MyPolicy()).run()
/// ```
///
/// The trace has inputs only; the replay moves the list by its options' scroller. Times are those
/// of a panel that reports 120 times a second.
public struct TraceBuilder: Sendable {
    /// The trace's name.
    public let name: String
    /// The inputs so far, in order.
    public private(set) var events: [Trace.Event] = []
    /// The time of the next input, from the start of the trace.
    public private(set) var time: Duration = .zero

    private static let interval = Duration.nanoseconds(8_333_333)

    /// Creates an empty trace, which begins with a pause of 100 ms.
    public init(_ name: String) {
        self.name = name
        time = .milliseconds(100)
    }

    /// The trace so far.
    public var trace: Trace { Trace(name: name, events: events, samples: []) }

    /// Appends a pause.
    ///
    /// - Precondition: the time isn't negative.
    ///
    /// Traps if the duration is negative.
    public mutating func pause(for duration: Duration) {
        precondition(duration >= .zero, "a pause isn't negative")
        time += duration
    }

    /// Appends a stroke that ends in a fling of the list, with a velocity in px per second.
    ///
    /// A positive velocity scrolls down the list, as an upward stroke does. The finger moves at
    /// that speed for `duration`, and lifts.
    ///
    /// - Precondition: the velocity is finite; the stroke takes some time.
    ///
    /// Traps if the velocity isn't finite, or the duration isn't more than zero.
    public mutating func fling(at velocity: Double, over duration: Duration = .milliseconds(100)) {
        precondition(velocity.isFinite, "a velocity is finite")
        stroke(by: velocity * duration.inSeconds, over: duration, isHeld: false)
    }

    /// Appends a stroke that scrolls the list by a distance in px, and holds still before the lift:
    /// no fling.
    ///
    /// - Precondition: the distance is finite; the stroke takes some time.
    ///
    /// Traps if the distance isn't finite, or the duration isn't more than zero.
    public mutating func drag(by distance: Double, over duration: Duration = .milliseconds(400)) {
        precondition(distance.isFinite, "a distance is finite")
        stroke(by: distance, over: duration, isHeld: true)
    }

    /// Appends a touch that scrolls nothing; it catches a list that flings.
    public mutating func tap() {
        add(.down(y: Self.home))
        time += .milliseconds(60)
        add(.up(y: Self.home))
    }

    /// Appends turns of a wheel by a number of notches, upwards if negative.
    ///
    /// - Precondition: the way of a notch is finite, the interval isn't negative.
    ///
    /// Traps if the distance isn't finite, or the interval is negative.
    public mutating func wheel(
        notches: Int, of distance: Double = 120, every interval: Duration = .milliseconds(60)
    ) {
        precondition(distance.isFinite && interval >= .zero, "a notch has a way and a time")
        for _ in 0..<abs(notches) {
            add(.wheel(dy: notches < 0 ? -distance : distance))
            time += interval
        }
    }

    /// Appends a scroll of the program to an offset in px, clamped to the list, which takes half a
    /// second.
    ///
    /// - Precondition: the offset is finite.
    ///
    /// Traps if the offset isn't finite.
    public mutating func jump(to offset: Double) {
        precondition(offset.isFinite, "a jump has a target")
        add(.jump(target: offset))
    }

    private static let home = 500.0

    private mutating func stroke(by distance: Double, over duration: Duration, isHeld: Bool) {
        precondition(duration > .zero, "a stroke takes some time")
        // A finger's y grows downwards.
        let start = Self.home + distance / 2
        let begin = time
        add(.down(y: start))
        while time + Self.interval < begin + duration {
            time += Self.interval
            let share = (time - begin).inSeconds / duration.inSeconds
            add(.move(y: start - distance * share))
        }
        time = begin + duration
        add(.move(y: start - distance))
        if isHeld {
            time += .milliseconds(80)
            add(.move(y: start - distance))
        }
        time += .milliseconds(2)
        add(.up(y: start - distance))
    }

    private mutating func add(_ input: Trace.Input) {
        events.append(.init(time: .zero + time, input))
    }
}
