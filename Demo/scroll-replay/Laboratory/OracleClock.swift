internal import IdleLoop
internal import LullTesting
internal import ReplayText

/// The time of a loop, for somebody who knows what frames and inputs will come: the model of
/// replays with whole jobs, in short.
///
/// The search for a plan asks it millions of times, so it counts in nanoseconds from the start of
/// the trace: a `Duration` has 128 bits.
struct OracleClock {
    /// The state of a loop.
    struct State {
        var time: Int64
        fileprivate var frame: Int
        fileprivate var input: Int
        /// The start of the current fetches, of which there are as many as run at once.
        fileprivate var round: Int64
        /// The number of current fetches that are begun.
        fileprivate var fetches: Int
    }

    private let schedule: FrameSchedule
    private let entering: [Int]
    private let inputs: [Int64]
    private let latency: Int64
    private let width: Int

    init(_ schedule: FrameSchedule, entering: [Int], inputs: [Int64], options: ReplayOptions) {
        self.schedule = schedule
        self.entering = entering
        self.inputs = inputs
        latency = options.latency.nanoseconds
        width = options.fetches
    }

    /// The state after the first frame, when the first job can run.
    var start: State {
        let start = schedule.start.nanoseconds
        let round = start + 1_500_000 + 200_000 * Int64(entering.first ?? 0)
        var state = State(time: 0, frame: 0, input: 0, round: round, fetches: 0)
        wait(until: start, &state)
        return state
    }

    /// Returns the state in which the next job of a plan can begin, if it may do so from a frame
    /// on.
    func ready(_ state: State, from frame: Int = 0) -> State {
        var state = state
        let due = frame > 0 ? schedule.due(frame).nanoseconds : 0
        if latency > 0 {
            // All fetches take the same time, so they begin and end in groups of `width`.
            if due >= state.round + latency { (state.round, state.fetches) = (due, 0) }
            wait(until: max(state.round, due) + latency, &state)
        } else if due > state.time {
            wait(until: due, &state)
        }
        return state
    }

    /// Returns the state after the next job of a plan, started in the state `ready`.
    func after(_ cost: Int64, _ ready: State) -> State {
        var state = ready
        state.fetches += 1
        if state.fetches == width { (state.round, state.fetches) = (state.round + latency, 0) }
        state.time += cost
        catchUp(&state)
        return state
    }

    private func wait(until time: Int64, _ state: inout State) {
        while state.time < time {
            let input = state.input < inputs.count ? inputs[state.input] : .max
            let frame = state.frame <= schedule.last ? schedule.due(state.frame).nanoseconds : .max
            state.time = max(state.time, min(time, input, frame))
            catchUp(&state)
        }
        catchUp(&state)
    }

    /// Advances the state past all inputs and frames that are due.
    private func catchUp(_ state: inout State) {
        while true {
            if state.input < inputs.count, inputs[state.input] <= state.time {
                state.input += 1
                state.time += 50_000
            } else if state.frame <= schedule.last,
                schedule.due(state.frame).nanoseconds <= state.time
            {
                state.time += 1_500_000 + 200_000 * Int64(entering[state.frame])
                state.frame = schedule.next(
                    after: state.frame, at: Instant(nanoseconds: state.time))
            } else {
                return
            }
        }
    }
}
