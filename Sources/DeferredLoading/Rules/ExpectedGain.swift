internal import Glibc

/// A row that may come into view, and what loading it would gain.
struct ExpectedLoad {
    /// What part of a path's frames show the row.
    struct Showing {
        /// How likely that is.
        var weight: Double
        /// The first frame that shows it, counted from the next.
        var first: Double
        /// The last; infinite for a row that is in view where the list rests.
        var last: Double
        /// When it comes into view, in seconds from now.
        var entry: Double
    }

    /// Why a row is, or is not, loaded.
    enum Verdict {
        case wanted, late, worthless
    }

    let row: Int
    /// What is left of its load on the loop, in seconds.
    var cost: Double
    /// What is left of its fetch.
    var fetch: Double
    /// How long it takes up what is scarce: the loop, or a fetch's share of the workers.
    var unit: Double
    /// How long it takes besides.
    var lag: Double
    /// Whether somebody has said what it costs.
    var isCostKnown: Bool
    /// Whether it's being fetched.
    var isFetching = false
    var urgency = ExpectedPlan.Place.margin
    var showings: [Showing] = []
    /// When the likeliest path shows it, and for how long.
    var entry = 0.0
    var time = 0.0
    /// The seconds in view that starting now would gain.
    var gain = 0.0
    /// The seconds in view that there are to be had.
    var whole = 0.0
    var priority = 0.0
    var verdict = Verdict.worthless

    /// When it could be there, in seconds from now.
    var ready: Double { fetch + cost }
    /// The likeliest showing.
    var likeliest: Showing? {
        var best: Showing?
        for showing in showings where showing.weight > best?.weight ?? -1 { best = showing }
        return best
    }
}

/// The frames that are to come.
struct ExpectedFrames {
    /// When the next is due, in seconds from now.
    let next: Double
    /// The time between two.
    let interval: Double

    init(now: Double, last: Double, interval: Double) {
        let number = ((now - last) / interval).rounded(.down) + 1
        next = last + number * interval - now
        self.interval = interval
    }

    /// The number of the first frame at a time or after it.
    func number(at time: Double) -> Double {
        ((time - next) / interval - 1e-9).rounded(.up)
    }

    /// When a frame is due.
    func time(of number: Double) -> Double { next + number * interval }

    /// The seconds in view that a row gains which is there from a time on.
    ///
    /// The expected value over all paths; a row counts in whole frames, as it is seen, and no more
    /// than `cap` seconds on each path.
    func gain(of load: ExpectedLoad, readyAt ready: Double, cap: Double) -> Double {
        let readyFrame = number(at: ready)
        var sum = 0.0
        for showing in load.showings {
            let time = (showing.last - max(showing.first, readyFrame) + 1) * interval
            if time > 0 { sum += showing.weight * min(time, cap) }
        }
        return sum
    }
}
