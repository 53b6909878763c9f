/// One touch of a finger, from its start, and the distance that it has dragged the list.
struct Drag: Sendable {
    /// The longest time for which a finger may rest on a running list without ending the fling that
    /// it caught: the same as that of a pause that ends a stroke.
    private static let longestHold = Duration.milliseconds(40)

    /// The time at which the finger came down.
    let start: Instant

    /// The direction: 1 if the finger first passed the slop upwards, −1 if downwards, 0 if not yet.
    private(set) var direction = 0.0

    private var downOffset: Double
    private let downY: Double
    private var y: Double
    private var newestMove = 0.0
    private var time: Instant

    /// A drag by a finger that touches down at `y` on a list at `offset`, both in px.
    init(y: Double, time: Instant, offset: Double) {
        start = time
        downOffset = offset
        downY = y
        self.y = y
        self.time = time
    }

    /// Processes the finger's next position; returns whether it paused before, so that a fling that
    /// it has caught is over.
    mutating func moved(
        to y: Double, at time: Instant, slop: Double, longestPause: Duration
    ) -> Bool {
        let longest = direction == 0 ? Self.longestHold : longestPause
        let isHeld = time - self.time > longest
        if y != self.y || direction == 0 { self.time = max(self.time, time) }
        if y != self.y { newestMove = y - self.y }
        if direction == 0, abs(y - downY) > slop { direction = y < downY ? 1 : -1 }
        self.y = y
        return isHeld
    }

    /// Moves the drag along with a list whose offset has moved by `shift` px under the finger.
    mutating func shift(by shift: Double) {
        downOffset += shift
    }

    /// Returns the list's offset by the finger alone: ahead by a share of the newest move, and
    /// behind by the slop, which is lost once, when it is passed.
    func offset(slop: Double, lead: Double) -> Double {
        guard direction != 0 else { return downOffset }
        return downOffset + downY - y - newestMove * lead - direction * slop
    }
}
