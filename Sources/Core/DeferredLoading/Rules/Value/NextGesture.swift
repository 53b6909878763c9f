internal import IdleLoop
internal import LullLibC
internal import ScrollModel

/// The user's last gestures, which predict the rows that the next one may show.
struct NextGesture {
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
        /// The probability divided by the load's cost, which is a multiple of the usual one.
        var figure = 0.0
    }

    private var gestures: [Gesture] = []
    private var start = 0.0
    private var farthest: Double?
    private var isDown = true

    // MARK: - Gestures

    /// Processes a frame: a gesture lasts from one rest to the next.
    mutating func noteFrame(_ moment: ScrollState, _ tuning: ValueTuning) {
        let (offset, motion) = (moment.viewport.offset, moment.motion)
        let isResting = motion.isResting && !motion.isTouched
        if farthest == nil {
            if isResting { start = offset } else { farthest = 0 }
        }
        guard var way = farthest else { return }
        if abs(offset - start) > abs(way) { way = offset - start }
        farthest = way
        guard isResting else { return }
        if abs(way) > 8 {
            gestures.append(Gesture(reach: abs(way), isOnward: (way > 0) == isDown))
            if gestures.count > Int(tuning.memory) { gestures.removeFirst() }
            isDown = way > 0
        }
        (farthest, start) = (nil, offset)
    }

    /// Moves the current gesture along with a list whose rows have other places now, by `shift` px, or
    /// discards it, since the list was scrolled without one.
    mutating func noteChange(shift: Double?, offset: Double) {
        if let shift {
            start += shift
        } else {
            (farthest, start) = (nil, offset)
        }
    }

    // MARK: - Guesses

    /// Returns the rows around a path's end that are likely enough to be seen next, the likeliest for
    /// their costs first: one that takes long would keep several others waiting.
    ///
    /// Of gestures that go on, and of those that turn, it counts how many have passed a row. A row may also
    /// be seen by the second of two gestures that go on.
    func guesses(
        around path: ListPath, in viewport: Viewport, direction: Int, loads: any LoadStatus,
        by scale: LoadScale, _ tuning: ValueTuning, most: Int
    ) -> (rows: [Guess], isPartial: Bool) {
        let limit = tuning.reach * (1 + 4 * max(0, 1 - scale.price.level)) * viewport.height
        // A fetch off the loop costs the loop nothing.
        let own = max(1e-6, scale.share(of: scale.usual))
        let least = max(
            tuning.unlikely,
            tuning.likelihood * scale.price.level * own / max(own, scale.fetchShare))
        let count = tuning.assumed + Double(gestures.count)
        // Of the assumed gestures, those that pass a row, a power of the distance.
        func expected(_ gap: Double, _ share: Double) -> Double {
            tuning.assumed * share * pow(1 + gap / (1.5 * tuning.reach * viewport.height), -3)
        }
        var guesses: [Guess] = []
        var isPartial = false
        for isDown in [true, false] {
            let isOnward = isDown == (direction > 0)
            let isOnly = isDown ? path.target <= 0 : path.target >= viewport.maximumOffset
            let share = isOnly ? 1 : isOnward ? 1 - tuning.turning : tuning.turning
            let reaches = gestures.filter { $0.isOnward == isOnward }.map(\.reach)
            let beyond = viewport.list.visibleRows(
                offset: isDown ? path.target + viewport.height : path.target - limit, height: limit)
            var (step, unloaded) = (0, 0)
            while step < beyond.count, unloaded <= most {
                // In parts, as most may be loaded.
                var part: [Guess] = []
                while step < beyond.count, part.count < 64 {
                    let row = beyond[isDown ? step : beyond.count - 1 - step]
                    step += 1
                    guard !path.landing.contains(row) else { continue }
                    let extent = viewport.list.extent(ofRowAt: row)
                    let gap =
                        isDown
                        ? extent.offset - path.target - viewport.height : path.target - extent.end
                    func passing(_ gap: Double) -> Double {
                        (expected(gap, share) + Double(reaches.count { $0 > gap })) / count
                    }
                    var likelihood = passing(gap)
                    if isOnward { likelihood = max(likelihood, tuning.second * passing(gap / 2)) }
                    if likelihood < least { step = beyond.count }  // it falls with distance
                    guard likelihood >= least else { break }
                    part.append(Guess(row: row, likelihood: likelihood, gap: gap))
                }
                var place = 0
                loads.forEachLoad(ofRows: part.map(\.row)) { progress, hint in
                    defer { place += 1 }
                    let isLoaded = progress == .settled
                    guard scale.capacity != nil || !isLoaded else { return }
                    if !isLoaded { unloaded += 1 }
                    guard unloaded <= most else { return isPartial = true }
                    let cost = hint?.inSeconds ?? scale.usual
                    let unit = max(scale.share(of: cost), scale.transfer, scale.fetchShare, 1e-6)
                    part[place].figure = part[place].likelihood * scale.usualUnit / unit
                    guesses.append(part[place])
                }
            }
        }
        func order(_ guess: Guess) -> Double { 1e-7 * guess.gap - guess.figure }
        guesses.sort { (order($0), $0.row) < (order($1), $1.row) }
        // A scarce link isn't occupied for longer than two seconds.
        guard scale.isLinkScarce else { return (guesses, isPartial) }
        return (Array(guesses.prefix(Int(2 / scale.transfer))), isPartial)
    }
}

extension NextGesture.Guess {
    /// The reason why it may be loaded.
    var words: String {
        "\(Int(gap.rounded())) px beyond the edge, seen next \(Int((likelihood * 100).rounded())) "
            + "times in 100"
    }
}
