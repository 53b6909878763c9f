internal import IdleLoop
package import ScrollModel

/// The rule `value`: the most time in view for its cost comes first, and rows that come too late
/// are left out.
///
/// At each frame and each move of a finger the rule considers the paths that the list may take,
/// each with its probability, and the frames that will be shown. The gain of a row's load is the
/// time for which frames would show the row instead of a placeholder; a row that leaves before it
/// could be loaded gains nothing, and isn't loaded. The others are loaded in the order of
///
/// ```text
/// gain / cost · e^(−slack / (s + k · usual cost))
/// ```
///
/// where slack is the time by which the load could be deferred: the rule "apparent tardiness cost"
/// of machine scheduling. A load must gain as many seconds in view as its work costs at the present
/// ``WorkPrice``. If the source knows the cost of each row, a timetable keeps rows that will be in
/// view for long from being displaced by many that are in view briefly.
///
/// When the list rests, or is about to, or work is cheap, the rows follow that the next gesture is
/// likely to show, judging by earlier gestures, and by how many of such rows were of use; after a
/// long rest the list's first and last page, or all of a short list while work is cheap. Of limited
/// room, rows have it that come into view first, those included that are loaded. The rule
/// needs no finger positions, but uses them: they are a frame ahead of the list. The duration of a
/// fling is taken from the forecast until frames show how the list decelerates.
///
/// Frames, moves of a finger, its lift and changes of the rows are answered, and a question without
/// an event; as no plan outlives the frame after it, a catch, a turn, an edge or a jump is taken in
/// within a frame.
package struct ValueRule: LoadingPolicy {
    private var next = GestureForecast()
    private var outcomes = LoadOutcomes()
    /// Whether a gesture has ended of which the outcomes aren't counted yet.
    private var hasEnded = false
    private var plan = LoadPlan()
    private var guesses: [GestureForecast.Guess] = []
    /// Whether the last answer leaves out rows because there are too many for one.
    package private(set) var isPartial = false
    /// The rows far from the viewport that are wanted, and the reason.
    private var pinned: (rows: [Int], reason: String) = ([], "")
    /// The last answer, and the storage of the one before it.
    private var (answer, spare): ([Wanted<Int>], [Wanted<Int>]) = ([], [])

    /// A rule before any event.
    package init() {}

    /// Returns the rows that are worth loading, in order; nil at events that bring no new
    /// information.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        _ = note(moment)
        switch moment.event {
        case .frame, .changed, .moved, .up, .jumpBegan, .jumpEnded, nil: break
        case .down, .cancelled, .wheel, .key: return nil
        }
        if hasEnded { outcomes.judge(in: moment.viewport, loads) }
        hasEnded = false
        plan.update(to: moment, loads)
        guesses = []
        pinned.rows = []
        isPartial = plan.isPartial
        let reach = plan.flights.reduce(0) { max($0, $1.reach) }
        if let flight = plan.flights.first,
            moment.motion.isResting || reach < moment.viewport.height
                || plan.scale.price < .neutral && !plan.scale.isLinkScarce
        {
            // A touch leaves the guesses of a list that was just opened alone, unless they would keep
            // workers from the fling.
            let isHeld = next.hasGestures || plan.scale.fetchShare > plan.scale.usualShare
            let inFling = moment.motion.isFling || moment.motion.isTouched && isHeld
            let next = next.guesses(
                around: flight, in: moment.viewport, direction: moment.motion.direction,
                loads: loads, by: plan.scale, waste: outcomes.waste(inFling: inFling))
            guesses = next.rows
            isPartial = isPartial || next.isPartial
        }
        if isShort(moment.viewport.list) {
            pinned = (
                rows(around: moment.viewport.visibleRows, in: moment.viewport.list),
                "in a short list, while work is cheap"
            )
        } else if moment.motion.timeAtRest(at: moment.now) >= ValueTuning.pinning {
            pinned = (pages(of: moment.viewport, loads), "on the first or last page")
        }
        if plan.scale.capacity == nil {
            pinned.rows.removeAll { loads.progress(ofRow: $0) == .settled }
        }
        // While it moves, each frame makes another plan.
        isPartial = isPartial && moment.motion.velocity == 0
        order(loads)
        return answer
    }

    /// Processes an event; what is wanted is computed when it's asked for.
    package mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame:
            let isResting = moment.motion.isResting && !moment.motion.isTouched
            outcomes.note(visible: moment.viewport.visibleRows)
            if next.note(
                offset: moment.viewport.offset, velocity: moment.motion.velocity,
                isResting: isResting)
            {
                hasEnded = true
            }
        case .changed(let shift):
            if let shift {
                next.shift(by: shift)
            } else {
                next.restart(at: moment.viewport.offset)
            }
            outcomes.restart()
            answer = []  // its rows have other numbers now
        default: break
        }
        return nil
    }

    /// Returns whether a list is so short, and work so cheap, that all of it is loaded.
    private func isShort(_ list: ListLayout) -> Bool {
        list.rowCount <= min(ValueTuning.short, plan.scale.capacity ?? .max)
            && plan.scale.price.level < ValueTuning.cheap
    }

    /// Returns all rows of a list outside the bounds of a set, the nearest first.
    private func rows(around rows: RowSet, in list: ListLayout) -> [Int] {
        (0..<list.rowCount).flatMap { gap in
            [rows.upperBound + gap, rows.lowerBound - 1 - gap]
        }.filter { 0 <= $0 && $0 < list.rowCount && list.hasPixels(rowAt: $0) }
    }

    /// Returns the rows of the first and the last page, up to 500 of each that aren't loaded; the
    /// next answer takes up the others.
    private mutating func pages(of viewport: Viewport, _ loads: any LoadStatus) -> [Int] {
        let first = viewport.visibleRows(at: 0)
        let last = viewport.visibleRows(at: viewport.maximumOffset)
        var rows: [Int] = []
        for page in [Array(first), last.filter { $0 >= first.upperBound }] {
            var unloaded = 0
            for row in page {
                if loads.progress(ofRow: row) != .settled { unloaded += 1 }
                guard unloaded <= 500 else {
                    isPartial = true
                    break
                }
                rows.append(row)
            }
        }
        return rows
    }

    /// Puts the answer in order; no row is less urgent than one that comes after it.
    ///
    /// If the answer is unchanged, the same array is kept. With limited room, rows that are loaded
    /// are wanted too, as otherwise others would replace them before they are seen.
    private mutating func order(_ loads: any LoadStatus) {
        spare.removeAll(keepingCapacity: true)
        plan.forEachWanted { spare.append(Wanted($0, urgency: $1, rank: spare.count)) }
        let fetched = fetchesUnderWay(loads)
        if !guesses.isEmpty || !pinned.rows.isEmpty || !plan.kept.isEmpty || !fetched.isEmpty {
            var seen = Set<Int>(minimumCapacity: spare.count + guesses.count + fetched.count)
            for wish in spare { seen.insert(wish.key) }
            let most = plan.scale.capacity ?? .max
            func add(_ row: Int, _ urgency: Urgency) {
                guard seen.count < most, seen.insert(row).inserted else { return }
                spare.append(Wanted(row, urgency: urgency, rank: spare.count))
            }
            for (row, _) in plan.kept { add(row, .speculative) }
            for row in fetched { add(row, .speculative) }
            for guess in guesses { add(guess.row, .speculative) }
            for row in pinned.rows { add(row, .pinned) }
        }
        var least = Urgency.speculative
        for place in spare.indices.reversed() {
            least = max(least, spare[place].urgency)
            spare[place].urgency = least
        }
        guard spare != answer else { return }
        swap(&spare, &answer)
        outcomes.add(answer)
    }

    /// Returns the rows wanted before that are being fetched, as many as there are places that
    /// nothing else needs: a fetch that nobody waits for is cancelled for nothing, and the row may be
    /// wanted again at the next notch of a wheel.
    private func fetchesUnderWay(_ loads: any LoadStatus) -> ArraySlice<Int> {
        guard loads.fetches > 0, plan.scale.price < .neutral else { return [] }
        let free = loads.fetches - plan.fetchCount
        guard free > 0 else { return [] }
        let wanted = Set(spare.lazy.map(\.key))
        return answer.lazy.map(\.key).filter { row in
            guard !wanted.contains(row), case .fetching = loads.progress(ofRow: row) else {
                return false
            }
            return true
        }.prefix(free)
    }

    // MARK: - Explanations

    /// Returns when and for how long a row is in view, when it could be loaded, and the gain; or
    /// why it is not loaded.
    package func explanation(ofRow row: Int) -> String? {
        guard let load = plan.loads.first(where: { $0.row == row }) else {
            return speculation(aboutRow: row)
        }
        return words(for: load)
    }

    /// Returns why a row may be wanted that is on no path.
    private func speculation(aboutRow row: Int) -> String? {
        if let guess = guesses.first(where: { $0.row == row }) {
            let percent = Int((guess.likelihood * 100).rounded())
            return
                "\(Int(guess.gap.rounded())) px beyond the edge, seen next \(percent) times in 100"
        }
        return pinned.rows.contains(row) ? pinned.reason : "not on the way"
    }

    private func words(for load: CandidateLoad) -> String {
        let scale = plan.scale
        let (showing, entry) = (load.likeliest, load.likeliest.entry)
        let time = (showing.last - showing.first + 1) * scale.frames.interval
        let seen =
            (entry <= 0 ? "in view" : "in view in \(Self.seconds(entry))")
            + (time.isFinite ? " for \(Self.seconds(time))" : " to stay")
            + ", ready in \(Self.seconds(load.ready))"
        let work = Self.milliseconds(load.cost)
        switch load.verdict {
        case .wanted:
            return "\(seen): \(Self.seconds(load.gain)) gained for \(work)"
        case .worthless:
            let least = scale.leastGain(of: load, isFetching: load.isFetching)
            return "\(seen): only \(Self.seconds(load.gain)) gained for \(work), "
                + "which are worth \(Self.seconds(least))"
        case .crowded:
            return "\(seen): the link has no time for its \(Self.milliseconds(load.unit))"
        case .late:
            return "\(seen): gone before it could be there"
        }
    }

    private static func seconds(_ value: Double) -> String { "\(rounded(value, to: 100)) s" }

    private static func milliseconds(_ value: Double) -> String {
        "\(rounded(value * 1000, to: 10)) ms"
    }

    private static func rounded(_ value: Double, to parts: Double) -> String {
        let result = (value * parts).rounded() / parts
        return result == result.rounded() && abs(result) < 1e15
            ? String(Int64(result)) : String(result)
    }
}
