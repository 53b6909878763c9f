internal import IdleLoop
internal import Laboratory
internal import LullTesting
internal import ReplayText

/// The part of a trace that is visible at first: the time in which something happens, and the path
/// of the viewport with the loads near it.
struct PictureView: Equatable {
    /// The end of the visible time, which begins with the trace.
    var end: Instant
    /// The visible places, in tenths of a pixel.
    var places: ClosedRange<Int>

    init(of trace: TracePicture, rows: RowTable) {
        var last = Instant.zero
        var low = Int.max
        var high = Int.min
        let height = tenths(trace.runs[0].log.viewportHeight)
        for log in trace.runs.map(\.log) {
            var before: Double?
            for frame in log.frames {
                low = min(low, tenths(frame.offset))
                high = max(high, tenths(frame.offset) + height)
                let hasMoved = before.map { $0 != frame.offset } ?? false
                if hasMoved || !frame.missing.isEmpty { last = max(last, frame.deadline) }
                before = frame.offset
            }
            last = max(last, log.inputs.last?.time ?? .zero)
        }
        if low > high { (low, high) = (0, max(10, height)) }
        let reach = max(height, (high - low) / 4)
        let near = low - reach...high + reach
        for bar in trace.runs.flatMap(\.bars) {
            if bar.outcome == .finished || bar.outcome == .failed { last = max(last, bar.end) }
            guard let place = rows.place(ofRow: bar.row), near.contains(place.lowerBound),
                near.contains(place.upperBound)
            else { continue }
            low = min(low, place.lowerBound)
            high = max(high, place.upperBound)
        }
        let border = (high - low) / 50
        places = low - border...high + border
        let margin = (last - .zero) / 12 + .milliseconds(50)
        end = min(max(Instant(nanoseconds: 1), trace.end), last + margin)
    }
}
