import LullTesting
import ReplayText
import ScrollModel

/// The report on the plausibility of a trace.
struct TraceReport {
    /// A lift that flings, with its velocity in px per second; positive is towards the end of the
    /// list.
    struct Flick {
        let time: Instant
        let velocity: Double
    }

    private(set) var strokes = 0
    private(set) var wheels = 0
    private(set) var keys = 0
    private(set) var flings: [Flick] = []
    private(set) var fingers = Spacing()
    private(set) var frames = Spacing()
    private(set) var jumps = 0
    private(set) var beyond = 0
    private(set) var duplicates = 0
    private(set) var warnings: [String] = []
    let trace: Trace

    /// Examines a trace of a list with these offsets, as far as they are known.
    init(of trace: Trace, offsets: ClosedRange<Double>?, viewportHeight: Double) {
        self.trace = trace
        readFingers()
        readOffsets(offsets, viewportHeight)
        judge()
    }

    /// The intervals between events of one kind.
    struct Spacing {
        let isEmpty: Bool
        let longest: Duration
        /// The number of intervals longer than one and a half times the median.
        let holes: Int
        /// The rate per second, by the median.
        let rate: Double

        init(_ gaps: [Duration] = []) {
            let gaps = gaps.sorted()
            let median = gaps.isEmpty ? .zero : gaps[gaps.count / 2]
            isEmpty = gaps.isEmpty
            longest = gaps.last ?? .zero
            holes = gaps.count { $0 * 2 > median * 3 }
            rate = median > .zero ? Duration.seconds(1) / median : 0
        }
    }

    private mutating func readFingers() {
        var tracker = VelocityTracker()
        var gaps: [Duration] = []
        var last: (time: Instant, y: Double)?
        var isMoving = false
        for event in trace.events {
            let time = event.time
            switch event.input {
            case .down(let y):
                if last != nil { warn("a finger lands that hasn't lifted", at: event.time) }
                strokes += 1
                tracker.reset()
                tracker.add(y, at: time)
                last = (event.time, y)
                isMoving = false
            case .move(let y), .up(let y), .cancel(let y):
                guard let before = last else {
                    warn("a finger moves or lifts that hasn't landed", at: event.time)
                    continue
                }
                tracker.add(y, at: time)
                // A finger that doesn't move causes no events, and that is no gap.
                if case .move = event.input {
                    if isMoving { gaps.append(event.time - before.time) }
                    if event.time == before.time { duplicates += 1 }
                    isMoving = true
                    last = (event.time, y)
                    continue
                }
                if case .up = event.input {
                    let velocity = min(max(-tracker.velocity(at: time), -1e9), 1e9)
                    if abs(velocity) >= 50 {
                        flings.append(Flick(time: event.time, velocity: velocity))
                    }
                }
                last = nil
            case .wheel: wheels += 1
            case .key: keys += 1
            }
        }
        fingers = Spacing(gaps)
        if last != nil { warnings.append("the trace ends with a finger down") }
    }

    private mutating func readOffsets(_ offsets: ClosedRange<Double>?, _ height: Double) {
        var gaps: [Duration] = []
        for (before, after) in zip(trace.samples, trace.samples.dropFirst()) {
            let gap = after.time - before.time
            if gap == .zero { duplicates += 1 }
            if before.offset != after.offset, gap > .zero { gaps.append(gap) }
            if abs(after.offset - before.offset) > height { jumps += 1 }
        }
        frames = Spacing(gaps)
        beyond = trace.samples.count { sample in
            sample.offset < 0 || offsets.map { !$0.contains(sample.offset) } ?? false
        }
    }

    private mutating func judge() {
        if strokes > 0, trace.samples.isEmpty {
            warnings.append("fingers without offsets: the list will be moved by a model")
        }
        if frames.holes > 0 {
            warnings.append(
                "\(frames.holes) gaps between frames in motion, the longest "
                    + "\(milliseconds(frames.longest)) ms")
        }
        if fingers.longest > .milliseconds(40) {
            warnings.append(
                "a gap of \(milliseconds(fingers.longest)) ms in a stroke: its start "
                    + "counts for no velocity")
        }
        if jumps > 0 { warnings.append("\(jumps) jumps of more than a viewport") }
        if beyond > 0 { warnings.append("\(beyond) offsets beyond the content") }
        if duplicates > 0 { warnings.append("\(duplicates) times that occur twice") }
    }

    private mutating func warn(_ text: String, at time: Instant) {
        guard warnings.count < 20 else { return }
        warnings.append("\(text), at \(seconds(time, 4)) s")
    }
}
