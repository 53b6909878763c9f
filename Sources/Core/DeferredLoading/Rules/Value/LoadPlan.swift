internal import LullLibC
internal import IdleLoop
internal import ScrollModel

/// A plan of the loads from one moment on, and the reasons for them.
struct LoadPlan {
    /// The maximum number of rows that a plan evaluates, whatever the list and its viewport; the next
    /// one takes up the others.
    ///
    /// Rows in view that are loaded are considered in addition, once for each path.
    static let mostRows = 1_000
    /// The number of rows whose progress is queried at once.
    static let mostUnasked = 64

    /// The position of a load in the order.
    private struct Rank {
        let place: Int
        let row: Int
        /// Whether it has a place in the timetable, if there is one, or is to be the first in it.
        var fits = false
        var figure: Double

        /// Orders by whether a load fits in the timetable, and then by the greater figure.
        static func < (one: Rank, other: Rank) -> Bool {
            if one.fits != other.fits { return one.fits }
            return one.figure == other.figure ? one.row < other.row : one.figure > other.figure
        }
    }

    private(set) var scale = CostScale()
    private(set) var flights: [ListScenario] = []
    /// The rows to consider on each of the flights.
    private var samples: [RowSet] = []
    private(set) var loads: [CandidateLoad] = []
    /// Whether rows were left out because there are too many for one plan.
    private(set) var isPartial = false
    /// The rows on the paths that are loaded and are to be kept, if there is a limit.
    private(set) var kept: [(row: Int, entry: Double)] = []
    /// The rows of the last loads, whose progress isn't known yet.
    private var unasked: [Int] = []
    private var order: [Rank] = []
    private var timetable = LoadSchedule()

    /// Calls `body` with the rows that are worth loading, in the order in which to load them.
    func forEachWanted(_ body: (_ row: Int, _ urgency: Urgency) -> Void) {
        for rank in order { body(rank.row, loads[rank.place].urgency) }
    }

    /// The number of rows worth loading that must be fetched first.
    var fetchCount: Int { order.count { loads[$0.place].needsFetch } }

    /// Makes a new plan for a moment, in the storage of the old plan.
    mutating func update(to moment: ScrollState, _ facts: any LoadStatus) {
        let visible = moment.viewport.visibleRows
        scale.update(to: moment, facts, row: visible.first)
        flights.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        PathScenario.forEach(from: moment) {
            let flight = ListScenario($0, in: moment.viewport, visible: visible)
            flights.append(flight)
            samples.append(flight.sample(on: scale.frames, in: moment.viewport, visible: visible))
        }
        loads.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        isPartial = false
        collect(in: moment.viewport, visible: visible, facts)
        ask(facts)
        sort()
        if let capacity = scale.capacity { fit(into: capacity, visible) }
    }

    // MARK: - Rows

    /// Collects the rows that some path shows, each with the frames that show it.
    private mutating func collect(
        in viewport: Viewport, visible: RowSet, _ facts: any LoadStatus
    ) {
        guard let likeliest = flights.max(by: { $0.path.weight < $1.path.weight }) else { return }
        let (flights, samples) = (flights, samples)
        for place in flights.indices {
            for row in samples[place] {
                guard loads.count < Self.mostRows else { return isPartial = true }
                guard !(0..<place).contains(where: { samples[$0].contains(row) }) else { continue }
                let extent = viewport.list.extent(ofRowAt: row)
                var showings = CandidateLoad.Showings(repeating: .never)
                var best = CandidateLoad.Showing.never
                for other in place..<flights.count where samples[other].contains(row) {
                    let showing = scale.showing(of: row, extent, in: flights[other])
                    showings[other] = showing
                    if showing.weight > best.weight { best = showing }
                }
                guard best.weight >= 0 else { continue }
                let urgency: Urgency =
                    visible.contains(row)
                    ? .visible
                    : likeliest.landing.contains(row)
                        ? .landing : likeliest.rows.contains(row) ? .approach : .near
                loads.append(
                    CandidateLoad(row: row, urgency: urgency, showings: showings, likeliest: best))
                unasked.append(row)
                if unasked.count == Self.mostUnasked || loads.count == Self.mostRows { ask(facts) }
            }
        }
    }

    /// Queries the progress of the last loads, and keeps those that aren't finished.
    private mutating func ask(_ facts: any LoadStatus) {
        let scale = scale
        var next = loads.count - unasked.count
        var end = next
        facts.forEachLoad(ofRows: unasked) { progress, hint in
            if progress != .settled {
                if end < next { loads[end] = loads[next] }
                scale.estimate(&loads[end], progress, hint?.inSeconds)
                scale.weigh(&loads[end])
                end += 1
            } else if scale.capacity != nil {
                kept.append((loads[next].row, loads[next].likeliest.entry))
            }
            next += 1
        }
        loads.removeLast(loads.count - end)
        unasked.removeAll(keepingCapacity: true)
    }

    // MARK: - Order

    /// Orders the wanted loads by priority; if a timetable is reliable, loads that fit in it come
    /// first.
    ///
    /// A timetable is reliable if all costs are known, or are so small that their mean is good
    /// enough. Loads that don't fit in it come later, as there may be time for them after all.
    private mutating func sort() {
        order.removeAll(keepingCapacity: true)
        var isKnown = true
        for place in loads.indices where loads[place].verdict == .wanted {
            isKnown = isKnown && loads[place].isCostKnown
            let figure = loads[place].whole / loads[place].unit
            order.append(
                Rank(
                    place: place, row: loads[place].row,
                    fits: scale.isLinkScarce && loads[place].isToStay, figure: figure))
        }
        if isKnown || scale.isSmall {
            order.sort(by: <)
            timetable.clear(for: scale)
            for index in order.indices {
                order[index].fits = timetable.take(loads[order[index].place], index)
            }
            if scale.isLinkScarce { return follow() }
        }
        for index in order.indices { order[index].figure = loads[order[index].place].priority }
        order.sort(by: <)
    }

    /// Orders the loads by the timetable, and leaves out those that don't fit in it.
    ///
    /// Nothing overtakes what was sent into a slow link: a row that is flown over would delay all of
    /// those where the list lands. So those have their times first.
    private mutating func follow() {
        for rank in order where !rank.fits { loads[rank.place].verdict = .crowded }
        let count = order.count
        order = timetable.numbers.map { order[$0] }
        isPartial = isPartial || order.count < count
    }

    /// Leaves out the rows that come into view last, if more are wanted and kept than there is room
    /// for: they would displace rows that are seen earlier.
    ///
    /// Without a limit of time this is the optimal choice (Belady, 1966).
    private mutating func fit(into capacity: Int, _ visible: RowSet) {
        let excess = order.count + kept.count - capacity
        guard excess > 0 else { return }
        func entry(_ row: Int, _ time: Double) -> Double { visible.contains(row) ? -1 : time }
        func entry(_ rank: Rank) -> Double { entry(rank.row, loads[rank.place].likeliest.entry) }
        let entries = (kept.map { entry($0.row, $0.entry) } + order.map { entry($0) }).sorted()
        let last = entries[max(0, capacity - 1)]
        // Of rows that come into view at once, those stay that are loaded; rows in view all stay.
        var places = last < 0 ? .max : capacity - entries.prefix { $0 < last }.count
        func displaces(_ entry: Double) -> Bool {
            if entry == last { places -= 1 }
            return entry > last || entry == last && places < 0
        }
        kept.removeAll { displaces(entry($0.row, $0.entry)) }
        order.removeAll { displaces(entry($0)) }
    }
}
