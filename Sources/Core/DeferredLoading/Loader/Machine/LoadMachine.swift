internal import IdleLoop
internal import LullLibC

/// The state machine of a loader's keys: requests, progress, waiting work and eviction.
///
/// It takes events and returns effects. It calls nobody, reads no clock and knows neither keys nor
/// values: the same events have the same effects. Code that performs the effects may be called back
/// while it does so, since the change itself is complete by then.
///
/// ```text
/// list ── wanted ──▶ ┌─────────┐ ── submit ───▶ queue
/// queue ── room ───▶ │ machine │ ── withdraw ─▶ queue
/// load ── loaded ──▶ └─────────┘ ── commit ───▶ lists
/// ```
final class LoadMachine {
    typealias Entry = LoadEntry
    typealias List = DemandList
    typealias Event = LoadEvent

    let table: LoadTable
    private var memory: MemoryPolicy
    private var demand = DemandTable()
    /// Whether decisions are among the effects.
    var reportsDecisions = false

    private var effects: [LoadEffect] = []
    private var now = Instant.zero
    /// The entry that was settled last, and may be the one for which there is no room.
    private var newest: Entry?
    /// The entries that wait for a place in the queue since the last report of rejections.
    private var newlyWaiting: [Entry] = []
    private var random: SplitMix64
    /// A counter for identities and for the order of events.
    private var clock: UInt64 = 0

    init(_ configuration: LoaderConfiguration, seed: UInt64) {
        random = SplitMix64(seed: configuration.backoff.seed ?? seed)
        table = LoadTable(
            isBounded: configuration.capacity < .max || configuration.byteLimit != nil)
        memory = MemoryPolicy(limits: configuration, table: table)
    }

    /// The limits of what is kept, retried and finished.
    var configuration: LoaderConfiguration { memory.limits }

    /// The recent cost of loads on the loop.
    var usualCost: MeanDeviation<Duration>? { demand.usualCost }

    /// The entry to submit next, and its level.
    var next: (entry: Entry, level: DemandLevel)? {
        table.nextWaiting.flatMap { entry in entry.level.map { (entry, $0) } }
    }

    /// The number of lists that want something.
    var wantingCount: Int { demand.wantingCount }

    /// The number of lists that want what they are about to show.
    var movingCount: Int { demand.movingCount }

    /// Whether entries have begun to wait for the queue since the last report of rejections.
    var hasNewlyWaiting: Bool { !newlyWaiting.isEmpty }

    /// Returns whether the start of this slice must be reported.
    func isFirstSlice(_ entry: Entry) -> Bool {
        entry.life.stage != .begun || demand.isShared && entry.job?.hasBegunTurn != true
    }

    // MARK: - Events

    /// Processes an event, and returns its effects.
    ///
    /// O(log n) for each key that the event is about.
    func handle(_ event: Event, at instant: Instant) -> [LoadEffect] {
        now = instant
        apply(event)
        makeRoom()
        while let entry = memory.nextReadmitted { move(entry, .roomMade) }
        if !newlyWaiting.isEmpty, table.nextWaiting == nil { newlyWaiting = [] }
        defer { effects = [] }
        return effects
    }

    private func apply(_ event: Event) {
        switch event {
        case .opened(let list): demand.open(list)
        case .closed(let list, let subscribed): close(list, subscribed)
        case .wanted(let list, let requests):
            if demand.isOpen(list) { follow(update(list, to: requests), of: list) }
        case .subscribed(let list, let entry): subscribe(list, to: entry)
        case .unsubscribed(let list, let entry): unsubscribe(list, from: entry)
        case .estimated(let entry, let isNearlyDone, let progress):
            abandon(entry, isNearlyDone: isNearlyDone, progress)
        case .room: submitNext()
        case .noRoom(let jobs): reportRejected(jobs)
        case .offered(let entry, let fetch): offered(entry, fetch)
        case .displaced(let entry): move(entry, .unwanted(isNearlyDone: false))
        case .fetchAbandoned(let entry, let cost): demand.spendFetch(cost, on: entry)
        case .jobEnded(let entry, let failure): ended(entry, failure)
        case .fetched(let entry, let bytes, let start, let took):
            storeFetch(entry, bytes, start, took)
        case .fetchGoesOn(let entry, let deadline): wait(entry, until: deadline)
        case .starts(let entry):
            if entry.life.stage != .begun { note(entry, .begun) }
            demand.beginTurn(of: entry)
        case .begun(let entry): move(entry, .reached(.begun))
        case .sliced(let entry, let cost, let bytes, let waits):
            sliced(entry, cost, bytes, waits: waits)
        case .refined(let entry, let cost, let bytes):
            sliced(entry, cost, bytes)
            note(entry, .refined)
            commit(entry)
        case .loaded(let entry, let cost, let bytes):
            entry.spend(cost)
            demand.learn(entry.spent, of: entry)
            finish(entry, bytes)
        case .failed(let entry, let failure):
            table.add(entry)
            fail(entry, failure)
        case .retried(let entry):
            entry.forgetFailures()
            retry(entry, "it was asked for")
        case .invalidated(let entry):
            note(entry, .invalidated)
            entry.forgetFailures(contentHasChanged: true)
            startOver(entry)
        case .superseded(let entry): startOver(entry)
        case .given(let entry, let bytes):
            table.add(entry)
            finish(entry, bytes)
        case .used(let entry):
            entry.use(at: tick())
            changed(entry)
        case .trimmed(let share): trim(to: share)
        case .limited(let bytes): memory.limitBytes(to: bytes)
        case .timer: handleDeadlines()
        }
    }

    /// Returns the next number of the counter.
    private func tick() -> UInt64 {
        clock += 1
        return clock
    }

    /// Adds a decision to the effects, if decisions are observed.
    private func note(
        _ entry: Entry, _ kind: @autoclosure () -> LoadDecisionKind, of list: List? = nil,
        _ reason: @autoclosure () -> String? = nil
    ) {
        guard reportsDecisions else { return }
        effects.append(
            .decided(entry, kind(), at: now, list: list?.name, reason: reason()))
    }

    // MARK: - The life of an entry

    /// Sends an event to a key's life cycle, and performs its action.
    private func move(_ entry: Entry, _ event: LoadLife.Event) {
        guard !entry.isGone else { return }
        let place = entry.life.place
        let action = entry.handle(event, tick: tick)
        if entry.life.place != place, entry.life.place == .waiting, reportsDecisions {
            newlyWaiting.append(entry)
        }
        changed(entry)
        switch action {
        case .none: break
        case .reorder: effects.append(.reorder(entry))
        case .withdraw: effects.append(.withdraw(entry))
        case .suspend: while let oldest = memory.nextExcessSuspended { forget(oldest) }
        case .forget: removeIfBlank(entry)
        }
    }

    /// Updates the orders and sums after a change of an entry.
    private func changed(_ entry: Entry) {
        guard !entry.isGone else { return }
        table.refresh(entry)
    }

    private func clear(_ entry: Entry) {
        entry.reset(at: tick())
        if let contents = entry.release() { effects.append(.release(contents)) }
    }

    private func removeIfBlank(_ entry: Entry) {
        guard !entry.isGone, entry.isBlank else { return }
        table.remove(entry)
        effects.append(.forget(entry))
    }

    /// Discards all work of a key, also results that are on their way.
    private func startOver(_ entry: Entry) {
        entry.renew(at: tick())
        clear(entry)
        move(entry, .reset)
    }

    /// Delivers a key's state to all lists that have subscribed to it.
    private func commit(_ entry: Entry) {
        entry.publish(at: tick())
        if entry.isSubscribed { effects.append(.commit(entry, version: entry.version)) }
    }

    // MARK: - Lists

    private func close(_ list: List, _ subscribed: [Entry]) {
        guard demand.isOpen(list) else { return }
        let unwanted = update(list, to: [])
        demand.close(list)
        follow(unwanted, of: list)
        for entry in subscribed { unsubscribe(list, from: entry) }
    }

    private func update(_ list: List, to requests: [EntryRequest]) -> [Entry] {
        for request in requests { table.add(request.entry) }
        return demand.update(list, to: requests, number: tick())
    }

    /// Follows up a list's change of its demands for some entries.
    private func follow(_ entries: [Entry], of list: List) {
        reorder(demand.shareTurns(after: list))
        for entry in entries {
            noteDemand(for: entry, of: list)
            followDemand(for: entry)
        }
    }

    /// Moves the jobs of entries with new turns.
    private func reorder(_ entries: [Entry]) {
        for entry in entries where entry.life.isWanted { move(entry, .wanted) }
    }

    /// Reports the changes of a key's demand since the last report, after a list's change.
    private func noteDemand(for entry: Entry, of list: List) {
        let (from, lists) = entry.takeReportedDemand()
        switch (from, entry.demand.place) {
        case (nil, nil): break
        case (nil, let to?): note(entry, .wanted(to.urgency, rank: to.turn), of: list)
        case (.some, nil): note(entry, .unwanted(entry.progress), of: list)
        case (let from?, let to?):
            let count = entry.demand.count
            if count != lists { note(entry, .shared(lists: count), of: list) }
            guard from != to else { break }
            note(entry, .moved(from: from.urgency, to: to.urgency, rank: to.turn), of: list)
        }
    }

    /// Gives a key the urgency of its demand, or abandons it if there is none.
    private func followDemand(for entry: Entry) {
        guard entry.demand.isEmpty else { return move(entry, .wanted) }
        guard entry.life.isWanted else { return removeIfBlank(entry) }
        if configuration.nearlyDone != nil, entry.life.place == .queued,
            entry.isFetching || entry.life.stage == .begun
        {
            effects.append(.estimateProgress(entry))
        } else {
            move(entry, .unwanted(isNearlyDone: false))
        }
    }

    /// Abandons an unwanted load, unless it is so nearly done that it is finished after all others.
    private func abandon(_ entry: Entry, isNearlyDone: Bool, _ progress: LoadProgress) {
        guard !entry.isGone, entry.demand.isEmpty, entry.life.isWanted else { return }
        if isNearlyDone {
            note(entry, .kept(progress), "most of it is done, and nothing waits for it")
        }
        move(entry, .unwanted(isNearlyDone: isNearlyDone))
    }

    private func subscribe(_ list: List, to entry: Entry) {
        table.add(entry)
        let wasSubscribed = entry.isSubscribed
        entry.subscribe(list.number, at: tick())
        if entry.life.place == .memoryBlocked { move(entry, .roomMade) } else { changed(entry) }
        if !wasSubscribed { retryIfReturned(entry) }
    }

    private func unsubscribe(_ list: List, from entry: Entry) {
        entry.unsubscribe(list.number, at: tick())
        changed(entry)
        removeIfBlank(entry)
    }

    // MARK: - The queue

    /// Submits the next entry to the queue; an entry for which there is no room in memory waits
    /// without its finished work.
    private func submitNext() {
        while let (entry, _) = next {
            if memory.admits(entry) { return effects.append(.submit(entry)) }
            note(entry, .memoryBlocked, "what is more urgent fills the memory")
            clear(entry)  // its bytes would take room from others, and never be evicted
            move(entry, .evicted)
        }
    }

    /// Reports each entry that has begun to wait since the last report as rejected by the queue.
    private func reportRejected(_ jobs: Int) {
        let entries = newlyWaiting
        newlyWaiting = []
        for entry in entries where entry.life.place == .waiting && entry.life.isWanted {
            guard !entry.isGone, entry.reportsRejection() else { continue }
            note(entry, .rejected, "\(jobs) jobs of its urgency or above fill the queue")
        }
    }

    private func offered(_ entry: Entry, _ fetch: LoadEvent.FetchFacts?) {
        let limit = fetch == nil ? nil : configuration.fetchTimeout
        let job = LoadEntry.Job(
            number: tick(), isFetching: fetch != nil, isOperation: fetch?.isOperation ?? false,
            fetchCost: fetch?.cost ?? .zero, turn: demand.isShared ? entry.demand.foremost : nil)
        entry.begin(job, deadline: limit.map { now.advanced(by: $0) })
        move(entry, .offered)
    }

    /// Handles the end of a job: an entry that is wanted and has no result is offered again.
    private func ended(_ entry: Entry, _ failure: Event.Failure?) {
        let job = entry.endJob()
        if let failure { fail(entry, failure) }
        reorder(demand.charge(job))
        move(entry, .jobEnded)
        if entry.life.isSettled { newest = entry }
        removeIfBlank(entry)
    }

    // MARK: - Fetches and loads

    /// Handles the result of a fetch: the load now waits for a lull, if it is still wanted.
    private func storeFetch(_ entry: Entry, _ bytes: Int, _ start: Instant?, _ took: Duration) {
        if entry.job?.isOperation != true { demand.spendFetch(took, on: entry) }
        entry.storeFetch(bytes: bytes)
        note(entry, .fetched(since: start ?? now - took))
        move(entry, .reached(.fetched))
        // Only its fetch was to be finished.
        if entry.life.claim == .finishing { move(entry, .unwanted(isNearlyDone: false)) }
    }

    /// Handles the end of a slice; `bytes` is what is held now, nil if bytes aren't limited.
    private func sliced(_ entry: Entry, _ cost: Duration, _ bytes: Int?, waits: Bool = false) {
        entry.spend(cost)
        entry.wait(waits)
        if let bytes { entry.hold(bytes) }
        changed(entry)
    }

    private func finish(_ entry: Entry, _ bytes: Int) {
        let cost = entry.spent
        settle(entry, bytes, isFailure: false)
        note(entry, .finished(cost: cost))
        move(entry, .reached(.loaded))
        commit(entry)
    }

    private func fail(_ entry: Entry, _ failure: Event.Failure) {
        settle(entry, 0, isFailure: true)
        note(entry, .failed("\(failure.error)"))
        move(entry, .reached(.failed))
        entry.fail(at: now)
        planRetry(of: entry, failure.retry)
        commit(entry)
    }

    private func settle(_ entry: Entry, _ bytes: Int, isFailure: Bool) {
        entry.settle(bytes: bytes, isFailure: isFailure, at: tick())
        effects += demand.noteEnd(of: entry).map { .halfDone($0) }
        // An entry whose job has not ended yet makes room when it ends.
        if entry.life.place != .queued { newest = entry }
    }

    // MARK: - Retries and time limits

    private func retry(_ entry: Entry, _ reason: String) {
        note(entry, .retried, reason)
        clear(entry)
        move(entry, .reset)
    }

    /// Retries a key that comes into view and has failed for good, once as much time has passed as
    /// the backoff gives it: what was missing may be there now.
    private func retryIfReturned(_ entry: Entry) {
        guard entry.life.stage == .failed, entry.deadline == .distantFuture else { return }
        let wait = configuration.backoff.bound(afterFailures: entry.failures)
        if now - entry.failed >= wait { retry(entry, "it came into view again") }
    }

    private func planRetry(of entry: Entry, _ retry: LoadRetry) {
        let delay: Duration?
        switch retry {
        case .never: delay = nil
        case .later:
            delay = configuration.backoff.delay(
                afterFailures: entry.failures, using: &random)
        case .after(let time): delay = max(.zero, time)
        }
        guard let delay else { return }
        let time = now.advanced(by: delay)
        note(
            entry, .retrying(at: time, failures: entry.failures),
            "the trouble may pass; waits grow with each failure")
        wait(entry, until: time)
    }

    private func wait(_ entry: Entry, until deadline: Instant) {
        entry.wait(until: deadline)
        changed(entry)
    }

    /// Retries keys that are due, and requests a check of fetches that have reached their time
    /// limit.
    private func handleDeadlines() {
        while let (due, entry) = table.nextDeadline, due <= now {
            if entry.life.stage == .failed {
                retry(entry, "try \(entry.failures + 1)")
            } else {
                wait(entry, until: .distantFuture)
                effects.append(.checkFetch(entry, due: due))
            }
        }
    }

    // MARK: - Memory

    /// Evicts values until the limits are kept.
    private func makeRoom() {
        defer { newest = nil }
        while let victim = memory.nextVictim {
            switch victim {
            case .inProgress(let entry):
                note(entry, .evicted, "more urgent loads are in progress")
                startOver(entry)
            case .suspended(let entry): forget(entry)
            case .finishing(let entry): startOver(entry)
            case .settled(let entry): evict(entry, lackOfRoom(for: entry))
            }
        }
    }

    private func lackOfRoom(for entry: Entry) -> String {
        let room = newest.map { $0 === entry ? "there is none for it" : "room for \($0.name)" }
        return "\(room ?? "room is short"): \(memory.exceededLimit) are kept"
    }

    private func evict(_ entry: Entry, _ reason: @autoclosure () -> String) {
        note(entry, .evicted, reason())
        // A wanted key that has failed and is evicted doesn't get its tries back: otherwise it
        // could be evicted and retried for ever.
        if !entry.life.isWanted { entry.forgetFailures() }
        clear(entry)
        move(entry, .evicted)
        removeIfBlank(entry)
    }

    /// Discards the unfinished work of an unwanted load.
    private func forget(_ entry: Entry) {
        clear(entry)
        move(entry, .reset)
        removeIfBlank(entry)
    }

    /// Evicts values until only a share is kept, and discards all suspended loads.
    private func trim(to share: Double) {
        while let entry = table.nextSuspended { forget(entry) }
        table.keepEvictionOrder()
        let values = Int(Double(table.sums.settled) * share)
        let bytes = Int(Double(table.sums.bytes) * share)
        while table.sums.settled > values || table.sums.bytes > bytes,
            let entry = table.nextEvictable, !entry.life.isWanted
        {
            evict(entry, "memory is short")
        }
    }

    /// Checks that its records of keys are consistent.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        table.checkInvariants()
        demand.checkInvariants()
        for entry in table.all {
            let life = entry.life
            precondition(
                life.isWanted == !entry.demand.isEmpty, "what somebody wants is wanted")
            precondition(!entry.isBlank, "nobody is kept for nothing")
            precondition(!entry.isFetching || life.place == .queued, "only jobs are fetched")
            precondition(
                life.place != .memoryBlocked || !entry.isSubscribed,
                "what is subscribed to always has room")
            precondition(
                life.place != .memoryBlocked || entry.bytes == 0, "what waits for room takes none")
            precondition(
                entry.subscribers.allSatisfy { demand.lists[$0.list] != nil },
                "subscribers are known")
        }
        precondition(table.suspendedCount <= configuration.suspended, "few loads are suspended")
        memory.checkInvariants()
    }
}
