internal import DeferredLoading
package import IdleLoop
internal import LullTesting

/// A time at which the list came to rest, and the time at which all rows then on screen were
/// loaded.
package struct Landing: Equatable, Sendable {
    /// The input that set the list in motion.
    package enum Cause: Int, CaseIterable, Sendable {
        /// None: the list was there from the start.
        case start
        /// The lift or cancellation of a touch.
        case lift
        /// A turn of the wheel.
        case wheel
        /// A key press.
        case key
        /// A jump of the program.
        case jump
        /// None: the list moved by itself.
        case motion

        /// The time since which a landing is counted.
        package var words: String {
            switch self {
            case .start: "from the start"
            case .lift: "after lift"
            case .wheel: "after the wheel"
            case .key: "after the key"
            case .jump: "after the jump began"
            case .motion: "after it set off"
            }
        }
    }

    /// The input that set the list in motion.
    package var cause: Cause
    /// The time of that input.
    package var origin: Instant
    /// The time at which the list came to rest.
    package var rest: Instant
    /// The time at which every row of the resting viewport was loaded; nil if that never happened.
    package var complete: Instant?

    /// The time from the input until every row was loaded.
    package var wait: Duration? { complete.map { max(.zero, $0 - origin) } }

    /// Returns the landings of a log, one for each rest of its figures.
    static func all(in log: ReplayLog) -> [Landing] {
        var settled: [Int: [Instant]] = [:]
        for decision in log.decisions {
            switch decision.kind {
            case .finished, .failed: settled[decision.key, default: []].append(decision.time)
            default: break
            }
        }
        let frames = log.frames
        let rests = FrameSchedule.rests(
            among: frames.count, offset: { frames[$0].offset }, due: { frames[$0].due })
        var previousEnd = Instant.zero
        return rests.map { rest in
            let first = frames[rest.lowerBound]
            let full = frames[rest].first { $0.missing.isEmpty }
            let complete = full.map { frame in
                first.visible.reduce(.zero) { latest, row in
                    max(latest, settled[row]?.last { $0 <= frame.end } ?? .zero)
                }
            }
            let (cause, origin) =
                rest.lowerBound == 0
                ? (.start, .zero) : cause(ofRestAt: first.due, in: log, after: previousEnd)
            previousEnd = frames[rest.upperBound - 1].due
            return Landing(cause: cause, origin: origin, rest: first.due, complete: complete)
        }
    }

    private static func cause(
        ofRestAt rest: Instant, in log: ReplayLog, after previousEnd: Instant
    ) -> (Cause, Instant) {
        let before = log.inputs.last { input in
            guard input.time > previousEnd, input.time <= rest else { return false }
            switch input.input {
            case .up, .cancel, .wheel, .key, .jump: return true
            case .down, .move: return false
            }
        }
        switch before?.input {
        case .up, .cancel: return (.lift, before?.time ?? rest)
        case .wheel: return (.wheel, before?.time ?? rest)
        case .key: return (.key, before?.time ?? rest)
        case .jump: return (.jump, before?.time ?? rest)
        default: return (.motion, previousEnd)
        }
    }
}
