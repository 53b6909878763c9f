internal import Laboratory
package import LullTesting
package import ScrollModel

/// A touch from down to up, and the fling that followed.
package struct Stroke: Equatable, Sendable {
    /// The time at which the finger touched.
    package var down: Instant
    /// The time at which it lifted or was cancelled; nil if the trace ends before.
    package var up: Instant?
    /// The velocity at the lift, in px/s, positive when the offset grows.
    package var velocity: Double = 0
    /// The predicted offset at which the fling comes to rest; nil without a prediction.
    package var expected: Double?
    /// The offset at which the list was at rest before the next input, or at the end.
    package var landing: Double = 0
    /// The time at which it came to rest there.
    package var rest = Instant.zero
    /// Whether the list was still moving at the next input.
    package var isCaught = false
}

extension Stroke {
    /// Returns the strokes of a replay.
    package static func all(in log: ReplayLog) -> [Stroke] {
        var strokes: [Stroke] = []
        var tracker = VelocityTracker()
        for (index, input) in log.inputs.enumerated() {
            let time = input.time
            switch input.input {
            case .down(let y):
                tracker.reset()
                tracker.add(y, at: time)
                strokes.append(Stroke(down: input.time))
            case .move(let y):
                tracker.add(y, at: time)
            case .up(let y):
                guard var stroke = strokes.popLast(), stroke.up == nil else { continue }
                tracker.add(y, at: time)
                stroke.up = input.time
                stroke.velocity = -tracker.velocity(at: time)
                stroke.expected =
                    log.predictions.first { (input.start...input.end).contains($0.time) }?.target
                stroke.takeLanding(from: log, before: log.inputs[(index + 1)...])
                strokes.append(stroke)
            case .cancel:
                if strokes.last?.up == nil { strokes[strokes.count - 1].up = input.time }
            case .wheel, .key: continue
            }
        }
        return strokes
    }

    /// Sets where and when the list rested before the next input that moves it.
    private mutating func takeLanding(
        from log: ReplayLog, before inputs: ArraySlice<ReplayLog.Input>
    ) {
        let next = inputs.first { InputKind($0.input).endsFling }
        let end = next?.time ?? .distantFuture
        let lift = up ?? down
        let frames = log.frames.prefix { $0.start < end }
        guard let last = frames.last else { return }
        landing = last.offset
        isCaught = frames.suffix(3).contains { $0.offset != last.offset } && next != nil
        rest = frames.last { $0.offset != last.offset && $0.start >= lift }?.deadline ?? lift
    }
}
