internal import Glibc
internal import IdleLoop
internal import ScrollModel

/// What is to be loaded from one moment on, and why.
struct ExpectedPlan {
    /// Where a row is seen, by the likeliest path.
    enum Place {
        case visible, landing, approach, margin
    }

    /// What loads cost at the moment, in seconds.
    struct Costs {
        let loads: any LoadFacts
        /// The usual cost on the loop.
        let usual: Double
        /// The usual time of a fetch, at first what it is said to be; 0 if nothing is fetched.
        let fetch: Double
        /// A fetch's share of the workers.
        let fetchShare: Double

        init(_ loads: any LoadFacts, row: Int?, unknown: Double) {
            self.loads = loads
            usual = loads.usualCost?.inSeconds ?? unknown
            let fetch = loads.usualFetch ?? row.flatMap { loads.fetchHint(ofRow: $0) }
            self.fetch = fetch?.inSeconds ?? 0
            fetchShare = self.fetch / Double(max(1, loads.fetches))
        }
    }

    /// How many rows a plan weighs at most, whatever the list and its viewport.
    ///
    /// Rows in view that are there are looked at besides, once for each path.
    static let mostRows = 1_000

    let tuning: ExpectedValue.Configuration
    let costs: Costs
    let now: Double
    let frames: ExpectedFrames
    let flights: [ExpectedFlight]
    private(set) var loads: [ExpectedLoad] = []
    /// Rows that are worth loading, in the order in which they should be.
    private(set) var order: [ExpectedLoad] = []

    init(_ moment: ScrollMoment, _ loads: any LoadFacts, tuning: ExpectedValue.Configuration) {
        self.tuning = tuning
        now = moment.now.seconds
        frames = ExpectedFrames(
            now: now, last: (moment.motion.lastFrame ?? moment.time).seconds,
            interval: moment.motion.frameInterval)
        let visible = moment.viewport.visibleRows
        costs = Costs(loads, row: visible.first, unknown: tuning.unknownCost)
        flights = ExpectedPath.all(from: moment, by: tuning).map {
            ExpectedFlight($0, in: moment.viewport, visible: visible, margin: tuning.margin)
        }
        collect(in: moment.viewport, visible: visible)
        weigh()
        sort()
    }

    // MARK: - Which rows

    /// Finds the rows that some path shows, each with the frames that do.
    private mutating func collect(in viewport: Viewport, visible: Range<Int>) {
        // Where a row's load is; nil inside if there's nothing to load.
        var places: [Int: Int?] = [:]
        for flight in flights {
            for row in flight.candidates(on: frames, in: viewport, visible: visible) {
                let known = places[row]
                if let known, known == nil { continue }
                if known == nil, loads.count == Self.mostRows { continue }
                guard let showing = showing(of: row, in: flight, viewport: viewport) else {
                    continue
                }
                if let place = known ?? nil {
                    loads[place].showings.append(showing)
                } else if var load = load(of: row) {
                    places[row] = .some(loads.count)
                    load.showings = [showing]
                    loads.append(load)
                } else {
                    places[row] = .some(nil)
                }
            }
        }
        guard let likeliest = flights.max(by: { $0.path.weight < $1.path.weight }) else { return }
        for index in loads.indices {
            let row = loads[index].row
            loads[index].urgency =
                visible.contains(row)
                ? .visible
                : likeliest.landing.contains(row)
                    ? .landing : likeliest.rows.contains(row) ? .approach : .margin
        }
    }

    private func showing(
        of row: Int, in flight: ExpectedFlight, viewport: Viewport
    ) -> ExpectedLoad.Showing? {
        var weight = flight.path.weight
        var (entry, exit) = (flight.restTime, Double.infinity)
        if flight.rows.contains(row) {
            let extent = viewport.list.extent(ofRowAt: row)
            guard let passage = flight.passage(from: extent.offset, to: extent.end) else {
                return nil
            }
            (entry, exit) = passage
        } else {
            weight *= tuning.marginShare
        }
        let first = max(0, frames.number(at: entry))
        let last = frames.number(at: exit) - 1
        guard last >= first else { return nil }
        weight *= exp(-entry / tuning.trust)
        return ExpectedLoad.Showing(weight: weight, first: first, last: last, entry: entry)
    }

    /// What is left to do for a row; nil if nothing is.
    private func load(of row: Int) -> ExpectedLoad? {
        let progress = costs.loads.progress(ofRow: row)
        // Of most rows there's no need to ask what they would cost.
        if progress == .settled { return nil }
        let hint = costs.loads.costHint(ofRow: row)?.inSeconds
        var cost = max(1e-4, hint ?? costs.usual)
        var fetch = 0.0
        var unit = 0.0
        var isFetching = false
        switch progress {
        case .settled: return nil
        case .none:
            fetch = costs.fetch
            unit = costs.fetchShare
        case .fetching(let since):
            isFetching = true
            if costs.fetch > 0 { fetch = max(0, since.seconds + costs.fetch - now) }
        case .fetched: break
        case .begun(let spent):
            if spent > .zero { cost = max(3e-4, cost - spent.inSeconds) }
        }
        unit = max(cost, unit)
        return ExpectedLoad(
            row: row, cost: cost, fetch: fetch, unit: unit, lag: max(0, fetch + cost - unit),
            isCostKnown: hint != nil, isFetching: isFetching)
    }

    // MARK: - What for

    /// Says what each load gains, and how soon it should be begun.
    private mutating func weigh() {
        let usual = max(costs.usual, costs.fetchShare)
        for index in loads.indices {
            var load = loads[index]
            load.gain = frames.gain(
                of: load, readyAt: load.fetch + load.cost / tuning.share, cap: tuning.cap)
            if let likeliest = load.likeliest {
                load.entry = likeliest.entry
                load.time = (likeliest.last - likeliest.first + 1) * frames.interval
            }
            if load.gain <= 0 {
                load.verdict = .late
            } else if load.gain > tuning.leastGain(of: load) {
                load.verdict = .wanted
                load.whole = frames.gain(of: load, readyAt: 0, cap: tuning.cap)
                let slack = max(0, load.entry - load.ready)
                load.priority =
                    load.gain / load.unit * exp(-slack / (tuning.slack + tuning.patience * usual))
            }
            loads[index] = load
        }
    }

    // MARK: - In what order

    /// Puts what is wanted in order: by its priority, and where a timetable can be trusted, what finds
    /// a place in it before the rest.
    ///
    /// It can where all costs are known, or are so small against a frame that their mean will do.
    private mutating func sort() {
        let wanted = loads.filter { $0.verdict == .wanted }
        func byPriority(_ loads: [ExpectedLoad]) -> [ExpectedLoad] {
            loads.sorted { ($1.priority, $0.row) < ($0.priority, $1.row) }
        }
        let isSmall = max(costs.usual, costs.fetchShare) < tuning.small * frames.interval
        guard isSmall || wanted.allSatisfy({ $0.isCostKnown }) else {
            order = byPriority(wanted)
            return
        }
        var timetable = ExpectedTimetable(tuning: tuning, frames: frames)
        let byDensity = wanted.sorted {
            ($1.whole / $1.unit, $0.row) < ($0.whole / $0.unit, $1.row)
        }
        let fits = byDensity.map { timetable.take($0) }
        let places = zip(byDensity, fits)
        order =
            byPriority(places.filter(\.1).map(\.0)) + byPriority(places.filter { !$0.1 }.map(\.0))
    }
}
