/// When a row comes into view during a fling, and when it goes.
public struct RowPassage: Sendable, Equatable {
    /// The time from now until its first pixel is in view; zero if it's there already.
    public let entry: Duration

    /// The time from now until its last pixel is gone; nil if it is in view when the list rests.
    public let exit: Duration?

    /// The passage of what lies between two places in px, through a window, from now on.
    ///
    /// Nil if it isn't in view now and won't be.
    init?(
        from top: Double, to bottom: Double, through height: Double, along path: Fling,
        after elapsed: Duration
    ) {
        let now = path.offset(at: elapsed)
        let isDown = path.target >= path.start
        // The offsets at which the row appears at the window's far edge and leaves at the near.
        let (appears, leaves) = isDown ? (top - height, bottom) : (bottom, top - height)
        func isPast(_ offset: Double, at place: Double) -> Bool {
            isDown ? place >= offset : place <= offset
        }
        guard top < bottom, !isPast(leaves, at: now) else { return nil }
        func time(of offset: Double) -> Duration? {
            path.elapsed(atOffset: offset).map { max(.zero, $0 - elapsed) }
        }
        if now != appears, isPast(appears, at: now) {
            entry = .zero
        } else {
            // A row that would only touch the edge isn't seen.
            guard appears != path.target, let time = time(of: appears) else { return nil }
            entry = time
        }
        exit = time(of: leaves)
    }
}
