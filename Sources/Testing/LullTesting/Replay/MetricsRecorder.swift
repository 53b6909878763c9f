internal import IdleLoop

/// The record of a running replay, from which its figures are computed.
struct MetricsRecorder {
    private struct Frame {
        let number: Int
        let offset: Double
        let missing: Int
        let hasMoved: Bool
    }

    private(set) var figures = Figures()
    private(set) var failures: [Int: any Error] = [:]
    private let schedule: FrameSchedule
    private var frames: [Frame] = []
    private var seen: [Int: Int] = [:]
    private var spent: [Int: Int64] = [:]
    private var finished: [Int] = []

    init(_ schedule: FrameSchedule) {
        self.schedule = schedule
    }

    /// The offset of the last frame.
    var lastOffset: Double? { frames.last?.offset }

    // MARK: - During playback

    mutating func noteInput(delay: Int64) {
        figures.inputDelays.append(delay)
    }

    /// Records a frame as it begins: how many of its rows are missing, and which are loaded.
    mutating func beginFrame(_ number: Int, offset: Double, missing: Int, there: [Int]) {
        let hasMoved = lastOffset.map { $0 != offset } ?? false
        frames.append(Frame(number: number, offset: offset, missing: missing, hasMoved: hasMoved))
        for row in there { seen[row, default: 0] += 1 }
    }

    /// Records the end of a frame, and returns the next frame that can be shown.
    mutating func endFrame(_ number: Int, at time: Int64) -> Int {
        let lateness = time - schedule.due(number + 1)
        if lateness > 0 {
            figures.framesLate += 1
            figures.hitch += lateness
        }
        let next = schedule.next(after: number, at: time)
        figures.framesDropped += next - number - 1
        return next
    }

    mutating func beginLoad() {
        figures.loadsStarted += 1
    }

    mutating func spend(_ cost: Int64, on row: Int) {
        figures.loadCost += cost
        spent[row, default: 0] += cost
    }

    /// Returns the time spent on a row so far.
    func cost(ofRow row: Int) -> Int64 { spent[row, default: 0] }

    mutating func finishLoad(of row: Int) {
        figures.loadsFinished += 1
        finished.append(row)
    }

    mutating func failLoad(of row: Int, _ error: any Error) {
        figures.loadsFailed += 1
        noteFailure(of: row, error)
    }

    mutating func noteFailure(of row: Int, _ error: any Error) {
        failures[row] = error
    }

    // MARK: - At the end

    /// Computes the figures.
    mutating func close() {
        figures.end = schedule.end
        figures.framesShown = frames.count
        figures.inputDelays.sort()
        for (index, frame) in frames.enumerated() {
            let next = index + 1 < frames.count ? frames[index + 1].number : frame.number + 1
            let time = schedule.due(next) - schedule.due(frame.number)
            let blank = time * Int64(frame.missing)
            if frame.hasMoved {
                figures.blankMoving += blank
            } else {
                figures.blankResting += blank
            }
        }
        closeRests()
        let useful = Set(finished.filter { seen[$0, default: 0] >= schedule.framesToBeUseful })
        figures.loadsUseful = finished.count { useful.contains($0) }
        figures.wastedCost = spent.reduce(0) { sum, entry in
            useful.contains(entry.key) ? sum : sum + entry.value
        }
    }

    /// Finds the times at which the list rested, and the time until all rows of each were loaded.
    private mutating func closeRests() {
        var first = 0
        while first < frames.count {
            let run = frames[first...].prefix { $0.offset == frames[first].offset }
            let start = schedule.due(frames[first].number)
            if schedule.due(frames[run.endIndex - 1].number) - start >= 100_000_000 {
                figures.rests += 1
                if let full = run.first(where: { $0.missing == 0 }) {
                    figures.settles.append(schedule.due(full.number) - start)
                } else {
                    figures.settleNever += 1
                }
            }
            first = run.endIndex
        }
        figures.settles.sort()
    }

    mutating func noteQueue(_ counts: QueueStatistics) {
        figures.queue = counts
    }
}
