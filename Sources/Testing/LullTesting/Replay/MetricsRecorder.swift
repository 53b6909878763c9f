internal import IdleLoop

/// The record of a running replay, from which its figures are computed.
struct MetricsRecorder {
    private struct Frame {
        let number: Int
        let offset: Double
        let missing: Int
        let hasMoved: Bool
    }

    private var figures = Figures()
    private(set) var failures: [Int: any Error] = [:]
    private let schedule: FrameSchedule
    private var frames: [Frame] = []
    private var seen: [Int: Int] = [:]
    private var spent: [Int: Duration] = [:]
    private var finished: [Int] = []
    /// The number of frames dropped since the last one, which count when the next is shown.
    private var dropped = 0

    init(_ schedule: FrameSchedule) {
        self.schedule = schedule
    }

    // MARK: - During playback

    mutating func noteInput(delay: Duration) {
        figures.inputDelays.append(delay)
    }

    /// Records a frame as it begins: how many of its rows are missing, and which are loaded.
    mutating func beginFrame(_ number: Int, offset: Double, missing: Int, there: [Int]) {
        figures.framesDropped += dropped
        dropped = 0
        let hasMoved = frames.last.map { $0.offset != offset } ?? false
        frames.append(Frame(number: number, offset: offset, missing: missing, hasMoved: hasMoved))
        for row in there { seen[row, default: 0] += 1 }
    }

    /// Records the end of a frame, and returns the next frame that can be shown.
    mutating func endFrame(_ number: Int, at time: Instant) -> Int {
        let lateness = time - schedule.due(number + 1)
        if lateness > .zero {
            figures.framesLate += 1
            figures.hitch += lateness
        }
        let next = schedule.next(after: number, at: time)
        dropped = next - number - 1
        return next
    }

    mutating func beginLoad() {
        figures.loadsStarted += 1
    }

    mutating func spend(_ cost: Duration, on row: Int) {
        figures.loadCost += cost
        spent[row, default: .zero] += cost
    }

    mutating func finishLoad(of row: Int) {
        figures.loadsFinished += 1
        finished.append(row)
    }

    mutating func failLoad() {
        figures.loadsFailed += 1
    }

    mutating func noteFailure(of row: Int, _ error: any Error) {
        failures[row] = error
    }

    // MARK: - At the end

    /// Returns the figures, with the counts of the queue.
    mutating func close(_ queue: QueueStatistics) -> Figures {
        figures.framesDropped += dropped
        figures.queue = queue
        figures.length = schedule.end - .zero
        figures.framesShown = frames.count
        figures.inputDelays.sort()
        for (index, frame) in frames.enumerated() {
            let next = index + 1 < frames.count ? frames[index + 1].number : frame.number + 1
            let time = schedule.due(next) - schedule.due(frame.number)
            let blank = time * frame.missing
            if frame.hasMoved {
                figures.blankMoving += blank
            } else {
                figures.blankResting += blank
            }
        }
        closeRests()
        let needed = FrameSchedule.framesToBeUseful(hz: schedule.hz)
        let useful = Set(finished.filter { seen[$0, default: 0] >= needed })
        figures.loadsUseful = finished.count { useful.contains($0) }
        figures.wastedCost = spent.reduce(.zero) { sum, entry in
            useful.contains(entry.key) ? sum : sum + entry.value
        }
        return figures
    }

    /// Finds the times at which the list rested, and the time until all rows of each were loaded.
    private mutating func closeRests() {
        let rests = FrameSchedule.rests(
            among: frames.count, offset: { frames[$0].offset },
            due: { schedule.due(frames[$0].number) })
        figures.rests = rests.count
        for rest in rests {
            if let full = frames[rest].first(where: { $0.missing == 0 }) {
                figures.settles.append(
                    schedule.due(full.number) - schedule.due(frames[rest.lowerBound].number))
            } else {
                figures.settleNever += 1
            }
        }
        figures.settles.sort()
    }
}
