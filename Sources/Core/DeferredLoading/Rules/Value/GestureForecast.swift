internal import Glibc
internal import ScrollModel

/// The user's last gestures, which predict the rows that the next gesture may show.
struct GestureForecast {
    private struct Gesture {
        /// The distance in px.
        var reach: Double
        /// Whether it continued in the direction of the gesture before.
        var isOnward: Bool
    }

    /// A row that the next gesture may show.
    struct Guess {
        var row: Int
        /// The probability that it is shown.
        var likelihood: Double
        /// The distance beyond the edge of the viewport, in px.
        var gap: Double
    }

    /// The maximum number of rows considered on either side.
    static let mostRows = 500

    private var gestures: [Gesture] = []
    private var rest = 0.0
    private var farthest: Double?
    private var isDown = true

    /// Processes a frame: a gesture lasts from one rest to the next.
    ///
    /// - Returns: Whether a gesture has ended.
    mutating func note(offset: Double, isResting: Bool) -> Bool {
        if farthest == nil {
            if isResting { rest = offset } else { farthest = 0 }
        }
        guard var way = farthest else { return false }
        if abs(offset - rest) > abs(way) { way = offset - rest }
        farthest = way
        guard isResting else { return false }
        if abs(way) > 8 {
            gestures.append(Gesture(reach: abs(way), isOnward: (way > 0) == isDown))
            if gestures.count > ValueTuning.memory { gestures.removeFirst() }
            isDown = way > 0
        }
        farthest = nil
        rest = offset
        return abs(way) > 8
    }

    /// Discards the current gesture, since the positions of rows have changed.
    mutating func restart(at offset: Double) {
        farthest = nil
        rest = offset
    }

    /// Returns the probability that the next gesture reaches beyond `gap` px on one side; `isOnly`
    /// says that the list can't move to the other side.
    func likelihood(
        ofPassing gap: Double, isOnward: Bool, isOnly: Bool = false, height: Double,
        at price: WorkPrice = .neutral
    ) -> Double {
        let share = isOnly ? 1 : isOnward ? 1 - ValueTuning.turning : ValueTuning.turning
        let reach =
            gestures.isEmpty ? ValueTuning.firstReach(at: price) : ValueTuning.guessedReach
        var sum = ValueTuning.guess * share * exp(-gap / (reach * height))
        for gesture in gestures where gesture.isOnward == isOnward && gesture.reach > gap {
            sum += 1
        }
        return sum / (ValueTuning.guess + ValueTuning.endings + Double(gestures.count))
    }

    /// Returns the rows around a flight's end that are likely enough to be seen next, the likeliest
    /// first.
    ///
    /// The required probability depends on the time to load a viewport of rows, compared with the
    /// time in which a quick gesture passes it: rows that load as fast as they are passed needn't
    /// be loaded before; while work is cheap, they are before the first gesture. It also depends on
    /// the waste if a row isn't seen: a fetch off the loop costs the loop nothing.
    func guesses(
        around flight: ListScenario, in viewport: Viewport, direction: Int,
        loads: any LoadStatus, by scale: CostScale, waste: Double
    ) -> [Guess] {
        let (rows, offset) = (flight.landing, flight.target)
        guard let last = rows.last else { return [] }
        let span =
            viewport.list.extent(ofRowAt: last).end
            - viewport.list.extent(ofRowAt: rows.lowerBound).offset
        let rowsInView = viewport.height / (span / Double(rows.count))
        let limit = ValueTuning.reach(at: scale.price) * viewport.height
        let required = ValueTuning.likelihood(at: scale.price, waste: waste)
        // If nothing is fetched, the whole cost of a load is the loop's.
        let least = scale.fetchShare > 0 ? 0 : required
        let keeps = scale.capacity != nil
        // Before any gesture, nobody knows how quick they are, or whether the loader keeps pace.
        let leastSlowness = gestures.isEmpty ? max(0, 1 - scale.price.level) : 0
        var guesses: [Guess] = []
        for isDown in [true, false] {
            let step = isDown ? 1 : -1
            let isOnly =
                isDown ? offset <= viewport.minimumOffset : offset >= viewport.maximumOffset
            let first = isDown ? rows.upperBound : rows.lowerBound - 1
            for row in stride(from: first, to: first + step * Self.mostRows, by: step) {
                guard row >= 0, row < viewport.list.rowCount else { break }
                let extent = viewport.list.extent(ofRowAt: row)
                let gap =
                    isDown ? extent.offset - offset - viewport.height : offset - extent.end
                guard gap < limit else { break }
                let likelihood = likelihood(
                    ofPassing: gap, isOnward: isDown == (direction > 0), isOnly: isOnly,
                    height: viewport.height, at: scale.price)
                guard likelihood >= least else { break }  // it falls with distance
                guard keeps || loads.progress(ofRow: row) != .settled else { continue }
                let cost = loads.costHint(ofRow: row)?.inSeconds ?? scale.usual
                let unit = max(cost, scale.fetchShare)
                let slowness = max(
                    leastSlowness, min(1, unit * rowsInView / ValueTuning.passing))
                guard likelihood * slowness >= required * cost / unit else {
                    continue
                }
                guesses.append(Guess(row: row, likelihood: likelihood, gap: gap))
            }
        }
        func order(_ guess: Guess) -> Double { 1e-7 * guess.gap - guess.likelihood }
        return guesses.sorted { (order($0), $0.row) < (order($1), $1.row) }
    }
}
