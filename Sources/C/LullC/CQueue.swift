internal import CLull
internal import IdleLoop
internal import LullCalls

/// A C program's queue.
final class CQueue: LoopObject {
    unowned let loop: CLoop
    let queue: IdleQueue<UInt64>
    private let scope: CallbackScope

    init(on loop: CLoop, _ configuration: QueueConfiguration, order: Int) {
        self.loop = loop
        scope = loop.scope
        queue = IdleQueue(on: loop.loop, configuration: configuration, order: order)
    }

    /// Returns the queue that a handle names.
    @inline(__always)
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CQueue {
        unsafe try HandleEntry.object(of: handle, LULL_KIND_QUEUE)
    }

    func close() {
        queue.close()
    }

    /// Shuts down the queue; its `handle` is stale before any callback is called.
    func shutDown(
        as handle: Handle, within time: Duration,
        then completion: @escaping (ShutdownReport<UInt64>) -> Void
    ) {
        queue.shutDown(within: time) { [self] report in
            loop.remove(handle)
            completion(report)
        }
    }

    /// Submits a job that C has filled in; if it may run `anywhere`, it's handed over.
    func submit(_ job: lull_job, anywhere: Bool = false) throws(StatusError) -> lull_status {
        let run = try unsafe given(job.run, "job->run")
        let priority = try unsafe Priority(job.priority, "job->priority")
        let cost = try unsafe Duration(orNone: job.cost, "job->cost")
        let timeout = try unsafe Duration(orNone: job.timeout, "job->timeout")
        let kind = unsafe job.kind.map { unsafe WorkKind(String(cString: $0)) }
        let (scope, key, context) = unsafe (scope, job.key, job.context)
        let end = unsafe job.end
        let onEnd = unsafe end.map { end in
            { how in scope.call { unsafe end(key, lull_end(of: how), context) } }
        }
        guard anywhere else {
            return unsafe lull_status(
                queue.submit(
                    key, priority: priority, rank: Int(job.rank), cost: cost, kind: kind,
                    timeout: timeout, onEnd: onEnd
                ) { slot in
                    unsafe try JobProgress(of: scope.run(in: slot, run, key, context))
                })
        }
        let body = unsafe AnywhereBody(run, key, context)
        return unsafe lull_status(
            queue.submit(
                key, priority: priority, rank: Int(job.rank), cost: cost, kind: kind,
                timeout: timeout, onEnd: { [loop] how in loop.end(body) { onEnd?(how) } },
                anywhere: { slot in try JobProgress(of: body.run(in: slot)) }))
    }
}

extension lull_status {
    fileprivate init(_ job: IdleJob) {
        switch job.submission {
        case .queued: self = LULL_OK
        case .joined: self = LULL_JOINED
        case .follows: self = LULL_FOLLOWS
        case .dropped: self = LULL_DROPPED
        }
    }
}

extension JobProgress {
    /// Converts the result of C's function; throws if that has failed.
    @inline(__always)
    fileprivate init(of progress: lull_progress) throws {
        switch progress {
        case LULL_DONE: self = .done
        case LULL_AGAIN: self = .again
        case LULL_WAITING: self = .waiting
        case LULL_SKIPPED: self = .skipped
        default: throw JobFailed()
        }
    }
}

/// The failure of a C program's job.
private struct JobFailed: Error {}

extension lull_end {
    fileprivate init(of end: JobEnd) {
        switch end {
        case .done: self = LULL_END_DONE
        case .skipped: self = LULL_END_SKIPPED
        case .failed: self = LULL_END_FAILED
        case .cancelled: self = LULL_END_CANCELLED
        case .dropped: self = LULL_END_DROPPED
        }
    }
}

extension Priority {
    /// The priority that C has given.
    init(_ priority: lull_priority, _ argument: String) throws(StatusError) {
        let level = Int(priority.rawValue)
        guard Self.allCases.indices.contains(level) else {
            throw .invalid(argument, "is none of lull_priority")
        }
        self = Self.allCases[level]
    }
}

extension Duration {
    /// A duration of C in nanoseconds, nil for `LULL_NONE`.
    init?(orNone nanoseconds: Int64, _ argument: String) throws(StatusError) {
        if nanoseconds == Int64(LULL_NONE) { return nil }
        try require(nanoseconds >= 0, argument, "is negative, and not LULL_NONE")
        self = .nanoseconds(nanoseconds)
    }
}
