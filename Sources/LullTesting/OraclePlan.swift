internal import Glibc

/// In which order to load rows so that as little as possible is blank, for somebody who knows when
/// each is on screen and what it costs.
///
/// A first order is found step by step, always taking the row that has most to gain for its cost and
/// the soonest need. Then single rows are moved to and fro as long as that gains something.
struct OraclePlan {
    /// The rows in the order in which to load them, those not worth it left out.
    private(set) var order: [Int] = []

    private let view: OracleView
    private let clock: OracleClock
    private let costs: [Int64]
    /// The part that a load takes of whatever is short: the loop, or the fetches.
    private let shares: [Double]
    private let usual: Double
    private var entries: [Int]
    private let frameTime: Double

    /// A plan for the rows of a view; `cost` is that of the row of a number, in nanoseconds.
    init(
        _ view: OracleView, _ clock: OracleClock, options: ReplayOptions, loaded: Range<Int>,
        cost: (Int) -> Int64
    ) {
        self.view = view
        self.clock = clock
        let costs = view.rows.map { cost($0.number) }
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

    /// Finds a first order of rows.
    private func guess(_ rows: [Int], _ patience: Double) -> [Int] {
        var left = rows
        var order: [Int] = []
        var state = clock.start
        while true {
            state = clock.ready(state)
            let frame = view.firstFrame(after: state.time)
            left.removeAll { view.nextStay(of: $0, from: frame) == nil }
            // Those that come on screen much later needn't be looked at.
            let values = left.prefix(100).map { value(of: $0, from: frame, patience) }
            guard let best = values.indices.max(by: { values[$0] < values[$1] }) else {
                return order
            }
            let row = left.remove(at: best)
            order.append(row)
            state = clock.after(costs[row], state)
        }
    }

    /// Returns the value of loading a row now: the gain for its cost, less the later it's needed.
    private func value(of row: Int, from frame: Int, _ patience: Double) -> Double {
        guard let stay = view.nextStay(of: row, from: frame) else { return 0 }
        let gain = min(Double(stay.length) * frameTime, 0.3e9)
        let wait = Double(stay.start - frame) * frameTime
        return gain / shares[row] * exp(-wait / (patience * usual))
    }

    /// Moves each row to where that gains most; false if none could be moved.
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

    /// On how many frames the rows at these places of an order are on screen and loaded.
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
