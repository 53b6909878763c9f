internal import IdleLoop
internal import LullLibC

/// Slices of a load that run anywhere, until there is something to commit.
///
/// Who has the job's run steps it, one thread at a time; the loop takes the outcome when the run is
/// back. The lock is never waited for: the loop asks for a share only if no lane is just noting one.
final class LoadPart<Work: SendableLoad>: Sendable, LoadOutcome {
    private struct State: Sendable {
        var step: Result<LoadStep<Work.Value>, any Error>?
        var cost = Duration.zero
        var share: Double?
    }

    private let load: Work
    private let size: Int
    private let state: Guarded<State>

    init(_ load: Work) {
        self.load = load
        size = load.size
        state = Guarded(State(share: load.share))
    }

    /// Runs a slice; the part is done if the step is to be committed.
    func run(in slot: borrowing IdleSlot) -> JobProgress {
        let start = slot.now
        var step: Result<LoadStep<Work.Value>, any Error>
        do {
            step = .success(try load.step(in: slot))
        } catch {
            step = .failure(error)
        }
        let (cost, share) = (start.duration(to: slot.now), load.share)
        state.withLock { [step] state in
            state = State(step: step, cost: state.cost + cost, share: share)
        }
        guard case .success(.more) = step else { return .done }
        return load.size - size < LoaderConfiguration.muchMemory ? .again : .done
    }

    var share: Double? { state.withLockIfAvailable { $0.share } ?? nil }

    var cost: Duration { state.withLock { $0.cost } }

    func takeStep<Value>() throws -> LoadStep<Value> {
        guard let step = try state.withLock({ $0.step.take() })?.get() as? LoadStep<Value> else {
            preconditionFailure("a part has run, and gives what its load gives")
        }
        return step
    }
}

/// The outcome of a part, without the type of its load.
protocol LoadOutcome: AnyObject {
    /// The finished part of the work after the last slice.
    var share: Double? { get }
    /// The time that all slices have taken.
    var cost: Duration { get }

    /// Takes the last step out, or its error: the lane that has run it may hold the part a little longer,
    /// and isn't to be the one that frees a value.
    func takeStep<Value>() throws -> LoadStep<Value>
}
