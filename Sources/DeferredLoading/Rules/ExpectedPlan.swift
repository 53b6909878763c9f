internal import Glibc
internal import IdleLoop
internal import ScrollModel

/// The loads from one moment on, and the reasons for them.
struct ExpectedPlan {
    /// The most rows a plan weighs, whatever the list and its viewport.
    ///
    /// Rows in view that are there are looked at besides, once for each path.
    static let mostRows = 1_000
    /// The number of rows whose loads are asked for at once.
    private static let mostUnasked = 64

    /// The place of a load in the order.
    private struct Rank {
        let place: Int
        let row: Int
        /// Whether it has a place in the timetable, if there's one.
        var fits = false
        var figure: Double

        /// Whether it comes before another: by what fits, and then by the greater figure.
        static func < (one: Rank, other: Rank) -> Bool {
            if one.fits != other.fits { return one.fits }
            return one.figure == other.figure ? one.row < other.row : one.figure > other.figure
        }
    }

    private(set) var scale: ExpectedScale
    private(set) var flights: [ExpectedFlight] = []
    /// The rows to look at on each of them, if that isn't all.
    private var samples: [Set<Int>?] = []
    private(set) var loads: [ExpectedLoad] = []
    /// The rows of the last loads, of which it isn't known yet how far they are.
    private var unasked: [Int] = []
    private var order: [Rank] = []
    private var timetable: ExpectedTimetable

    /// No loads.
    init(tuning: ExpectedValue.Configuration) {
        scale = ExpectedScale(tuning: tuning)
        timetable = ExpectedTimetable(scale)
    }

    /// Calls `body` with the rows that are worth loading, in the order in which they should be.
    func forEachWanted(_ body: (_ row: Int, _ urgency: Urgency) -> Void) {
        for rank in order { body(rank.row, loads[rank.place].urgency) }
    }

    /// Plans anew from a moment on, in the storage of the plan before.
    mutating func update(to moment: ScrollMoment, _ facts: any LoadFacts) {
        let visible = moment.viewport.visibleRows
        scale.update(to: moment, facts, row: visible.first)
        let margin = scale.tuning.margin
        flights.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        ExpectedPath.forEach(from: moment, by: scale.tuning) {
            let flight = ExpectedFlight($0, in: moment.viewport, visible: visible, margin: margin)
            flights.append(flight)
            samples.append(flight.sample(on: scale.frames, in: moment.viewport, visible: visible))
        }
        loads.removeAll(keepingCapacity: true)
        collect(in: moment.viewport, visible: visible, facts)
        ask(facts)
        sort()
    }

    // MARK: - Which rows

    /// Finds the rows that some path shows, each with the frames that do.
    private mutating func collect(
        in viewport: Viewport, visible: Range<Int>, _ facts: any LoadFacts
    ) {
        guard let likeliest = flights.max(by: { $0.path.weight < $1.path.weight }) else { return }
        let (flights, samples) = (flights, samples)
        func considers(_ row: Int, _ place: Int) -> Bool {
            samples[place]?.contains(row) ?? flights[place].widened.contains(row)
        }
        for place in flights.indices {
            let sample = samples[place]?.sorted()
            let widened = flights[place].widened
            for number in 0..<(sample?.count ?? widened.count) {
                let row = sample?[number] ?? widened.lowerBound + number
                guard loads.count < Self.mostRows else { return }
                guard !(0..<place).contains(where: { considers(row, $0) }) else { continue }
                let extent = viewport.list.extent(ofRowAt: row)
                var showings = ExpectedLoad.Showings(repeating: .never)
                var best = ExpectedLoad.Showing.never
                for other in place..<flights.count where considers(row, other) {
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
                    ExpectedLoad(row: row, urgency: urgency, showings: showings, likeliest: best))
                unasked.append(row)
                if unasked.count == Self.mostUnasked || loads.count == Self.mostRows { ask(facts) }
            }
        }
    }

    /// Asks how far the last loads are, and keeps those of which something is left to do.
    private mutating func ask(_ facts: any LoadFacts) {
        let scale = scale
        var next = loads.count - unasked.count
        var end = next
        facts.forEachLoad(ofRows: unasked) { progress, hint in
            if progress != .settled {
                if end < next { loads[end] = loads[next] }
                scale.estimate(&loads[end], progress, hint?.inSeconds)
                scale.weigh(&loads[end])
                end += 1
            }
            next += 1
        }
        loads.removeLast(loads.count - end)
        unasked.removeAll(keepingCapacity: true)
    }

    // MARK: - In what order

    /// Puts what is wanted in order: by its priority, and where a timetable can be trusted, what finds
    /// a place in it before the rest.
    ///
    /// It can where all costs are known, or are so small against a frame that their mean will do.
    private mutating func sort() {
        order.removeAll(keepingCapacity: true)
        var isKnown = true
        for place in loads.indices where loads[place].verdict == .wanted {
            isKnown = isKnown && loads[place].isCostKnown
            let figure = loads[place].whole / loads[place].unit
            order.append(Rank(place: place, row: loads[place].row, figure: figure))
        }
        if isKnown || scale.isSmall {
            order.sort(by: <)
            timetable.clear(scale)
            for index in order.indices {
                order[index].fits = timetable.take(loads[order[index].place])
            }
        }
        for index in order.indices { order[index].figure = loads[order[index].place].priority }
        order.sort(by: <)
    }
}
