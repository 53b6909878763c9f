internal import IdleLoop
package import ScrollModel

/// The rule `value`: first what gains the most time in view for its cost, before it's too late.
///
/// At each frame and each move of a finger it looks at the ways that the list may go from now on,
/// each as likely as it is, and at the frames that will be shown. A row's load gains the seconds for
/// which frames would show the row that otherwise showed a blank; a row that is gone before it could
/// be there gains nothing, and isn't loaded. Of the others comes first
///
/// ```text
/// gain / cost · e^(−slack / (s + k · usual cost))
/// ```
///
/// where slack is the time by which it could be put off: the rule "apparent tardiness cost" of
/// machine scheduling. A load that gains less than some seconds in view for a second of work isn't
/// worth it. Where the source says what each row costs, a timetable keeps rows that will be seen for
/// long from being pushed out by many that flash past.
///
/// When the list rests, or is about to, the rows follow that the next gesture is likely to show, by
/// what the gestures before it did; and after a long rest the list's first and last page. It needs
/// no fingers, but makes use of them: they are a frame ahead of the list. How long a fling lasts it
/// takes from the forecast, until frames show how the list slows down.
///
/// Frames, moves of a finger, its lift and changes of the rows are answered, and a question without
/// an event; as no plan outlives the frame after it, a catch, a turn, an edge or a jump is taken in
/// within a frame.
package struct ExpectedValue: LoadingPolicy {
    /// The tuning.
    package let configuration: Configuration

    private var next = ExpectedNext()
    private var plan: ExpectedPlan
    private var guesses: [ExpectedNext.Guess] = []
    private var pinned: [Int] = []
    /// The last answer, and the storage of the one before it.
    private var (answer, spare): ([Wanted<Int>], [Wanted<Int>]) = ([], [])

    /// The rule, tuned by these numbers.
    package init(configuration: Configuration = .init()) {
        self.configuration = configuration
        plan = ExpectedPlan(tuning: configuration)
    }

    /// Returns what is worth loading, in order; nil at events that say nothing new.
    package mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        note(moment)
        switch moment.event {
        case .frame, .changed, .moved, .up, .jumpBegan, .jumpEnded, nil: break
        case .down, .cancelled, .wheel, .key: return nil
        }
        plan.update(to: moment, loads)
        guesses = []
        pinned = []
        let reach = plan.flights.reduce(0) { max($0, $1.reach) }
        if let flight = plan.flights.first,
            moment.motion.isResting || reach < moment.viewport.height
        {
            guesses = next.guesses(
                around: flight, in: moment.viewport, direction: moment.motion.direction,
                loads: loads, by: plan.scale)
        }
        if moment.motion.timeAtRest(at: moment.now).inSeconds >= configuration.pinning {
            pinned = pages(of: moment.viewport, loads)
        }
        order()
        return answer
    }

    /// Takes in what has happened, without being asked what is wanted then: a small part of the cost.
    package mutating func note(_ moment: ScrollMoment) {
        switch moment.event {
        case .frame:
            let isResting = moment.motion.isResting && !moment.motion.isTouched
            next.note(
                offset: moment.viewport.offset, isResting: isResting,
                memory: configuration.memory)
        case .changed: next.restart(at: moment.viewport.offset)
        default: break
        }
    }

    /// The rows of the first and the last page that aren't there yet, up to 500 of each.
    private func pages(of viewport: Viewport, _ loads: any LoadFacts) -> [Int] {
        let first = viewport.visibleRows(at: viewport.minimumOffset)
        let last = viewport.visibleRows(at: viewport.maximumOffset)
        func missing(in rows: Range<Int>) -> [Int] {
            Array(rows.lazy.filter { loads.progress(ofRow: $0) != .settled }.prefix(500))
        }
        let behind = max(first.upperBound, last.lowerBound)
        return missing(in: first) + missing(in: behind..<max(behind, last.upperBound))
    }

    /// Answers all that was found, in order; no row is less urgent than one that comes after it.
    ///
    /// The same array again, if it's the same answer.
    private mutating func order() {
        spare.removeAll(keepingCapacity: true)
        plan.forEachWanted { spare.append(Wanted($0, urgency: $1, rank: spare.count)) }
        if !guesses.isEmpty || !pinned.isEmpty {
            var seen = Set(spare.lazy.map(\.key))
            func add(_ row: Int, _ urgency: Urgency) {
                guard seen.insert(row).inserted else { return }
                spare.append(Wanted(row, urgency: urgency, rank: spare.count))
            }
            for guess in guesses { add(guess.row, .speculative) }
            for row in pinned { add(row, .pinned) }
        }
        var least = Urgency.speculative
        for place in spare.indices.reversed() {
            least = max(least, spare[place].urgency)
            spare[place].urgency = least
        }
        if spare != answer { swap(&spare, &answer) }
    }

    // MARK: - Why

    /// When a row comes into view and for how long, when it could be there, and what that gains; or
    /// why it is left alone.
    package func explanation(ofRow row: Int) -> String? {
        guard let load = plan.loads.first(where: { $0.row == row }) else {
            return speculation(aboutRow: row)
        }
        return Self.words(for: load, interval: plan.scale.frames.interval)
    }

    /// Why a row may be wanted that no path leads to.
    private func speculation(aboutRow row: Int) -> String? {
        if let guess = guesses.first(where: { $0.row == row }) {
            let percent = Int((guess.likelihood * 100).rounded())
            return
                "\(Int(guess.gap.rounded())) px beyond the edge, seen next \(percent) times in 100"
        }
        return pinned.contains(row) ? "on the first or last page" : "not on the way"
    }

    private static func words(for load: ExpectedLoad, interval: Double) -> String {
        let (showing, entry) = (load.likeliest, load.likeliest.entry)
        let time = (showing.last - showing.first + 1) * interval
        let seen =
            (entry <= 0 ? "in view" : "in view in \(seconds(entry))")
            + (time.isFinite ? " for \(seconds(time))" : " to stay")
            + ", ready in \(seconds(load.ready))"
        switch load.verdict {
        case .wanted:
            return "\(seen): \(seconds(load.gain)) gained for \(milliseconds(load.cost))"
        case .worthless:
            return "\(seen): only \(seconds(load.gain)) gained for \(milliseconds(load.cost))"
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
