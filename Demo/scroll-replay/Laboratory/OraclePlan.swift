internal import Glibc
internal import LullTesting
internal import ReplayText
internal import ScrollModel

/// The order of loads that leaves as little blank as possible, given when each row is visible and
/// what it costs.
///
/// A greedy search finds a first order: it always takes the row with the greatest gain for its cost
/// and the soonest need. A local search then moves single rows as long as that gains something.
///
/// If the memory is limited, each stay of a row is an entry of its own, and waits until there is
/// room for it.
struct OraclePlan {
    private let view: OracleView
    private let clock: OracleClock
    /// The cost of each row in nanoseconds, as ``OracleClock`` counts.
    private let costs: [Int64]
    /// The share of the scarce resource, loop, lanes or fetches, that each load takes.
    private let shares: [Double]
    private let usual: Double
    /// Whether each entry's row may be in the memory before: it has other stays, or was there at first.
    private let mayBeKept: [Bool]
    /// The places of rows in the view, in the order of loading.
    private(set) var entries: [Int]
    private let start: State
    private let frameTime: Double

    /// The state of the loop and of the memory, if that is limited.
    private struct State {
        var loop: OracleClock.State
        var memory: OracleMemory?
    }

    /// Creates a plan for the rows of a view, or for their stays if the memory is limited; `cost`
    /// returns the cost of a row by its number.
    init(
        _ view: OracleView, _ clock: OracleClock, options: ReplayOptions, memory: Int?,
        loaded: RowSet, cost: (Int) -> Duration
    ) {
        self.view = view
        self.clock = clock
        let costs = view.rows.map { cost($0.number).nanoseconds }
        self.costs = costs
        let fetch = Double(options.latency.nanoseconds) / Double(options.fetches)
        let lanes = Double(max(1, options.lanes))
        shares = costs.map { max(Double($0) / lanes, fetch, 1) }
        usual = shares.isEmpty ? 1 : shares.reduce(0, +) / Double(shares.count)
        frameTime = 1e9 / Double(options.hz)
        let stays = Dictionary(grouping: view.rows, by: \.number)
        mayBeKept = view.rows.map { loaded.contains($0.number) || stays[$0.number]?.count != 1 }
        var start = State(
            loop: clock.start, memory: memory.map { OracleMemory(capacity: $0) })
        for row in loaded { start.memory?.keep(row, until: 0, at: 0) }
        self.start = start
        entries = view.rows.indices.filter {
            memory != nil || !loaded.contains(view.rows[$0].number)
        }
        let missing = entries
        var best: (entries: [Int], gain: Int) = ([], -1)
        for patience in [2.0, 4.0] + (options.lanes > 0 ? [0] : []) {
            // With lanes, the order in which rows come into view is often a good one, too.
            entries = patience > 0 ? guess(missing, patience) : missing
            var rounds = 8
            while improve(), rounds > 0 { rounds -= 1 }
            let gain = gain(of: entries, in: entries.indices, start)
            if gain > best.gain { best = (entries, gain) }
        }
        entries = best.entries
        guard memory != nil else { return }
        // Rows for which there is no room in time would keep others from loading.
        var state = start
        entries = best.entries.filter { load($0, &state) > 0 }
    }

    /// Returns a first order of rows by a greedy search.
    private func guess(_ rows: [Int], _ patience: Double) -> [Int] {
        var left = rows
        var order: [Int] = []
        var state = start
        while true {
            clock.prepare(&state.loop)
            let loop = state.loop
            func frame(_ row: Int) -> Int { clock.firstFrame(after: costs[row], loop) }
            left.removeAll { view.nextStay(of: $0, from: frame($0)) == nil }
            // Rows that become visible much later need not be considered.
            let values = left.prefix(100).map { value(of: $0, from: frame($0), patience) }
            guard let best = values.indices.max(by: { values[$0] < values[$1] }) else {
                return order
            }
            let row = left.remove(at: best)
            order.append(row)
            _ = load(row, &state)
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

    /// Returns the state before each row of an order.
    private func states(of order: [Int]) -> [State] {
        var states = [start]
        for row in order {
            var state = states[states.count - 1]
            _ = load(row, &state)
            states.append(state)
        }
        return states
    }

    /// Returns the number of frames in which the rows at these places of an order are visible and
    /// loaded.
    private func gain(
        of order: [Int], in places: some Sequence<Int>, _ state: State
    ) -> Int {
        var state = state
        var sum = 0
        for place in places {
            sum += load(order[place], &state)
        }
        return sum
    }

    /// Loads a row, and returns the number of frames in which it is visible from then on.
    ///
    /// If the memory is limited, waits until there is room. A row that is still there costs
    /// nothing, and one that will be over by then is left out.
    private func load(_ entry: Int, _ state: inout State) -> Int {
        let row = view.rows[entry]
        if mayBeKept[entry], state.memory?.renew(row.number, until: row.end) == true {
            return view.visibleFrames(of: entry, from: 0)
        }
        // There is always room for a row in view.
        let before = state.memory == nil ? nil : state.loop
        clock.prepare(&state.loop, from: state.memory.map { min($0.firstRoom, row.start) } ?? 0)
        let frame = clock.firstFrame(after: costs[entry], state.loop)
        if let before, row.end <= frame {
            state.loop = before
            return 0
        }
        state.memory?.keep(row.number, until: row.end, at: frame)
        clock.run(costs[entry], &state.loop)
        return view.visibleFrames(of: entry, from: frame)
    }
}
