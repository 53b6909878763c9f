internal import Glibc
internal import LullTesting
internal import ReplayText

/// The order of loads that leaves as little blank as possible, given when each row is visible and
/// what it costs.
///
/// A greedy search finds a first order: it always takes the row with the greatest gain for its cost
/// and the soonest need. A local search then moves single rows as long as that gains something.
struct OraclePlan {
    /// The rows in the order of loading, without those that aren't worth it.
    private(set) var order: [Int] = []

    private let view: OracleView
    private let clock: OracleClock
    /// The cost of each row in nanoseconds, as ``OracleClock`` counts.
    private let costs: [Int64]
    /// The share of the scarce resource, loop or fetches, that each load takes.
    private let shares: [Double]
    private let usual: Double
    private var entries: [Int]
    private let frameTime: Double

    /// Creates a plan for the rows of a view; `cost` returns the cost of a row by its number.
    init(
        _ view: OracleView, _ clock: OracleClock, options: ReplayOptions, loaded: Range<Int>,
        cost: (Int) -> Duration
    ) {
        self.view = view
        self.clock = clock
        let costs = view.rows.map { cost($0.number).nanoseconds }
        self.costs = costs
        let fetch = Double(options.latency.nanoseconds) / Double(options.fetches)
        shares = costs.map { max(Double($0), fetch, 1) }
        usual = shares.isEmpty ? 1 : shares.reduce(0, +) / Double(shares.count)
        frameTime = 1e9 / Double(options.hz)
        entries = view.rows.indices.filter { !loaded.contains(view.rows[$0].number) }
        let missing = entries
        var best: (entries: [Int], gain: Int) = ([], -1)
        for patience in [2.0, 4.0] {
            entries = guess(missing, patience)
            var rounds = 8
            while improve(), rounds > 0 { rounds -= 1 }
            let gain = gain(of: entries, in: entries.indices, clock.start)
            if gain > best.gain { best = (entries, gain) }
        }
        entries = best.entries
        order = entries.map { view.rows[$0].number }
    }

    /// Returns a first order of rows by a greedy search.
    private func guess(_ rows: [Int], _ patience: Double) -> [Int] {
        var left = rows
        var order: [Int] = []
        var state = clock.start
        while true {
            state = clock.ready(state)
            let frame = view.firstFrame(after: state.time)
            left.removeAll { view.nextStay(of: $0, from: frame) == nil }
            // Rows that become visible much later need not be considered.
            let values = left.prefix(100).map { value(of: $0, from: frame, patience) }
            guard let best = values.indices.max(by: { values[$0] < values[$1] }) else {
                return order
            }
            let row = left.remove(at: best)
            order.append(row)
            state = clock.after(costs[row], state)
        }
    }

    /// Returns the value of loading a row now: the gain for its cost, discounted by the time until
    /// it is needed.
    private func value(of row: Int, from frame: Int, _ patience: Double) -> Double {
        guard let stay = view.nextStay(of: row, from: frame) else { return 0 }
        let gain = min(Double(stay.length) * frameTime, 0.3e9)
        let wait = Double(stay.start - frame) * frameTime
        return gain / shares[row] * exp(-wait / (patience * usual))
    }

    /// Moves each row to where that gains most; returns false if none could be moved.
    private mutating func improve() -> Bool {
        var hasImproved = false
        var states = self.states(of: entries)
        var total = gain(of: entries, in: entries.indices, states[0])
        for place in entries.indices {
            var best: [Int]?
            for target in max(0, place - 20)..<min(entries.count, place + 20) where target != place
            {
                var order = entries
                order.insert(order.remove(at: place), at: target)
                let changed = min(place, target)...max(place, target)
                let state = states[changed.lowerBound]
                guard gain(of: order, in: changed, state) > gain(of: entries, in: changed, state)
                else { continue }
                let whole = gain(of: order, in: order.indices, states[0])
                if whole > total {
                    total = whole
                    best = order
                }
            }
            guard let best else { continue }
            entries = best
            states = self.states(of: entries)
            hasImproved = true
        }
        return hasImproved
    }

    /// Returns the loop's state before each row of an order.
    private func states(of order: [Int]) -> [OracleClock.State] {
        var states = [clock.start]
        for row in order {
            states.append(clock.after(costs[row], clock.ready(states[states.count - 1])))
        }
        return states
    }

    /// Returns the number of frames in which the rows at these places of an order are visible and
    /// loaded.
    private func gain(
        of order: [Int], in places: some Sequence<Int>, _ state: OracleClock.State
    ) -> Int {
        var state = state
        var sum = 0
        for place in places {
            state = clock.ready(state)
            sum += view.visibleFrames(of: order[place], from: view.firstFrame(after: state.time))
            state = clock.after(costs[order[place]], state)
        }
        return sum
    }
}
