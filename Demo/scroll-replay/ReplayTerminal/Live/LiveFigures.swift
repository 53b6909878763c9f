package import LullTesting

/// The figures of a running replay, updated from its log.
///
/// At the end they equal the replay's own figures.
package struct LiveFigures: Equatable, Sendable {
    /// The row-nanoseconds for which visible rows were not loaded.
    package private(set) var blank: Int64 = 0
    /// The number of frames shown.
    package private(set) var shown = 0
    /// The number of frames that ended after the next was due.
    package private(set) var late = 0
    /// The number of frames that were not shown.
    package private(set) var dropped = 0
    /// The total lateness of frames, in nanoseconds.
    package private(set) var hitch: Int64 = 0
    /// The number of rows loaded since the trace began.
    package private(set) var loads = 0
    /// The number of loaded rows that were visible for a tenth of a second.
    package private(set) var useful = 0
    /// The nanoseconds spent on loading.
    package private(set) var cost: Int64 = 0
    /// The nanoseconds spent on rows that aren't loaded, or haven't been visible for that long.
    package private(set) var unseenCost: Int64 = 0

    private var lastFrame: ReplayLog.Frame?
    private var framesTaken = 0
    private var slicesTaken = 0
    private var seen: [Int: Int] = [:]
    private var spent: [Int: Int64] = [:]
    private var finished: [Int: Int] = [:]

    /// Creates figures that are all zero.
    package init() {}

    /// The share of the cost that was spent on rows that haven't been visible long enough.
    package var unseenShare: Double { cost == 0 ? 0 : Double(unseenCost) / Double(cost) }

    /// Updates the figures with the new part of a log; a log shorter than before is another
    /// replay's.
    package mutating func update(from log: ReplayLog) {
        if log.slices.count < slicesTaken || log.frames.count < framesTaken { self = Self() }
        let needed = Int((0.1 * Double(log.title.hz)).rounded())
        for slice in log.slices[slicesTaken...] {
            spent[slice.row, default: 0] += slice.end - slice.start
            cost += slice.end - slice.start
            if slice.isLast { finished[slice.row, default: 0] += 1 }
        }
        slicesTaken = log.slices.count
        for frame in log.frames[framesTaken...] { take(frame) }
        framesTaken = log.frames.count
        loads = finished.values.reduce(0, +)
        useful = 0
        unseenCost = 0
        for (row, cost) in spent {
            let isUseful = finished[row] != nil && seen[row, default: 0] >= needed
            if isUseful { useful += finished[row] ?? 0 } else { unseenCost += cost }
        }
    }

    private mutating func take(_ frame: ReplayLog.Frame) {
        if let last = lastFrame {
            // The last frame stayed on screen until this one was due, beyond its own deadline.
            blank += Int64(last.missing.count) * (frame.due - last.deadline)
            dropped += frame.number - last.number - 1
        }
        blank += Int64(frame.missing.count) * (frame.deadline - frame.due)
        shown += 1
        if frame.isLate {
            late += 1
            hitch += frame.end - frame.deadline
        }
        let missing = Set(frame.missing)
        for row in frame.visible where !missing.contains(row) { seen[row, default: 0] += 1 }
        lastFrame = frame
    }
}
