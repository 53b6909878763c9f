internal import LullLibC
internal import ScrollModel

/// The user's last gestures, which predict the rows that the next gesture may show.
struct GestureForecast {
    private struct Gesture {
        /// The distance in px.
        var reach: Double
        /// Whether it continued in the direction of the gesture before.
        var isOnward: Bool
        /// The greatest speed in px per second.
        var speed: Double

        /// Returns the distance from its start within which rows come into view before they could
        /// be loaded, in px.
        ///
        /// The first load takes a while, and where rows are passed faster than they load, a part of
        /// the way is lost: (1 − r/v) of it at a speed v, if loads keep up with r.
        func head(_ pace: LoadPace, height: Double) -> Double {
            let speed = ValueTuning.caution * speed
            let lost = max(0, 1 - height / (pace.viewport * speed))
            return min(reach, pace.lag * speed + lost * reach)
        }
    }

    /// The time that loads take, in seconds.
    struct LoadPace {
        /// The time until a load is finished.
        var lag: Double
        /// The time that a viewport of rows takes.
        var viewport: Double

        /// The time for a viewport, as a multiple of the time in which a quick gesture passes it.
        var slowness: Double { viewport / ValueTuning.passing }
    }

    /// A distance that the next gesture may cover, and the row there.
    private struct Passing {
        var row: Int
        /// The distance beyond the edge of the viewport, in px.
        var gap: Double
        /// The number of times that it was covered before any gesture, as assumed.
        var prior: Double
        /// The probability that it is covered.
        var seen: Double
    }

    /// A row that the next gesture may show.
    struct Guess {
        var row: Int
        /// The probability that it is shown.
        var likelihood: Double
        /// The distance beyond the edge of the viewport, in px.
        var gap: Double
        /// The probability divided by the load's cost, which is a multiple of the usual one.
        var figure: Double
    }

    /// The maximum number of rows considered on either side that aren't loaded; the next guesses take
    /// up the others.
    static let mostRows = 500

    private var gestures: [Gesture] = []
    private var rest = 0.0
    private var speed = 0.0
    private var farthest: Double?
    private var isDown = true

    /// Whether a gesture has ended.
    var hasGestures: Bool { !gestures.isEmpty }

    /// Processes a frame: a gesture lasts from one rest to the next.
    ///
    /// - Returns: Whether a gesture has ended.
    mutating func note(offset: Double, velocity: Double, isResting: Bool) -> Bool {
        if farthest == nil {
            if isResting { rest = offset } else { farthest = 0 }
        }
        guard var way = farthest else { return false }
        speed = max(speed, abs(velocity))
        if abs(offset - rest) > abs(way) { way = offset - rest }
        farthest = way
        guard isResting else { return false }
        if abs(way) > 8 {
            gestures.append(
                Gesture(reach: abs(way), isOnward: (way > 0) == isDown, speed: speed))
            if gestures.count > ValueTuning.memory { gestures.removeFirst() }
            isDown = way > 0
        }
        (farthest, speed) = (nil, 0)
        rest = offset
        return abs(way) > 8
    }

    /// Moves the current gesture along with a list whose offset has moved by `shift` px.
    mutating func shift(by shift: Double) {
        rest += shift
    }

    /// Discards the current gesture, since the list was scrolled without one.
    mutating func restart(at offset: Double) {
        (farthest, speed) = (nil, 0)
        rest = offset
    }

    /// The number of gestures, and of others that are assumed.
    private var count: Double {
        ValueTuning.guess + ValueTuning.endings + Double(gestures.count)
    }

    /// Returns the probability that the next gesture reaches beyond `gap` px on one side, where a
    /// row is.
    ///
    /// `isOnly` says that the list can't move to the other side.
    private func passing(
        of row: Int, _ gap: Double, isOnward: Bool, isOnly: Bool, height: Double
    ) -> Passing {
        let share = isOnly ? 1 : isOnward ? 1 - ValueTuning.turning : ValueTuning.turning
        let prior = ValueTuning.guess * share * exp(-gap / (ValueTuning.guessedReach * height))
        var seen = prior
        for gesture in gestures where gesture.isOnward == isOnward && gesture.reach > gap {
            seen += 1
        }
        return Passing(row: row, gap: gap, prior: prior, seen: seen / count)
    }

    /// Returns the probability that the next gesture covers a distance before a load that begins with
    /// it is finished.
    private func missed(
        _ passing: Passing, isOnward: Bool, height: Double, pace: LoadPace, at price: WorkPrice
    ) -> Double {
        // Before any gesture, nobody knows how quick they are, or whether the loader keeps pace.
        let least = hasGestures ? 0 : 1 - price.level
        var missed = passing.prior * min(1, max(least, pace.slowness))
        for gesture in gestures where gesture.isOnward == isOnward {
            if gesture.head(pace, height: height) > passing.gap { missed += 1 }
        }
        return missed / count
    }

    /// Returns the rows around a flight's end that are likely enough to be seen next, the likeliest for
    /// their costs first: one that takes long would keep several others waiting.
    ///
    /// A row is judged by the probability that it is seen before it could be loaded: rows that load as
    /// fast as they are passed needn't be loaded before; while work is cheap, they are before the first
    /// gesture. The required probability depends on the price and on the waste of late; a fetch
    /// off the loop costs the loop nothing, but a transfer occupies the link.
    ///
    /// - Returns: The rows, and whether others were left out because there are too many.
    func guesses(
        around flight: ListScenario, in viewport: Viewport, direction: Int,
        loads: any LoadStatus, by scale: CostScale, waste: Double
    ) -> (rows: [Guess], isPartial: Bool) {
        let (rows, offset) = (flight.landing, flight.target)
        guard let last = rows.last else { return ([], false) }
        let span =
            viewport.list.extent(ofRowAt: last).end
            - viewport.list.extent(ofRowAt: rows.lowerBound).offset
        let rowsInView = viewport.height / (span / Double(rows.count))
        let limit = ValueTuning.reach(at: scale.price) * viewport.height
        let required = ValueTuning.likelihood(at: scale.price, waste: waste)
        // If nothing is fetched, the whole cost of a load is the loop's.
        let least = scale.fetchShare > 0 ? 0 : required(.infinity)
        let usual = max(scale.usualShare, scale.transfer, scale.fetchShare, 1e-6)
        let keeps = scale.capacity != nil
        var guesses: [Guess] = []
        var isPartial = false
        var (passings, asked): ([Passing], [Int]) = ([], [])
        for isDown in [true, false] {
            let isOnward = isDown == (direction > 0)
            let isOnly = isDown ? offset <= 0 : offset >= viewport.maximumOffset
            let beyond = viewport.list.visibleRows(
                offset: isDown ? offset + viewport.height : offset - limit, height: limit)
            var (step, unloaded) = (0, 0)
            while step < beyond.count, unloaded <= Self.mostRows {
                passings.removeAll(keepingCapacity: true)
                while step < beyond.count, passings.count < LoadPlan.mostUnasked {
                    let row = beyond[isDown ? step : beyond.count - 1 - step]
                    step += 1
                    guard !rows.contains(row) else { continue }
                    let extent = viewport.list.extent(ofRowAt: row)
                    let gap =
                        isDown ? extent.offset - offset - viewport.height : offset - extent.end
                    let passing = passing(
                        of: row, gap, isOnward: isOnward, isOnly: isOnly, height: viewport.height)
                    if passing.seen < least {
                        step = beyond.count  // It falls with distance.
                        break
                    }
                    passings.append(passing)
                }
                asked.removeAll(keepingCapacity: true)
                for passing in passings { asked.append(passing.row) }
                var place = 0
                loads.forEachLoad(ofRows: asked) { progress, hint in
                    let passing = passings[place]
                    place += 1
                    let isLoaded = progress == .settled
                    guard keeps || !isLoaded else { return }
                    if !isLoaded { unloaded += 1 }
                    guard unloaded <= Self.mostRows else { return isPartial = true }
                    let known = isLoaded ? loads.costHint(ofRow: passing.row) : hint
                    let cost = known?.inSeconds ?? scale.usual
                    let scarce = max(scale.share(of: cost), scale.transfer)
                    // What is loaded for others is free.
                    let unit = max(scarce, scale.fetchShare, 1e-6)
                    let pace = LoadPace(lag: cost + scale.lag, viewport: unit * rowsInView)
                    // A loaded row stays: else it might be loaded again when the mean cost changes.
                    let likelihood =
                        isLoaded
                        ? passing.seen
                        : missed(
                            passing, isOnward: isOnward, height: viewport.height, pace: pace,
                            at: scale.price)
                    guard likelihood >= required(pace.slowness) * scarce / unit else { return }
                    guesses.append(
                        Guess(
                            row: passing.row, likelihood: passing.seen, gap: passing.gap,
                            figure: passing.seen * usual / unit))
                }
            }
        }
        func order(_ guess: Guess) -> Double { 1e-7 * guess.gap - guess.figure }
        guesses.sort { (order($0), $0.row) < (order($1), $1.row) }
        guard scale.isLinkScarce else { return (guesses, isPartial) }
        return (
            Array(guesses.prefix(Int(ValueTuning.transferring / scale.transfer))), isPartial
        )
    }
}
