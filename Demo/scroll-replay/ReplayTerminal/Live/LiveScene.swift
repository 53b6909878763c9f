package import DeferredLoading
package import IdleLoop
package import Laboratory
package import LullTesting
internal import ScrollModel

/// The content of the live screen, as a value.
package struct LiveScene: Sendable {
    /// The loading state of a row.
    package enum RowState: Equatable, Sendable {
        /// The row is loaded.
        case loaded
        /// Loading has failed.
        case failed
        /// Loading has taken this time so far.
        case loading(Duration)
        /// Loading has taken this time so far, and a preview is available.
        case refined(Duration)
        /// The fetch is in progress.
        case fetching
        /// The row waits in the queue.
        case waiting
        /// The row isn't wanted.
        case unwanted
    }

    /// A row on screen.
    package struct Row: Sendable {
        package var row: Int
        /// The distance of the row's top from the viewport's top, in px.
        package var top: Double
        package var height: Double
        package var state: RowState
        /// The picture to show, if there is one.
        package var picture: LivePicture?
    }

    /// A row that is wanted and not loaded.
    package struct Job: Sendable {
        package var row: Int
        package var urgency: Urgency
        package var rank: Int
        package var state: RowState
    }

    /// The predicted landing of a fling.
    package struct Landing: Equatable, Sendable {
        package var target: Double
        package var rows: Range<Int>
    }

    /// A frame that was shown.
    package struct Frame: Equatable, Sendable {
        /// The share of the time from this frame's due time to the next one's for which the loop
        /// worked.
        package var busy: Double
        /// The time from when the frame was due to its end, in frame periods.
        package var span: Double
        package var isLate: Bool
        package var missing: Int
    }

    package var trace = ""
    package var policy = ""
    package var engine = ""
    package var setting = ""
    package var hz = 60
    /// The current time and the end of the trace.
    package var time = Instant.zero
    package var end = Instant(nanoseconds: 1)
    package var speed = 1.0
    package var isPaused = false
    package var isHelpShown = false
    /// A message that is shown briefly.
    package var message: String?

    package var offset = 0.0
    package var viewportHeight = 800.0
    package var rows: [Row] = []
    package var jobs: [Job] = []
    package var landing: Landing?
    /// The only rows that the rule wants while its gate is closed.
    package var gate: Range<Int>?
    /// The last frames.
    package var frames: [Frame] = []
    /// The last decisions, the newest at the end.
    package var lines: [StoryLine] = []
    package var figures = Figures()

    /// Creates an empty scene.
    package init() {}

    /// Whether the trace is over.
    package var isOver: Bool { time >= end }

    // MARK: - Replay

    /// Updates the scene to a replay's state at a time; the replay must be logged.
    ///
    /// `picture` returns the picture in a row's value, or nil if it has none.
    package mutating func update(
        from replay: Replay, at time: Instant, picture: (any Sendable) -> LivePicture?
    ) {
        guard let log = replay.log else { return }
        self.time = time
        end = replay.end
        figures = replay.figures
        frames = LiveScene.frames(in: log, 400)
        lines = LiveScene.lines(in: log, 60)
        viewportHeight = log.viewportHeight
        offset = log.frames.last?.offset ?? offset
        let wanted = replay.wanted
        let wishes = Set(wanted.map(\.key))
        rows = (log.frames.last?.visible ?? RowSet(0..<0)).map { row in
            let extent = log.list.extent(ofRowAt: row)
            return Row(
                row: row, top: extent.offset - offset, height: extent.height,
                state: LiveScene.state(of: row, in: replay, isWanted: wishes.contains(row)),
                picture: replay.state(ofRow: row).shown.flatMap(picture))
        }
        jobs = wanted.compactMap { wish in
            let state = LiveScene.state(of: wish.key, in: replay, isWanted: true)
            guard state != .loaded, state != .failed else { return nil }
            return Job(row: wish.key, urgency: wish.urgency, rank: wish.rank, state: state)
        }
        .sorted { ($1.urgency, $0.rank, $0.row) < ($0.urgency, $1.rank, $1.row) }
        landing = LiveScene.landing(in: log)
        gate = (replay.policy as? ListRule)?.gate
    }

    private static func state(of row: Int, in replay: Replay, isWanted: Bool) -> RowState {
        var hasPicture = false
        switch replay.state(ofRow: row) {
        case .loaded: return .loaded
        case .failed: return .failed
        case .refined: hasPicture = true
        case .placeholder, .queued, .fetching, .loading: break
        }
        switch replay.progress(ofRow: row) {
        case .begun(let spent):
            guard isWanted else { return .unwanted }
            return hasPicture ? .refined(spent) : .loading(spent)
        case .fetching: return .fetching
        case .none, .fetched, .settled: return isWanted ? .waiting : .unwanted
        }
    }

    /// Returns the last frames, each with the load of the loop.
    private static func frames(in log: ReplayLog, _ count: Int) -> [Frame] {
        let last = log.frames.suffix(count)
        guard let first = last.first else { return [] }
        var work = last.map { $0.end - $0.start }
        func add(from start: Instant, to end: Instant, _ index: inout Int) {
            while index > 0, last[last.startIndex + index].due > start { index -= 1 }
            work[index] += end - start
        }
        var index = work.count - 1
        for slice in log.slices.reversed() {
            guard slice.start >= first.due else { break }
            add(from: slice.start, to: slice.end, &index)
        }
        index = work.count - 1
        for input in log.inputs.reversed() {
            guard input.start >= first.due else { break }
            add(from: input.start, to: input.end, &index)
        }
        return zip(last, work).map { frame, work in
            let period = max(.nanoseconds(1), frame.deadline - frame.due)
            return Frame(
                busy: work / period, span: (frame.end - frame.due) / period,
                isLate: frame.isLate, missing: frame.missing.count)
        }
    }

    /// Returns the last decisions, without changes of rank within an urgency.
    private static func lines(in log: ReplayLog, _ count: Int) -> [StoryLine] {
        var lines: [StoryLine] = []
        for decision in log.decisions.reversed() {
            if lines.count == count || decision.time == .zero { break }
            if case .moved(let from, let to, _) = decision.kind, from == to { continue }
            lines.append(StoryLine(decision, place: nil))
        }
        return lines.reversed()
    }

    /// Returns the predicted landing of the last lift, until the next input.
    private static func landing(in log: ReplayLog) -> Landing? {
        guard let last = log.predictions.last else { return nil }
        let later = log.inputs.reversed().prefix { $0.start >= last.time }
        guard !later.contains(where: { InputKind($0.input).endsFling }) else { return nil }
        return Landing(
            target: last.target,
            rows: log.list.visibleRows(offset: last.target, height: log.viewportHeight).bounds)
    }
}
