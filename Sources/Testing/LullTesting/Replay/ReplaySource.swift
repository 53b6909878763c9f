internal import DeferredLoading
internal import Foundation
internal import IdleLoop

/// The source of the rows of a replay, which is told of each slice of their loads.
struct ReplaySource: LoadSource {
    let work: any RowWork
    let options: ReplayOptions
    let clock: LoopClock
    weak let replay: Replay?

    func cost(of row: Int) -> Duration? { options.hasHints ? work.costHint(ofRow: row) : nil }

    func kind(of row: Int) -> WorkKind? { options.hasKinds ? work.kind(ofRow: row) : nil }

    func fetch(_ row: Int) -> Fetch<Bool>? {
        guard options.latency > .zero else { return nil }
        let isReal = options.clock == .real
        let latency = options.latency
        return Fetch(cost: latency) {
            if isReal { Thread.sleep(forTimeInterval: latency.inSeconds) }
            return true
        }
    }

    func load(_ row: Int, fetched: Bool?) -> any Load<any Sendable> {
        TrackedLoad(row: row, work: work, clock: clock, replay: replay)
    }

    /// Loads a row without interruption; if it isn't charged, it takes no time of the replay's.
    func loadAtOnce(_ row: Int, isCharged: Bool) throws -> any Sendable {
        let isFree = !isCharged && options.clock == .virtual
        let load = TrackedLoad(
            row: row, work: work, clock: isFree ? .virtual(VirtualTime()) : clock,
            replay: isCharged ? replay : nil)
        while true {
            if let value = try load.step(until: .distantFuture) { return value }
        }
    }
}

/// A row's load whose cost and outcome a replay records, if there is one.
private final class TrackedLoad: Load {
    private let row: Int
    private let work: any RowWork
    private let clock: LoopClock
    private weak let replay: Replay?
    private var load: (any RowLoad)?

    init(row: Int, work: any RowWork, clock: LoopClock, replay: Replay?) {
        self.row = row
        self.work = work
        self.clock = clock
        self.replay = replay
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<any Sendable> {
        try step(until: slot.sliceEnd).map { .done($0) } ?? .more
    }

    func step(until end: Instant) throws -> (any Sendable)? {
        let start = clock.now
        replay?.beginSlice(of: row, isFirst: load == nil)
        let outcome = Result {
            let load = try self.load ?? work.begin(row: row)
            self.load = load
            return try load.step(until: end, on: clock)
        }
        replay?.endSlice(of: row, cost: start.duration(to: clock.now), outcome)
        return try outcome.get()
    }
}
