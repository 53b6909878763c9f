internal import Glibc
internal import IdleLoop
internal import ScrollModel

/// The loads from one moment on, and the reasons for them.
struct ExpectedPlan {
    /// The costs of loads at the moment, in seconds.
    struct Costs {
        /// The usual cost on the loop.
        let usual: Double
        /// The usual time of a fetch, at first what it is said to be; 0 if nothing is fetched.
        let fetch: Double
        /// A fetch's share of the workers.
        let fetchShare: Double

        init(_ loads: any LoadFacts, row: Int?, unknown: Double) {
            usual = loads.usualCost?.inSeconds ?? unknown
            let fetch = loads.usualFetch ?? row.flatMap { loads.fetchHint(ofRow: $0) }
            self.fetch = fetch?.inSeconds ?? 0
            fetchShare = self.fetch / Double(max(1, loads.fetches))
        }
    }

    /// The most rows a plan weighs, whatever the list and its viewport.
    ///
    /// Rows in view that are there are looked at besides, once for each path.
    static let mostRows = 1_000

    let tuning: ExpectedValue.Configuration
    let costs: Costs
    let now: Double
    let frames: ExpectedFrames
    let flights: [ExpectedFlight]
    private(set) var loads: [ExpectedLoad] = []
    /// Rows that are worth loading, in the order in which they should be, by their places in `loads`.
    private(set) var order: [Int] = []

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
        collect(in: moment.viewport, visible: visible, loads)
        sort()
    }

    // MARK: - Which rows

    /// Finds the rows that some path shows, each with the frames that do.
    private mutating func collect(
        in viewport: Viewport, visible: Range<Int>, _ facts: any LoadFacts
    ) {
        guard let likeliest = flights.max(by: { $0.path.weight < $1.path.weight }) else { return }
        let samples = flights.map { $0.sample(on: frames, in: viewport, visible: visible) }
        func considers(_ row: Int, _ place: Int) -> Bool {
            samples[place]?.contains(row) ?? flights[place].widened.contains(row)
        }
        for place in flights.indices {
            for row in samples[place]?.sorted() ?? Array(flights[place].widened) {
                guard loads.count < Self.mostRows else { return }
                guard !(0..<place).contains(where: { considers(row, $0) }) else { continue }
                let extent = viewport.list.extent(ofRowAt: row)
                var showings = ExpectedLoad.Showings(repeating: nil)
                var best: ExpectedLoad.Showing?
                for other in place..<flights.count where considers(row, other) {
                    let showing = showing(of: row, extent, in: flights[other])
                    showings[other] = showing
                    if let showing, showing.weight > best?.weight ?? -1 { best = showing }
                }
                guard let best else { continue }
                let urgency: Urgency =
                    visible.contains(row)
                    ? .visible
                    : likeliest.landing.contains(row)
                        ? .landing : likeliest.rows.contains(row) ? .approach : .near
                load(row, urgency, showings, best, facts)
            }
        }
    }

    private func showing(
        of row: Int, _ extent: Extent, in flight: ExpectedFlight
    ) -> ExpectedLoad.Showing? {
        var weight = flight.path.weight
        var (entry, exit) = (flight.restTime, Double.infinity)
        if flight.rows.contains(row) {
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

    /// Adds what is left to do for a row, if anything is.
    private mutating func load(
        _ row: Int, _ urgency: Urgency, _ showings: ExpectedLoad.Showings,
        _ likeliest: ExpectedLoad.Showing, _ facts: any LoadFacts
    ) {
        let progress = facts.progress(ofRow: row)
        // Of most rows there's no need to ask what they would cost.
        if progress == .settled { return }
        let hint = facts.costHint(ofRow: row)?.inSeconds
        var cost = max(1e-4, hint ?? costs.usual)
        var fetch = 0.0
        var unit = 0.0
        var isFetching = false
        switch progress {
        case .settled, .fetched: break
        case .none:
            fetch = costs.fetch
            unit = costs.fetchShare
        case .fetching(let since):
            isFetching = true
            if costs.fetch > 0 { fetch = max(0, since.seconds + costs.fetch - now) }
        case .begun(let spent):
            if spent > .zero { cost = max(3e-4, cost - spent.inSeconds) }
        }
        var load = ExpectedLoad(
            row: row, urgency: urgency, showings: showings, likeliest: likeliest, cost: cost,
            fetch: fetch, unit: max(cost, unit), isCostKnown: hint != nil, isFetching: isFetching)
        weigh(&load)
        loads.append(load)
    }

    // MARK: - What for

    /// Says what a load gains, and how soon it should be begun.
    private func weigh(_ load: inout ExpectedLoad) {
        load.gain = frames.gain(
            of: load, readyAt: load.fetch + load.cost / tuning.share, cap: tuning.cap)
        guard load.gain > 0 else { return load.verdict = .late }
        guard load.gain > tuning.leastGain(of: load) else { return }
        load.verdict = .wanted
        load.whole = frames.gain(of: load, readyAt: 0, cap: tuning.cap)
        let usual = max(costs.usual, costs.fetchShare)
        let slack = max(0, load.likeliest.entry - load.ready)
        load.priority =
            load.gain / load.unit * exp(-slack / (tuning.slack + tuning.patience * usual))
    }

    // MARK: - In what order

    /// Puts what is wanted in order: by its priority, and where a timetable can be trusted, what finds
    /// a place in it before the rest.
    ///
    /// It can where all costs are known, or are so small against a frame that their mean will do.
    private mutating func sort() {
        let wanted = loads.indices.filter { loads[$0].verdict == .wanted }
        let isSmall = max(costs.usual, costs.fetchShare) < tuning.small * frames.interval
        guard isSmall || wanted.allSatisfy({ loads[$0].isCostKnown }) else {
            order = sorted(wanted, by: \.priority)
            return
        }
        var timetable = ExpectedTimetable(tuning: tuning, frames: frames)
        var (fits, others): ([Int], [Int]) = ([], [])
        for place in sorted(wanted, by: { $0.whole / $0.unit }) {
            if timetable.take(loads[place]) { fits.append(place) } else { others.append(place) }
        }
        order = sorted(fits, by: \.priority) + sorted(others, by: \.priority)
    }

    /// Loads by a figure, the greatest first.
    private func sorted(_ places: [Int], by figure: (ExpectedLoad) -> Double) -> [Int] {
        places.map { (figure(loads[$0]), loads[$0].row, $0) }
            .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
    }
}
