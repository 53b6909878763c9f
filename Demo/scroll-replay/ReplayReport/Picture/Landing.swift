internal import DeferredLoading
internal import IdleLoop
internal import LullTesting

/// A time at which the list came to rest, and the time at which all rows then on screen were
/// loaded.
struct Landing: Equatable {
    /// The input that set the list in motion.
    enum Cause: Int {
        /// None: the list was there from the start.
        case start
        /// The lift or cancellation of a touch.
        case lift
        /// A turn of the wheel.
        case wheel
        /// A key press.
        case key
        /// None: the list moved by itself.
        case motion
    }

    /// The input that set the list in motion.
    var cause: Cause
    /// The time of that input, in nanoseconds.
    var origin: Int64
    /// The time at which the list came to rest.
    var rest: Int64
    /// The time at which every row of the resting viewport was loaded; nil if that never happened.
    var complete: Int64?

    /// The time from the input until every row was loaded.
    var wait: Int64? { complete.map { max(0, $0 - origin) } }

    /// Returns the landings of a log; a rest takes at least 100 ms, as in its figures.
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
