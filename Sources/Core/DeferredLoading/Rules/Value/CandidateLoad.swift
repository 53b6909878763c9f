internal import LullLibC

/// A row that may come into view, and the expected gain of loading it; times are in seconds, like
/// ``ValueTuning``.
struct CandidateLoad {
    /// The frames of a path in which a row is visible.
    struct Showing {
        /// The probability of the path.
        let weight: Double
        /// The first frame that shows the row, counted from the next frame.
        let first: Double
        /// The last frame that shows it; infinite for a row that is in view where the list rests.
        let last: Double
        /// The time at which the row comes into view, in seconds from now.
        let entry: Double

        /// The showing of a row that is on no frame.
        static let never = Showing(weight: -1, first: 0, last: -1, entry: 0)
    }
    /// The showings on each of the paths, at most three.
    typealias Showings = InlineArray<3, Showing>

    /// The verdict on loading a row.
    enum Verdict {
        case wanted, late, worthless
        /// Others need the link to the display in its time.
        case crowded
    }

    let row: Int
    let urgency: Urgency
    let showings: Showings
    let likeliest: Showing
    /// The remaining cost of its load, in seconds.
    var cost = 0.0
    /// The remaining duration of its fetch, and of its delivery, in seconds.
    var fetch = 0.0
    /// The time of the loop or of all lanes that it uses, or of the workers if its fetch's share of them is longer.
    var work = 0.0
    /// The time of the scarcest resource that it uses: ``work``, or the link to the display.
    var unit = 0.0
    /// Whether its cost is known rather than estimated by the mean.
    var isCostKnown = false
    var isFetching = false
    /// Whether it isn't fetched yet.
    var needsFetch = false
    /// The time in view that is gained by starting now, in seconds.
    var gain = 0.0
    /// The maximum time in view that could be gained, in seconds.
    var whole = 0.0
    var priority = 0.0
    var verdict = Verdict.worthless

    /// The time at which it could be loaded, in seconds from now.
    var ready: Double { fetch + cost }
    /// Whether it is expected to be in view where the list rests.
    var isToStay: Bool { urgency >= .landing && likeliest.last == .infinity }
    /// The time it takes in addition to ``unit``.
    var lag: Double { max(0, fetch + cost - unit) }
}

/// The frames to come; times are in seconds, like ``ValueTuning``.
struct FrameGrid {
    /// The time of the next frame, in seconds from now.
    let next: Double
    /// The time between two frames, in seconds.
    let interval: Double
    /// The time in view beyond which more time adds no value.
    let cap: Double

    init(next: Double, interval: Double, cap: Double = ValueTuning.cap) {
        self.next = next
        self.interval = interval
        self.cap = cap
    }

    init(now: Double, last: Double, interval: Double, cap: Double) {
        let number = ((now - last) / interval).rounded(.down) + 1
        self.init(next: last + number * interval - now, interval: interval, cap: cap)
    }

    /// Returns the number of the first frame at or after a time.
    func number(at time: Double) -> Double {
        ((time - next) / interval - 1e-9).rounded(.up)
    }

    func time(of number: Double) -> Double { next + number * interval }

    /// Returns the seconds in view that a row gains if it is loaded at a given time.
    ///
    /// This is the expected value over all paths. A row counts in whole frames, as it is seen, and
    /// at most ``cap`` on each path.
    func gain(of load: CandidateLoad, readyAt ready: Double) -> Double {
        let readyFrame = number(at: ready)
        var sum = 0.0
        for index in load.showings.indices {
            let showing = load.showings[index]
            let time = (showing.last - max(showing.first, readyFrame) + 1) * interval
            if time > 0 { sum += showing.weight * min(time, cap) }
        }
        return sum
    }
}
