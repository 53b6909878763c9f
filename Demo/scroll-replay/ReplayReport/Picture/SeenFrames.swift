internal import DeferredLoading
internal import IdleLoop
internal import LullTesting

/// The number of frames of a replay in which each row was visible and loaded.
struct SeenFrames {
    private let frames: [ReplayLog.Frame]
    private var absent: [Int: Int] = [:]

    init(_ log: ReplayLog) {
        frames = log.frames
        let decisions = log.decisions
        var failed: Set<Int> = []
        var next = 0
        for frame in frames {
            while next < decisions.count, decisions[next].time.nanoseconds <= frame.end {
                let decision = decisions[next]
                switch decision.kind {
                case .failed: failed.insert(decision.key)
                case .finished, .invalidated, .evicted: failed.remove(decision.key)
                default: break
                }
                next += 1
            }
            for row in frame.missing { absent[row, default: 0] += 1 }
            for row in failed where frame.visible.contains(row) { absent[row, default: 0] += 1 }
        }
    }

    /// Returns the number of frames in which a row was visible and loaded.
    ///
    /// O(n) in the frames.
    func count(ofRow row: Int) -> Int {
        frames.count { $0.visible.contains(row) } - absent[row, default: 0]
    }
}
