internal import DeferredLoading
package import LullTesting
internal import ScrollModel

extension LiveScene {
    /// Takes in how a replay stands, at a time; its options must have it logged.
    ///
    /// `bitmap` makes a picture of a row's value; nil where there's none.
    package mutating func update(
        from replay: Replay, at time: Int64, bitmap: (any Sendable) -> Bitmap?
    ) {
        guard let log = replay.log else { return }
        self.time = time
        end = replay.end
        figures.update(from: log)
        frames = Array(log.frames.suffix(400))
        viewportHeight = log.viewportHeight
        offset = log.frames.last?.offset ?? offset
        let wanted = replay.wanted
        let wishes = Set(wanted.map(\.key))
        rows = (log.frames.last?.visible ?? 0..<0).map { row in
            let extent = log.list.extent(ofRowAt: row)
            return Row(
                row: row, top: extent.offset - offset, height: extent.height,
                state: LiveScene.state(of: row, in: replay, isWanted: wishes.contains(row)),
                bitmap: replay.state(ofRow: row).value.flatMap(bitmap))
        }
        jobs = wanted.compactMap { wish in
            let state = LiveScene.state(of: wish.key, in: replay, isWanted: true)
            guard state != .loaded, state != .failed else { return nil }
            return Job(row: wish.key, urgency: wish.urgency, rank: wish.rank, state: state)
        }
        .sorted { ($1.urgency, $0.rank, $0.row) < ($0.urgency, $1.rank, $1.row) }
        landing = LiveScene.landing(in: log)
        gate = (replay.policy as? LandingRows)?.gate
    }

    private static func state(of row: Int, in replay: Replay, isWanted: Bool) -> RowState {
        switch replay.state(ofRow: row) {
        case .loaded: return .loaded
        case .failed: return .failed
        case .placeholder, .queued, .loading: break
        }
        switch replay.progress(ofRow: row) {
        case .begun(let spent):
            let (seconds, attoseconds) = spent.components
            return isWanted
                ? .loading(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) : .unwanted
        case .fetching: return .fetching
        case .none, .fetched, .settled: return isWanted ? .waiting : .unwanted
        }
    }

    /// Where the last lift was expected to lead, as long as nothing else has come in.
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
