internal import IdleLoop
internal import LullTesting
internal import ReplayText

/// The time of a loop, for somebody who knows what frames and inputs will come: the model of
/// replays with whole jobs, in short.
///
/// With lanes, each job of a plan begins on the lane that is free first, and frames don't wait for
/// jobs. The search for a plan asks it millions of times, so it counts in nanoseconds from the start of
/// the trace: a `Duration` has 128 bits.
struct OracleClock {
    /// The state of a loop.
    struct State {
        /// The time; with lanes, that at which the next job begins.
        fileprivate var time: Int64
        fileprivate var frame: Int
        fileprivate var input: Int
        /// The start of the current fetches, of which there are as many as run at once.
        fileprivate var round: Int64
        /// The number of current fetches that are begun.
        fileprivate var fetches: Int
        /// The times at which lanes are free, in ascending order.
        fileprivate var lanes: [Int64] = []
    }

    private let schedule: FrameSchedule
    private let entering: [Int]
    private let inputs: [Int64]
    private let latency: Int64
    private let width: Int
    private let lanes: Int
    /// With lanes, the times at which frames begin and end; those of a dropped one are those of the one
    /// before.
    private var frames: [(start: Int64, end: Int64)] = []

    init(_ schedule: FrameSchedule, entering: [Int], inputs: [Int64], options: ReplayOptions) {
        self.schedule = schedule
        self.entering = entering
        self.inputs = inputs
        latency = options.latency.nanoseconds
        width = options.fetches
        lanes = options.lanes
        var state = State(time: 0, frame: 0, input: 0, round: 0, fetches: 0)
        while lanes > 0, state.frame <= schedule.last {
            let frame = state.frame
            let start = max(state.time, schedule.due(frame).nanoseconds)
            _ = handleNext(by: .max, &state)
            frames += repeatElement((start: start, end: state.time), count: state.frame - frame)
        }
    }

    /// The state after the first frame, when the first job can run.
    var start: State {
        let start = schedule.start.nanoseconds
        let round = start + 1_500_000 + 200_000 * Int64(entering.first ?? 0)
        var state = State(time: 0, frame: 0, input: 0, round: round, fetches: 0)
        wait(until: start, &state)
        state.lanes = Array(repeating: state.time, count: lanes)
        return state
    }

    /// Waits until the next job of a plan can begin, if it may do so from a frame on.
    func prepare(_ state: inout State, from frame: Int = 0) {
        let due = frame > 0 ? schedule.due(frame).nanoseconds : 0
        var earliest = due
        if latency > 0 {
            // All fetches take the same time, so they begin and end in groups of `width`.
            if due >= state.round + latency { (state.round, state.fetches) = (due, 0) }
            earliest = max(state.round, due) + latency
        }
        if let free = state.lanes.first {
            // The loop hands fetched rows to lanes, after the frame.
            let frame = firstFrame(dueAfter: earliest) - 1
            if frames.indices.contains(frame) { earliest = max(earliest, frames[frame].end) }
            state.time = max(free, earliest)
        } else if earliest > state.time {
            wait(until: earliest, &state)
        }
    }

    /// Runs the next job of a plan, which is prepared.
    func run(_ cost: Int64, _ state: inout State) {
        state.fetches += 1
        if state.fetches == width { (state.round, state.fetches) = (state.round + latency, 0) }
        let end = state.time + cost
        guard lanes > 0 else {
            state.time = end
            return wait(until: end, &state)
        }
        var place = 0
        while place + 1 < lanes, state.lanes[place + 1] < end {
            state.lanes[place] = state.lanes[place + 1]
            place += 1
        }
        state.lanes[place] = end
    }

    /// Returns the first frame that shows the result of the next job, which is prepared.
    ///
    /// On the loop, a frame that becomes due during the job waits for its end, and shows the result.
    func firstFrame(after cost: Int64, _ state: State) -> Int {
        guard lanes > 0 else { return firstFrame(dueAfter: state.time) }
        let end = state.time + cost
        var frame = min(firstFrame(dueAfter: end - 1), frames.count)
        while frame > 0, frames[frame - 1].start >= end { frame -= 1 }
        return frame
    }

    private func firstFrame(dueAfter time: Int64) -> Int {
        let start = schedule.start.nanoseconds
        guard time >= start else { return 0 }
        var frame = Int((time - start) * Int64(schedule.hz) / 1_000_000_000)
        while schedule.due(frame).nanoseconds <= time { frame += 1 }
        return frame
    }

    private func wait(until time: Int64, _ state: inout State) {
        while handleNext(by: time, &state) {}
        state.time = max(state.time, time)
    }

    /// Handles the next input or frame, if it is due by a time; returns false if it isn't.
    private func handleNext(by time: Int64, _ state: inout State) -> Bool {
        let input = state.input < inputs.count ? inputs[state.input] : .max
        let frame = state.frame <= schedule.last ? schedule.due(state.frame).nanoseconds : .max
        let next = min(input, frame)
        guard next <= max(state.time, time), next < .max else { return false }
        state.time = max(state.time, next)
        if input <= state.time {
            state.input += 1
            state.time += 50_000
        } else {
            state.time += 1_500_000 + 200_000 * Int64(entering[state.frame])
            state.frame = schedule.next(after: state.frame, at: Instant(nanoseconds: state.time))
        }
        return true
    }
}
