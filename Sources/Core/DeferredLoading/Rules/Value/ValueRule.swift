internal import IdleLoop
internal import LullLibC
package import ScrollModel

/// The rule `value`: the most time in view for its cost comes first, and rows that come too late
/// are left out.
///
/// At each frame and each move of a finger the rule considers the path that the list is likely to take,
/// and the frames that will be shown. The gain of a row's load is the time for which frames would show
/// the row instead of a placeholder; a row that leaves before it could be loaded gains nothing, and
/// isn't loaded. The others are loaded in the order of
///
/// ```text
/// gain / cost · e^(−slack / (k · usual cost))
/// ```
///
/// where slack is the time by which the load could be deferred. A load must gain as many seconds in view
/// as its work costs at the present ``WorkPrice``.
///
/// When the list rests, or is about to, or work is cheap, the rows follow that the next gesture is
/// likely to show, judging by earlier gestures. Of limited room, rows have it that come into view first,
/// those included that are loaded.
///
/// Frames, moves of a finger, its lift and changes of the rows are answered, and a question without
/// an event; as no plan outlives the frame after it, a catch, a turn, an edge or a jump is taken in
/// within a frame.
package struct ValueRule: LoadingPolicy {
    /// The maximum number of rows that an answer evaluates on the path, and beyond it on either side; the
    /// next one takes up the others.
    private static let (mostRows, mostGuesses) = (1_000, 500)

    private let tuning: ValueTuning
    private var next = NextGesture()
    private var scale: LoadScale?
    /// The rows on the path that aren't loaded, and those that the next gesture may show.
    private(set) var rows: [RowValue] = []
    private var guesses: [NextGesture.Guess] = []
    /// Whether the last answer leaves out rows because there are too many for one.
    package private(set) var isPartial = false
    private var answer: [Wanted<Int>]?

    /// A rule before any event.
    package init(_ tuning: ValueTuning = .init()) {
        self.tuning = tuning
    }

    /// Returns the rows that are worth loading, in order; nil at events that bring no new
    /// information.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        _ = note(moment)
        switch moment.event {
        case .frame, .changed, .moved, .up, .jumpBegan, .jumpEnded, nil: break
        case .down, .cancelled, .wheel, .key: if answer != nil { return nil }
        }
        let (viewport, motion) = (moment.viewport, moment.motion)
        let visible = viewport.visibleRows
        let scale = LoadScale(moment, loads, row: visible.first, tuning)
        let path = ListPath(
            from: moment, visible: visible, isCheap: scale.price < .neutral, tuning)
        self.scale = scale
        isPartial = false
        let loaded = evaluate(path, viewport, visible, loads, scale)
        guesses = []
        if motion.isResting || path.reach < viewport.height
            || scale.price < .neutral && !scale.isLinkScarce
        {
            let more = next.guesses(
                around: path, in: viewport, direction: motion.direction, loads: loads, by: scale,
                tuning, most: Self.mostGuesses)
            guesses = more.rows
            isPartial = isPartial || more.isPartial
        }
        // While it moves, each frame makes another plan.
        isPartial = isPartial && motion.velocity == 0
        return order(path, visible, loaded, loads, scale)
    }

    /// Processes an event; what is wanted is computed when it's asked for.
    package mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame: next.noteFrame(moment, tuning)
        case .changed(let shift):
            next.noteChange(shift: shift, offset: moment.viewport.offset)
            answer = nil  // its rows have other numbers now
        default: break
        }
        return nil
    }

    /// Evaluates the rows on a path; returns those that are loaded, if room is limited, with the times at
    /// which they come into view.
    private mutating func evaluate(
        _ path: ListPath, _ viewport: Viewport, _ visible: RowSet, _ loads: any LoadStatus,
        _ scale: LoadScale
    ) -> [(row: Int, entry: Double)] {
        let candidates = path.candidates(
            on: scale.frames, in: viewport, visible: visible, most: Self.mostRows)
        rows.removeAll(keepingCapacity: true)
        var loaded: [(row: Int, entry: Double)] = []
        var (start, asked): (Int, [Int]) = (0, [])
        while start < candidates.count {
            guard rows.count < Self.mostRows else {
                isPartial = true
                break
            }
            // In parts, as most may be loaded.
            let part = rows.count
            asked.removeAll(keepingCapacity: true)
            let end = min(candidates.count, start + min(64, Self.mostRows - part))
            for place in start..<end {
                let row = candidates[place]
                guard
                    let value = RowValue(
                        row, viewport.list.extent(ofRowAt: row), on: path, visible: visible,
                        scale.frames)
                else { continue }
                rows.append(value)
                asked.append(row)
            }
            start = end
            var (place, kept) = (part, part)
            loads.forEachLoad(ofRows: asked) { progress, hint in
                if progress != .settled {
                    if kept < place { rows[kept] = rows[place] }
                    scale.weigh(&rows[kept], progress, hint: hint?.inSeconds)
                    kept += 1
                } else if scale.capacity != nil {
                    loaded.append((rows[place].row, rows[place].entry))
                }
                place += 1
            }
            rows.removeLast(rows.count - kept)
        }
        return loaded
    }

    // MARK: - Order

    /// Returns the rows to load, in order: those on the path, loaded ones that are to stay, and guesses; no
    /// row is less urgent than one that comes after it.
    private mutating func order(
        _ path: ListPath, _ visible: RowSet, _ loaded: [(row: Int, entry: Double)],
        _ loads: any LoadStatus, _ scale: LoadScale
    ) -> [Wanted<Int>]? {
        var first = rows.filter { $0.verdict == .wanted }
        first.sort { ($1.priority, $0.row) < ($0.priority, $1.row) }
        if scale.isLinkScarce {
            // Nothing overtakes what was sent into a slow link: a row that is flown over would delay all
            // of those where the list lands, unless there is time for both.
            var free = Int(path.restTime / scale.transfer) - first.count { $0.isToStay }
            first.removeAll { row in
                if !row.isToStay { free -= 1 }
                return !row.isToStay && free < 0
            }
        }
        var loaded = loaded
        if let capacity = scale.capacity { fit(&first, &loaded, into: capacity, visible) }
        var wanted: [Wanted<Int>] = []
        var seen: Set<Int> = []
        let most = scale.capacity ?? .max
        func add(_ row: Int, _ urgency: Urgency) {
            guard wanted.count < most, seen.insert(row).inserted else { return }
            wanted.append(Wanted(row, urgency: urgency, rank: wanted.count))
        }
        for row in first {
            wanted.append(Wanted(row.row, urgency: row.urgency, rank: wanted.count))
            seen.insert(row.row)
        }
        for (row, _) in loaded { add(row, .speculative) }
        for guess in guesses { add(guess.row, .speculative) }
        var least = Urgency.speculative
        for place in wanted.indices.reversed() {
            least = max(least, wanted[place].urgency)
            wanted[place].urgency = least
        }
        if wanted != answer { answer = wanted }
        return answer
    }

    /// Leaves out the rows that come into view last, if more are wanted and kept than there is room
    /// for: they would displace rows that are seen earlier.
    ///
    /// Without a limit of time this is the optimal choice (Belady, 1966).
    private func fit(
        _ first: inout [RowValue], _ loaded: inout [(row: Int, entry: Double)],
        into capacity: Int, _ visible: RowSet
    ) {
        guard first.count + loaded.count > capacity else { return }
        func entry(_ row: Int, _ time: Double) -> Double { visible.contains(row) ? -1 : time }
        let entries =
            (loaded.map { entry($0.row, $0.entry) } + first.map { entry($0.row, $0.entry) })
            .sorted()
        let last = entries[max(0, capacity - 1)]
        // Of rows that come into view at once, those stay that are loaded; rows in view all stay.
        var places = last < 0 ? .max : capacity - entries.prefix { $0 < last }.count
        func displaces(_ entry: Double) -> Bool {
            if entry == last { places -= 1 }
            return entry > last || entry == last && places < 0
        }
        loaded.removeAll { displaces(entry($0.row, $0.entry)) }
        first.removeAll { displaces(entry($0.row, $0.entry)) }
    }

    // MARK: - Explanations

    /// Returns when and for how long a row is in view, when it could be loaded, and the gain; or
    /// why it is not loaded.
    package func explanation(ofRow row: Int) -> String? {
        if let value = rows.first(where: { $0.row == row }), let scale {
            return value.words(by: scale)
        }
        return guesses.first { $0.row == row }?.words ?? "not on the way"
    }
}
