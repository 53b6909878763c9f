internal import DeferredLoading
internal import IdleLoop
package import LullTesting
internal import ScrollModel

extension LiveScene {
    /// Updates the scene to a replay's state at a time; the replay must be logged.
    ///
    /// `picture` returns the picture in a row's value, or nil if it has none.
    package mutating func update(
        from replay: Replay, at time: Int64, picture: (any Sendable) -> LivePicture?
    ) {
        guard let log = replay.log else { return }
        self.time = time
        end = replay.end
        figures.update(from: log)
        frames = LiveScene.frames(in: log, 400)
        lines = LiveScene.lines(in: log, 60)
        viewportHeight = log.viewportHeight
        offset = log.frames.last?.offset ?? offset
        let wanted = replay.wanted
        let wishes = Set(wanted.map(\.key))
        rows = (log.frames.last?.visible ?? 0..<0).map { row in
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
            let (seconds, attoseconds) = spent.components
            let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            return hasPicture ? .refined(nanoseconds) : .loading(nanoseconds)
        case .fetching: return .fetching
        case .none, .fetched, .settled: return isWanted ? .waiting : .unwanted
        }
    }

    /// Returns the last frames, each with the load of the loop.
    private static func frames(in log: ReplayLog, _ count: Int) -> [Frame] {
        let last = log.frames.suffix(count)
        guard let first = last.first else { return [] }
        var work = last.map { $0.end - $0.start }
        func add(from start: Int64, to end: Int64, _ index: inout Int) {
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
            let period = Double(max(1, frame.deadline - frame.due))
            return Frame(
                busy: Double(work) / period, span: Double(frame.end - frame.due) / period,
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
        let isOver = log.inputs.reversed().prefix { $0.start >= last.time }.contains { input in
            switch input.input {
            case .down, .wheel, .key: true
            case .move, .up, .cancel: false
            }
        }
        guard !isOver else { return nil }
        return Landing(
            target: last.target,
            rows: log.list.visibleRows(offset: last.target, height: log.viewportHeight))
    }
}
