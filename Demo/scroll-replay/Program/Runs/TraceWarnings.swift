import LullTesting
import ReplayText
import ScrollModel

/// The warnings about what is odd in a trace that can be played all the same.
struct TraceWarnings {
    /// The most warnings about single events.
    private static let mostOfEvents = 20

    /// The warnings, each a phrase.
    private(set) var texts: [String] = []
    private let trace: Trace
    private var duplicates = 0

    /// Examines a trace that is played in a list.
    init(of trace: Trace, in list: Viewport) {
        self.trace = trace
        readFingers()
        readJumps(in: list)
        readOffsets(in: list)
        if duplicates > 0 {
            texts.append(counted(duplicates, "time occurs", "times occur") + " twice")
        }
    }

    private mutating func readFingers() {
        var last: (time: Instant, isMove: Bool)?
        var longest = Duration.zero
        var hasFingers = false
        for event in trace.events {
            let time = event.time
            switch event.input {
            case .down:
                if last != nil { warn("a finger lands that hasn't lifted", at: time) }
                hasFingers = true
                last = (time, false)
            case .move, .up, .cancel:
                guard let before = last else {
                    warn("a finger moves or lifts that hasn't landed", at: time)
                    continue
                }
                guard case .move = event.input else {
                    last = nil
                    continue
                }
                // A finger that doesn't move causes no events, and that is no gap.
                if before.isMove { longest = max(longest, time - before.time) }
                if time == before.time { duplicates += 1 }
                last = (time, true)
            case .wheel, .key, .jump: break
            }
        }
        if last != nil { texts.append("the trace ends with a finger down") }
        if hasFingers, trace.samples.isEmpty {
            texts.append("fingers without offsets: the list is moved by a model")
        }
        if longest > .milliseconds(40) {
            texts.append(
                "a gap of \(milliseconds(longest)) ms in a stroke: its start counts for no velocity"
            )
        }
    }

    private mutating func readJumps(in list: Viewport) {
        let path = OffsetPath(of: trace, in: list, scroller: Scroller(.chromium))
        for (index, event) in trace.events.enumerated() {
            guard case .jump = event.input, path.end(ofJump: index, in: trace) == nil else {
                continue
            }
            warn("a jump whose target isn't reached", at: event.time)
        }
    }

    private mutating func readOffsets(in list: Viewport) {
        var gaps: [Duration] = []
        var steps = 0
        for (before, after) in zip(trace.samples, trace.samples.dropFirst()) {
            let gap = after.time - before.time
            if gap == .zero { duplicates += 1 }
            if before.offset != after.offset, gap > .zero { gaps.append(gap) }
            if abs(after.offset - before.offset) > list.height { steps += 1 }
        }
        let usual = median(gaps) ?? .zero
        let holes = gaps.count { $0 * 2 > usual * 3 }
        if holes > 0 {
            texts.append(
                "\(counted(holes, "gap")) between frames in motion, the longest "
                    + "\(milliseconds(gaps.max() ?? .zero)) ms")
        }
        if steps > 0 { texts.append("\(counted(steps, "step")) of more than a viewport") }
        let offsets = 0...list.maximumOffset
        let beyond = trace.samples.count { !offsets.contains($0.offset) }
        if beyond > 0 { texts.append("\(counted(beyond, "offset")) beyond the content") }
    }

    private mutating func warn(_ text: String, at time: Instant) {
        guard texts.count < Self.mostOfEvents else { return }
        texts.append("\(text), at \(seconds(time, 4)) s")
    }
}
