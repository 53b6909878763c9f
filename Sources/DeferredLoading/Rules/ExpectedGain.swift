internal import Glibc

/// A row that may come into view, and what loading it would gain.
struct ExpectedLoad {
    /// The frames of a path that show the row.
    struct Showing {
        /// The likelihood of the path.
        let weight: Double
        /// The first frame that shows it, counted from the next.
        let first: Double
        /// The last; infinite for a row that is in view where the list rests.
        let last: Double
        /// When it comes into view, in seconds from now.
        let entry: Double

        /// On no frame.
        static let never = Showing(weight: -1, first: 0, last: -1, entry: 0)
    }
    /// The showings on each of the paths, of which there are three at most.
    typealias Showings = InlineArray<3, Showing>

    /// Why a row is, or is not, loaded.
    enum Verdict {
        case wanted, late, worthless
    }

    let row: Int
    let urgency: Urgency
    let showings: Showings
    let likeliest: Showing
    /// The rest of its load on the loop, in seconds.
    var cost = 0.0
    /// The rest of its fetch.
    var fetch = 0.0
    /// The time it takes up what is scarce: the loop, or a fetch's share of the workers.
    var unit = 0.0
    /// Whether somebody has said what it costs.
    var isCostKnown = false
    /// Whether it's being fetched.
    var isFetching = false
    /// The seconds in view that starting now would gain.
    var gain = 0.0
    /// The seconds in view that there are to be had.
    var whole = 0.0
    var priority = 0.0
    var verdict = Verdict.worthless

    /// When it could be there, in seconds from now.
    var ready: Double { fetch + cost }
    /// The time it takes besides ``unit``.
    var lag: Double { max(0, fetch + cost - unit) }
}

/// The frames that are to come.
struct ExpectedFrames {
    /// When the next is due, in seconds from now.
    let next: Double
    /// The time between two.
    let interval: Double

    init(next: Double, interval: Double) {
        self.next = next
        self.interval = interval
    }

    init(now: Double, last: Double, interval: Double) {
        let number = ((now - last) / interval).rounded(.down) + 1
        self.init(next: last + number * interval - now, interval: interval)
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
        for index in load.showings.indices {
            let showing = load.showings[index]
            let time = (showing.last - max(showing.first, readyFrame) + 1) * interval
            if time > 0 { sum += showing.weight * min(time, cap) }
        }
        return sum
    }
}
