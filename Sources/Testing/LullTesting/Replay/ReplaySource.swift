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
        ReplayedLoad(
            TrackedLoad(row: row, work: work, clock: clock, replay: replay),
            placement: options.lanes > 0 ? .anywhere : .loop)
    }

    func finish(
        _ row: Int, _ load: any Load<any Sendable>, _ result: Result<any Sendable, any Error>
    ) throws -> any Sendable {
        replay?.endLoad(of: row, result)
        return try result.get()
    }

    /// Loads a row without interruption; if it isn't charged, it takes no time of the replay's.
    func loadAtOnce(_ row: Int, isCharged: Bool) throws -> any Sendable {
        let isFree = !isCharged && options.clock == .virtual
        let load = TrackedLoad(
            row: row, work: work, clock: isFree ? .virtual(VirtualTime()) : clock,
            replay: isCharged ? replay : nil)
        let result = Result {
            while true {
                if let value = try load.step(until: .distantFuture) { return value }
            }
        }
        if isCharged { replay?.endLoad(of: row, result) }
        return try result.get()
    }
}

/// A row's load that runs on the loop, or on a simulated lane.
private final class ReplayedLoad: SendableLoad {
    // Lanes are simulated: all of them run on the replay's thread.
    nonisolated(unsafe) private let load: TrackedLoad
    let placement: Placement

    init(_ load: TrackedLoad, placement: Placement) {
        unsafe self.load = load
        self.placement = placement
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<any Sendable> {
        let value = try unsafe load.step(until: slot.sliceEnd, isOnLoop: !slot.isOnLane)
        return value.map { .done($0) } ?? .more
    }
}

/// A row's load whose slices a replay records, if there is one.
private final class TrackedLoad {
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

    /// Works until it is done, and returns the result, or until `end`, and returns nil.
    func step(until end: Instant, isOnLoop: Bool = true) throws -> (any Sendable)? {
        let start = clock.now
        replay?.beginSlice(of: row, isFirst: load == nil, isOnLoop: isOnLoop)
        let outcome = Result {
            let load = try self.load ?? work.begin(row: row)
            self.load = load
            return try load.step(until: end, on: clock)
        }
        let isMore = if case .success(.none) = outcome { true } else { false }
        replay?.endSlice(
            of: row, cost: start.duration(to: clock.now), isLast: !isMore, isOnLoop: isOnLoop)
        return try outcome.get()
    }
}
