internal import DeferredLoading
internal import IdleLoop
internal import LullTesting

/// A time at which the list rested, and when all that was then on screen was there.
struct Landing: Equatable {
    /// What the list was set in motion by.
    enum Cause: Int {
        /// The list was there from the first.
        case start
        /// A finger was lifted, or a touch taken away.
        case lift
        /// A wheel was turned.
        case wheel
        /// A key was pressed.
        case key
        /// The list moved by itself.
        case motion
    }

    /// What set the list in motion.
    var cause: Cause
    /// When that was, in nanoseconds.
    var origin: Int64
    /// When the list came to rest.
    var rest: Int64
    /// When every row of the resting viewport was there; nil if that never came.
    var complete: Int64?

    /// How long that took from what set the list in motion.
    var wait: Int64? { complete.map { max(0, $0 - origin) } }

    /// The landings of a log; rests are of 100 ms or more, as its figures have them.
    static func all(in log: ReplayLog) -> [Landing] {
        var settled: [Int: [Int64]] = [:]
        for decision in log.decisions {
            switch decision.kind {
            case .finished, .failed:
                settled[decision.key, default: []].append(decision.time.nanoseconds)
            default: break
            }
        }
        let frames = log.frames
        var landings: [Landing] = []
        var first = 0
        var previousEnd: Int64 = 0
        while first < frames.count {
            let run = frames[first...].prefix { $0.offset == frames[first].offset }
            let last = frames[run.endIndex - 1]
            if last.due - frames[first].due >= 100_000_000 {
                let full = run.first { $0.missing.isEmpty }
                let complete = full.map { frame in
                    frames[first].visible.reduce(Int64(0)) { latest, row in
                        max(latest, settled[row]?.last { $0 <= frame.end } ?? 0)
                    }
                }
                let (cause, origin) = cause(
                    ofRest: first, in: log, after: first == 0 ? -1 : previousEnd)
                landings.append(
                    Landing(
                        cause: cause, origin: origin, rest: frames[first].due, complete: complete))
                previousEnd = last.due
            }
            first = run.endIndex
        }
        return landings
    }

    private static func cause(
        ofRest first: Int, in log: ReplayLog, after previousEnd: Int64
    ) -> (Cause, Int64) {
        guard first > 0 else { return (.start, 0) }
        let rest = log.frames[first].due
        let before = log.inputs.last { input in
            guard input.time > previousEnd, input.time <= rest else { return false }
            switch input.input {
            case .up, .cancel, .wheel, .key: return true
            case .down, .move: return false
            }
        }
        switch before?.input {
        case .up, .cancel: return (.lift, before?.time ?? rest)
        case .wheel: return (.wheel, before?.time ?? rest)
        case .key: return (.key, before?.time ?? rest)
        default: return (.motion, max(0, previousEnd))
        }
    }
}
