internal import IdleLoop
internal import TestSupport

// Jobs of all three sorts.
extension LoopProgram {
    /// A job, what is owed to it, and what it holds.
    struct Job {
        let promise: Promise
        let object: LiveObjects.Object
        let clock: LoopClock
    }

    func submit() {
        guard let queue = anyQueue() else { return }
        let key = choices.one(of: Self.keys)
        let priority = choices.one(of: Priority.allCases)
        let odd = choices.byte()
        let rank = odd & 1 != 0 ? choices.one(of: [0, 1, .min, .max]) : 0
        let cost = odd & 2 != 0 ? choices.longDuration() : nil
        let kind = odd & 4 != 0 ? WorkKind(choices.one(of: Self.keys)) : nil
        let timeout = odd & 8 != 0 ? choices.longDuration() : nil
        let job = Job(promise: promise(), object: live.make(), clock: queue.loop.clock)
        let isAnywhere = odd >> 4 & 7 == 3
        let goesOn = isAnywhere || odd >> 4 & 7 == 2  // until it finds out
        let onEnd: (JobEnd) -> Void = { [self] _ in
            job.promise.keep()
            if !goesOn { noteEnd(of: job.object) }
            callback()
        }
        let token: IdleJob
        switch odd >> 4 & 7 {
        case 0 where !workers.isEmpty:
            let fails = odd & 128 != 0
            let one = choices.one(of: workers)
            if one.loop.it !== queue.loop { waitsElsewhere = true }
            token = queue.submit(
                key, priority: priority, rank: rank, on: one.pool,
                cost: min(cost ?? .zero, .seconds(3600)), timeout: timeout, onEnd: onEnd,
                work: {
                    if fails { throw Trouble() }
                    return 1
                },
                then: { [self] _ in rest(of: job) })
        case 1 where !operators.isEmpty:
            let one = choices.one(of: operators)
            if one.loop.it !== queue.loop { waitsElsewhere = true }
            token = queue.submit(
                key, priority: priority, rank: rank, on: one.pool, timeout: timeout,
                onEnd: onEnd,
                start: { [self] in start(job, $0) }, then: { [self] _ in rest(of: job) })
        case 3:
            // All of a program is on one thread, though the queue doesn't know it.
            nonisolated(unsafe) let (program, job) = (self, job)
            token = queue.submit(
                key, priority: priority, rank: rank, cost: cost, kind: kind, timeout: timeout,
                onEnd: onEnd, anywhere: { unsafe try program.runAnywhere(job, $0) })
        default:
            token = queue.submit(
                key, priority: priority, rank: rank, cost: cost, kind: kind, timeout: timeout,
                onEnd: onEnd
            ) { [self] slot in
                try run(job, slot)
            }
        }
        tokens.append(token)
        if tokens.count > 8 { tokens.removeFirst() }
        switch token.submission {
        case .queued, .joined, .follows: break
        case .dropped: expect(job.promise.isKept, "who is dropped is told")
        }
    }

    /// Runs a slice of a job.
    private func run(_ job: Job, _ slot: borrowing IdleSlot) throws -> JobProgress {
        expect(!job.promise.isKept, "what has ended does not run")
        _ = slot.isOver
        _ = slot.timeRemaining
        if case .virtual(let time) = job.clock { time.charge(choices.duration()) }
        callback()
        return try outcome()
    }

    /// Runs a slice of a job on a lane, from where nothing of the loop's may be called, or on the loop.
    private func runAnywhere(_ job: Job, _ slot: borrowing IdleSlot) throws -> JobProgress {
        expect(!job.promise.isKept, "what has ended does not run")
        _ = slot.isOver
        _ = slot.timeRemaining
        slot.charge(choices.duration())
        return try outcome()
    }

    private func outcome() throws -> JobProgress {
        switch choices.number(below: 4) {
        case 0: return .done
        case 1: return .again
        case 2: return .skipped
        default: throw Trouble()
        }
    }

    /// What is left of a job when its first part has come to something.
    private func rest(of job: Job) -> (borrowing IdleSlot) throws -> JobProgress {
        callback()
        return { [self] slot in try run(job, slot) }
    }

    /// Begins the part of a job that goes on by itself.
    private func start(
        _ job: Job, _ completion: OperationCompletion<Int>
    ) -> any PendingOperation {
        callback()
        if choices.flag() {
            completions.append(completion)
            if choices.flag() { completion.process { [self] slot in try run(job, slot) } }
        } else {
            completion(choices.flag() ? .failure(Trouble()) : .success(1))
        }
        callback()
        return Operation(job.object, completion)
    }
}

/// An operation that somebody else completes.
private final class Operation: PendingOperation {
    private let object: LiveObjects.Object
    private let completion: OperationCompletion<Int>

    init(_ object: LiveObjects.Object, _ completion: OperationCompletion<Int>) {
        self.object = object
        self.completion = completion
    }

    func cancel() {
        completion(.success(2))  // which nobody hears
    }
}
