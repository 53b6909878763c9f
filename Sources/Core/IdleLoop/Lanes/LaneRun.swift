internal import LullLibC
internal import Synchronization

/// A job that runs on lanes: its body, and the outcome of its slices there.
///
/// One thread at a time has it: the loop until it's on the tray, the lane that took it from there until
/// it's among the returned runs, then the loop again. Those two steps order all accesses. Only the
/// atomics are used by both at once.
@safe final class LaneRun: Sendable {
    typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// The outcome of the slices since the run left the loop.
    struct Outcome {
        var progress = JobProgress.again
        var error: (any Error)?
        var slices = 0
        /// The total duration and the longest, in nanoseconds.
        var total: Int64 = 0
        var longest: Int64 = 0
        /// The time at which the first slice began; nil if none did.
        var start: Instant?
    }

    // It was sent to the queue, and only who has the run calls it.
    nonisolated(unsafe) let body: Body
    /// The duration of a slice in nanoseconds; nil for no limit.
    private let slice: Int64?
    /// The job's place in the order of work, and whether the lane is to return the run after its slice.
    private let place = Atomic<UInt64>(0)
    private let isStopped = Atomic(false)
    fileprivate let hasReturned = Atomic(false)

    // Of the one that has the run.
    nonisolated(unsafe) private(set) var outcome = Outcome()
    // The link of the list of returned runs, written before the run is in it.
    nonisolated(unsafe) fileprivate var next: Unmanaged<LaneRun>?

    // Of the loop, whoever has the run.
    nonisolated(unsafe) weak var client: (any LaneClient)?
    /// The slot of the job in its queue.
    nonisolated(unsafe) var slot = 0
    nonisolated(unsafe) private(set) var sequence: UInt32 = 0
    /// Whether `resume` was called while a lane had the run.
    nonisolated(unsafe) var isResumed = false

    init(_ body: @escaping Body, slice: Int64?) {
        unsafe self.body = body
        self.slice = slice
    }

    /// The job's place in the order of work; the least is the most urgent.
    var order: UInt64 {
        get { place.load(ordering: .relaxed) }
        set { place.store(newValue, ordering: .relaxed) }
    }

    /// Prepares the run to leave the loop.
    func leave(at order: HeapOrder) {
        self.order = order.major
        unsafe sequence = order.minor
        isStopped.store(false, ordering: .relaxed)
        hasReturned.store(false, ordering: .relaxed)
        unsafe (outcome, isResumed) = (Outcome(), false)
    }

    /// Whether its lane has returned it.
    var isReturned: Bool { hasReturned.load(ordering: .acquiring) }

    /// Requests that the lane that has the run returns it after the current slice.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Runs a slice; returns whether the job has another.
    ///
    /// `context` is the loop's on virtual time, whose clock then measures the slice.
    func runSlice(at start: Instant, on context: LoopContext? = nil) -> Bool {
        guard !isStopped.load(ordering: .relaxed) else { return false }
        if unsafe outcome.start == nil { unsafe outcome.start = start }
        let end = slice.map { start.later(by: $0) } ?? .distantFuture
        do {
            unsafe outcome.progress = try body(IdleSlot(onLaneUntil: end, of: context))
        } catch {
            unsafe (outcome.progress, outcome.error) = (.done, error)
        }
        let cost = (context?.clock ?? .monotonic).now.since(start)
        unsafe outcome.slices += 1
        unsafe outcome.total += cost
        unsafe outcome.longest = max(outcome.longest, cost)
        return unsafe outcome.progress == .again && !isStopped.load(ordering: .relaxed)
    }
}

/// The runs that lanes have returned and the loop hasn't taken yet.
///
/// It's a list whose head is exchanged (Treiber, 1986): a lane that stops in the middle of a step
/// delays nobody.
@safe final class ReturnedRuns: Sendable {
    private let head = unsafe Atomic<Unmanaged<LaneRun>?>(nil)

    deinit { _ = takeAll() }

    var isEmpty: Bool { unsafe head.load(ordering: .acquiring) == nil }

    /// Adds a run; returns whether there was none.
    func push(_ run: LaneRun) -> Bool {
        run.hasReturned.store(true, ordering: .releasing)
        let added = unsafe Unmanaged.passRetained(run)
        var old = unsafe head.load(ordering: .relaxed)
        while true {
            unsafe run.next = old
            let (isExchanged, original) = unsafe head.compareExchange(
                expected: old, desired: added, ordering: .acquiringAndReleasing)
            if isExchanged { return unsafe old == nil }
            unsafe old = original
        }
    }

    /// Takes all runs, in the order in which they were added.
    func takeAll() -> [LaneRun] {
        var next = unsafe head.exchange(nil, ordering: .acquiringAndReleasing)
        var runs: [LaneRun] = []
        while let run = unsafe next?.takeRetainedValue() {
            unsafe next = run.next
            runs.append(run)
        }
        return runs.reversed()
    }
}
