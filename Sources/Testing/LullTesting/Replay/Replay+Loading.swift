internal import DeferredLoading
internal import Foundation
internal import IdleLoop

// Loading of rows.
extension Replay {
    func isSettled(_ row: Int) -> Bool {
        loader?.state(of: row).isSettled ?? false
    }

    /// Loads the visible rows that are missing before the frame continues.
    func loadInFrame(_ rows: Range<Int>) {
        let missing = rows.filter { !isSettled($0) }
        let rounds = (missing.count + options.fetches - 1) / options.fetches
        loop.clock.spend(options.latency * rounds)
        for row in missing {
            loader?.settle(row, Result { try load(row, charging: true) })
        }
    }

    /// Loads a row without interruption.
    func load(_ row: Int, charging: Bool) throws -> any Sendable {
        let load = TrackedLoad(row: row, replay: self, isCounted: charging)
        return try load.finish()
    }

    func fetch(_ row: Int) -> Fetch<Bool>? {
        guard options.latency > .zero else { return nil }
        let isReal = options.clock == .real
        let latency = options.latency
        return Fetch(cost: latency) {
            if isReal { Thread.sleep(forTimeInterval: latency.inSeconds) }
            return true
        }
    }

    /// A row's load that records its cost and outcome.
    final class TrackedLoad: Load {
        private let row: Int
        private weak let replay: Replay?
        private let isCounted: Bool
        private var load: (any RowLoad)?

        init(row: Int, replay: Replay?, isCounted: Bool = true) {
            self.row = row
            self.replay = replay
            self.isCounted = isCounted
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<any Sendable> {
            if let value = try step(until: slot.sliceEnd) { return .done(value) }
            return load?.takePreview().map { .refined($0) } ?? .more
        }

        /// Runs to the end; uncounted work costs nothing on virtual time.
        func finish() throws -> any Sendable {
            while true {
                if let value = try step(until: .distantFuture) { return value }
            }
        }

        private func step(until end: Instant) throws -> (any Sendable)? {
            guard let replay else { throw CancellationError() }
            let clock =
                isCounted || replay.options.clock == .real
                ? replay.loop.clock : .virtual(VirtualTime())
            let start = clock.now
            if load == nil, isCounted { replay.began(row) }
            if isCounted { replay.gate.noteStart(at: replay.elapsed) }
            let outcome = Result {
                let load = try self.load ?? replay.work.begin(row: row)
                self.load = load
                return try load.step(until: end, on: clock)
            }
            if isCounted {
                let cost = start.duration(to: clock.now)
                replay.count(row, cost, outcome)
                let end = replay.elapsed
                var isLast = true
                if case .success(.none) = outcome { isLast = false }
                replay.log?.slices.append(
                    .init(row: row, start: end - cost.nanoseconds, end: end, isLast: isLast))
            }
            return try outcome.get()
        }
    }

    /// Suspends the queue if the engine lets nothing begin now.
    func askGate() {
        guard !queue.isEmpty else { return }
        let until = gate.shutUntil(at: elapsed, left: queue.next.flatMap { costLeft(ofRow: $0) })
        loop.mode = until == nil ? .default : .tracking
        guard let until, until < .max, !isAlarmSet else { return }
        isAlarmSet = true
        loop.schedule(at: moment(until)) { [weak self] in self?.isAlarmSet = false }
    }

    func costLeft(ofRow row: Int) -> Duration? {
        guard case .begun(let spent)? = loader?.progress(of: row) else {
            return work.costHint(ofRow: row)
        }
        return work.costHint(ofRow: row).map { $0 - spent }
    }

    func began(_ row: Int) {
        ledger.beginLoad()
        onNote?(elapsed, .began(row: row))
    }

    func count(
        _ row: Int, _ cost: Duration, _ outcome: Result<(any Sendable)?, any Error>
    ) {
        ledger.spend(cost.nanoseconds, on: row)
        switch outcome {
        case .success(.some):
            makeRoom(for: row)
            gate.noteFinish(cost: .nanoseconds(ledger.cost(ofRow: row)))
            ledger.finishLoad(of: row)
            onNote?(elapsed, .finished(row: row))
        case .success(.none):
            break
        case .failure(let error):
            makeRoom(for: row)
            ledger.failLoad(of: row, error)
            onNote?(elapsed, .failed(row: row))
        }
    }

    /// The source of the loader's rows.
    struct Source: LoadSource {
        weak let replay: Replay?

        func cost(of row: Int) -> Duration? {
            guard let replay, replay.options.hasHints else { return nil }
            return replay.work.costHint(ofRow: row)
        }

        func fetch(_ row: Int) -> Fetch<Bool>? { replay?.fetch(row) }

        func load(_ row: Int, fetched: Bool?) -> any Load<any Sendable> {
            TrackedLoad(row: row, replay: replay)
        }
    }
}
