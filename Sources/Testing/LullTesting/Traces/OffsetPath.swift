internal import LullLibC
public import ScrollModel

/// The offset of a list at any time of a trace: as recorded, or computed from its inputs.
///
/// If the trace has samples, each is the offset until the next. Otherwise fingers drag the list 1:1
/// once they have moved more than the slop, a lift flings it by a model, a touch catches it, a wheel
/// scrolls it, and a jump takes half a second, clamped each time.
public struct OffsetPath: Sendable {
    private struct Piece {
        let time: Instant
        let offset: Double
        var motion: Motion?
    }

    /// A motion without a finger.
    private enum Motion {
        case fling(Fling)
        case jump(from: Double, to: Double)

        /// The offset at which it ends.
        var target: Double {
            switch self {
            case .fling(let fling): fling.target
            case .jump(_, let target): target
            }
        }

        var duration: Duration {
            switch self {
            case .fling(let fling): fling.duration
            case .jump: .milliseconds(500)
            }
        }

        func offset(at elapsed: Duration) -> Double {
            switch self {
            case .fling(let fling): return fling.offset(at: elapsed)
            case .jump(let start, let target):
                guard elapsed < duration else { return target }
                // It speeds up and slows down.
                let share = elapsed / duration
                return start + (target - start) * share * share * (3 - 2 * share)
            }
        }
    }

    private var pieces: [Piece] = []
    private let bounds: ClosedRange<Double>
    /// The end of the last motion.
    public private(set) var end: Instant

    /// Creates the path of a list through a trace.
    ///
    /// `viewport` is the list's position at the start, unless the trace contains it. `slop` is the
    /// distance in px that a finger moves before the list follows; that distance is not scrolled.
    /// Traps if the slop is negative or not finite.
    public init(
        of trace: Trace, in viewport: Viewport, scroller: Scroller, slop: Double = 0
    ) {
        precondition(slop >= 0 && slop.isFinite, "a slop is finite, zero or more")
        bounds = 0...viewport.maximumOffset
        end = trace.end
        guard trace.samples.isEmpty else {
            pieces = trace.samples.map { Piece(time: $0.time, offset: $0.offset) }
            return
        }
        follow(trace, from: viewport, scroller: scroller, slop: slop)
    }

    /// Moves the list by the trace's touches, wheel turns and jumps.
    private mutating func follow(
        _ trace: Trace, from viewport: Viewport, scroller: Scroller, slop: Double
    ) {
        pieces = [Piece(time: .zero, offset: viewport.offset)]
        var tracker = VelocityTracker(configuration: scroller.tracking)
        var finger: Grip?
        for event in trace.events {
            let time = event.time
            var offset = self.offset(at: time)
            var motion: Motion?
            switch event.input {
            case .down(let y):
                tracker.reset()
                tracker.add(y, at: time)
                finger = Grip(y)
            case .move(let y), .up(let y), .cancel(let y):
                guard let way = finger?.moved(to: y, slop: slop) else { continue }
                offset = clamp(offset + way)
                tracker.add(y, at: time)
                if case .up = event.input, finger?.isDragging == true {
                    motion = fling(
                        from: offset, velocity: -tracker.velocity(at: time), in: viewport,
                        scroller: scroller
                    ).map { .fling($0) }
                }
                if case .move = event.input {} else { finger = nil }
            case .wheel(let dy):
                offset = clamp(offset + dy)
            case .jump(let target):
                motion = .jump(from: offset, to: clamp(target))
            case .key:
                continue
            }
            pieces.append(Piece(time: time, offset: offset, motion: motion))
            let rest = motion.map { time + $0.duration } ?? time
            end = max(trace.end, rest)
        }
    }

    /// A finger on the list, which drags the list once it has moved more than the slop.
    private struct Grip {
        private(set) var isDragging = false
        private var y: Double

        init(_ y: Double) {
            self.y = y
        }

        /// Returns the distance that the list scrolls when the finger moves to y.
        mutating func moved(to y: Double, slop: Double) -> Double {
            if !isDragging {
                guard abs(y - self.y) > slop else { return 0 }
                isDragging = true
                self.y += y < self.y ? -slop : slop
            }
            defer { self.y = y }
            return self.y - y
        }
    }

    private func fling(
        from offset: Double, velocity: Double, in viewport: Viewport, scroller: Scroller
    ) -> Fling? {
        guard abs(velocity) >= 50 else { return nil }
        return scroller.fling(
            from: offset, velocity: velocity, bounds: bounds, viewportHeight: viewport.height)
    }

    /// Returns the list's offset, in px, at a time.
    ///
    /// O(log n).
    public func offset(at time: Instant) -> Double {
        let piece = pieces[max(0, pieces.partitionPoint { $0.time > time } - 1)]
        let elapsed = max(.zero, time - piece.time)
        return clamp(piece.motion?.offset(at: elapsed) ?? piece.offset)
    }

    /// Returns the offset before the next gesture after a lift, or at the end.
    func target(ofLift index: Int, in trace: Trace) -> Double {
        trace.nextGesture(after: index).map { offset(at: $0.later(by: -1)) }
            ?? offset(at: .distantFuture)
    }

    /// Returns the time at which a jump of the trace, by its index among the events, has ended: the
    /// list has reached its target, to a pixel, and stands still, or the next gesture begins.
    ///
    /// Returns nil if neither comes, or the event isn't a jump. O(n) up to that gesture.
    public func end(ofJump index: Int, in trace: Trace) -> Instant? {
        guard case .jump(let target) = trace.events[index].input else { return nil }
        let start = trace.events[index].time
        let gesture = trace.nextGesture(after: index)
        var place = max(0, pieces.partitionPoint { $0.time > start } - 1)
        while place < pieces.count, pieces[place].time < gesture ?? .distantFuture {
            let piece = pieces[place]
            place += 1
            guard abs(clamp(piece.motion?.target ?? piece.offset) - clamp(target)) < 1 else {
                continue
            }
            let arrival = max(start, piece.time) + (piece.motion?.duration ?? .zero)
            let isLast = place == pieces.count || pieces[place].offset == piece.offset
            if isLast || piece.motion != nil { return min(arrival, gesture ?? arrival) }
        }
        return gesture
    }

    private func clamp(_ offset: Double) -> Double {
        min(max(offset, bounds.lowerBound), bounds.upperBound)
    }
}

extension Trace {
    /// Returns the time of the next touch, wheel turn, key press or jump after an input.
    fileprivate func nextGesture(after index: Int) -> Instant? {
        events[(index + 1)...].first { event in
            switch event.input {
            case .down, .wheel, .key, .jump: true
            case .move, .up, .cancel: false
            }
        }?.time
    }
}
