internal import LullLibC

/// A running fling that a new stroke has caught, with the strokes before it.
package struct Flywheel: Sendable {
    /// The fling that the finger caught.
    package let fling: Fling

    /// The time from that fling's release to the touch that caught it.
    package let elapsed: Duration

    /// The number of strokes in a row, including the one that began the caught fling.
    package let strokes: Int

    /// The content's height, in viewport heights.
    package let pages: Double

    /// A caught fling, with the figures that platforms use for a boost.
    ///
    /// - Precondition: at least one stroke was made; `pages` is not negative.
    package init(fling: Fling, elapsed: Duration, strokes: Int = 1, pages: Double = .infinity) {
        precondition(strokes >= 1, "a fling that runs comes of a stroke")
        precondition(pages >= 0, "content is no shorter than nothing")
        self.fling = fling
        self.elapsed = elapsed
        self.strokes = strokes
        self.pages = pages
    }

    /// The list's velocity when it was caught, in px per second.
    package var velocity: Double { fling.velocity(at: elapsed) }
}
