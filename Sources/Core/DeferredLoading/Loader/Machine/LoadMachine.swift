internal import IdleLoop
internal import LullLibC

/// The state machine of a loader's keys: requests, progress, waiting work and eviction.
///
/// It takes events and returns effects. It calls nobody, reads no clock and knows neither keys nor
/// values: the same events have the same effects.
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

    /// The maximum number of loads that go on although nobody wants them.
    static let mostLeftOver = 8

    let table: LoadTable
    var memory: MemoryPolicy
    private(set) var demand = DemandTable()
    /// Whether decisions are among the effects.
    var reportsDecisions = false

    private var effects: [LoadEffect] = []
    private var now = Instant.zero
    /// The entry that was settled last, and may be the one for which there is no room.
    var newest: Entry?
    /// The entries that have begun to wait since the last report of rejections.
    private var newlyWaiting: [Entry] = []
    /// The entries that may be removed at the end of the event.
    private var blank: [Entry] = []
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

    /// The entry to submit next; nil if none waits, or there is no room in memory.
    var next: Entry? {
        guard let first = table.nextWaiting, !memory.admits(first) else { return table.nextWaiting }
        return table.sums.shownWaiting > 0 ? table.nextShownWaiting : nil
    }

    /// The number of lists that want something.
    var wantingCount: Int { demand.wantingCount }

    /// The number of lists that want what they are about to show.
    var movingCount: Int { demand.movingCount }

    /// Whether entries have begun to wait for the queue since the last report of rejections.
    var hasNewlyWaiting: Bool { !newlyWaiting.isEmpty }

    /// Returns whether the start of this slice must be reported.
    func isFirstSlice(_ entry: Entry) -> Bool {
        entry.stage != .begun || demand.isShared && entry.job?.hasBegunTurn != true
    }

    // MARK: - Events

    /// Processes an event, and returns its effects.
    ///
    /// O(log n) for each key that the event is about.
    func handle(_ event: Event, at instant: Instant) -> [LoadEffect] {
        now = instant
        apply(event)
        makeRoom()
        reportBlocked()
        if !newlyWaiting.isEmpty, table.nextWaiting == nil { newlyWaiting = [] }
        for entry in blank where entry.isBlank && !entry.isGone {
            table.remove(entry)
            effects.append(.forget(entry))
        }
        blank.removeAll(keepingCapacity: true)
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
        case .judged(let entry, let goesOn, let progress):
            judge(entry, goesOn: goesOn, progress)
        case .noRoom(let jobs): reportRejected(jobs)
        case .offered(let entry, let fetch): offered(entry, fetch)
        case .displaced(let entry): withdraw(entry)
        case .fetchAbandoned(let entry, let cost): demand.spendFetch(cost, on: entry)
        case .jobEnded(let entry, let failure): ended(entry, failure)
        case .fetched(let entry, let bytes, let start, let took):
            storeFetch(entry, bytes, start, took)
        case .fetchGoesOn(let entry, let deadline): wait(entry, until: deadline)
        case .starts(let entry):
            if entry.stage != .begun { note(entry, .begun) }
            demand.beginTurn(of: entry)
        case .begun(let entry):
            entry.stage = .begun
            changed(entry)
        case .sliced(let entry, let cost, let bytes, let waits):
            sliced(entry, cost, bytes, waits: waits)
        case .refined(let entry, let cost, let bytes):
            sliced(entry, cost, bytes)
            note(entry, .refined)
            commit(entry)
        case .loaded(let entry, let cost, let bytes):
            spend(cost, on: entry)
            demand.learn(entry.spent, of: entry)
            finish(entry, bytes)
        case .failed(let entry, let failure):
            table.add(entry)
            fail(entry, failure)
        case .retried(let entry):
            entry.failures = 0
            retry(entry, "it was asked for")
        case .invalidated(let entry):
            note(entry, .invalidated)
            (entry.failures, entry.mostBytes) = (0, 0)
            startOver(entry)
        case .superseded(let entry): startOver(entry)
        case .given(let entry, let bytes):
            table.add(entry)
            finish(entry, bytes)
        case .used(let entry):
            entry.lastUsed = tick()
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
    func note(
        _ entry: Entry, _ kind: @autoclosure () -> LoadDecisionKind, of list: List? = nil,
        _ reason: @autoclosure () -> String? = nil
    ) {
        guard reportsDecisions else { return }
        effects.append(
            .tell(.decided(entry, kind(), at: now, list: list?.name, reason: reason())))
    }

    // MARK: - The life of an entry

    /// Updates the orders and sums after a change of an entry.
    private func changed(_ entry: Entry) {
        if entry.isWaiting, !entry.record.isWaiting {
            entry.since = tick()
            entry.isWaitReported = false
            if reportsDecisions { newlyWaiting.append(entry) }
        }
        table.refresh(entry)
        if entry.isBlank { blank.append(entry) }
    }

    /// Cancels the job of a key.
    private func withdraw(_ entry: Entry) {
        guard entry.job?.isWithdrawn == false else { return }
        entry.job?.isWithdrawn = true
        effects.append(.withdraw(entry))
        changed(entry)
    }

    /// Discards the work or the result of a key.
    func clear(_ entry: Entry) {
        entry.version = tick()
        entry.stage = .nothing
        entry.forgetWork()
        if let contents = entry.release() { effects.append(.tell(.release(contents))) }
        changed(entry)
    }

    /// Discards all work of a key, also results that are on their way.
    func startOver(_ entry: Entry) {
        clear(entry)
        entry.job?.isOutdated = true
        withdraw(entry)
    }

    /// Delivers a key's state to all lists that have subscribed to it.
    private func commit(_ entry: Entry) {
        entry.version = tick()
        if entry.isSubscribed { effects.append(.tell(.commit(entry))) }
    }

    // MARK: - Lists

    private func close(_ list: List, _ subscribed: [Entry]) {
        guard demand.isOpen(list) else { return }
        let unwanted = update(list, to: [])
        demand.close(list)
        follow(unwanted, of: list)
        for entry in subscribed { unsubscribe(list, from: entry) }
        // It won't return.
        for entry in table.leftOver where entry.job?.givenUpBy == list.number { withdraw(entry) }
    }

    private func update(_ list: List, to requests: [LoadEvent.Request]) -> [Entry] {
        for request in requests { table.add(request.entry) }
        return demand.update(list, to: requests, number: tick())
    }

    /// Follows up a list's change of its demands for some entries.
    private func follow(_ entries: [Entry], of list: List) {
        reorder(demand.shareTurns(after: list))
        for entry in entries {
            noteDemand(for: entry, of: list)
            if !entry.isWanted { entry.job?.givenUpBy = list.number }
            followDemand(for: entry)
        }
    }

    /// Moves entries with new turns, and their jobs.
    private func reorder(_ entries: [Entry]) {
        for entry in entries where entry.isWanted {
            if entry.job?.isWithdrawn == false { effects.append(.reorder(entry)) }
            changed(entry)
        }
    }

    /// Reports the changes of a key's demand since the last report, after a list's change.
    private func noteDemand(for entry: Entry, of list: List) {
        let (from, lists) = entry.reported
        entry.reported = (entry.demand.own, entry.demand.count)
        switch (from, entry.demand.own) {
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

    /// Gives a key the place of its demand, or lets go of it if there is none.
    private func followDemand(for entry: Entry) {
        guard !entry.isWanted else { return reorder([entry]) }
        if !entry.isQueued, !entry.isSettled, entry.stage != .nothing { clear(entry) }
        changed(entry)
        guard entry.isLeftOver else { return }
        let isUnderWay = entry.isFetching || entry.stage != .nothing
        if isUnderWay, configuration.nearlyDone != nil {
            effects.append(.judge(entry))
        } else {
            withdraw(entry)
        }
    }

    /// Lets go of a load that nobody wants, unless it goes on after all that is wanted: then the one
    /// that was given up longest ago makes room.
    private func judge(_ entry: Entry, goesOn: Bool, _ progress: LoadProgress) {
        guard entry.isLeftOver else { return }
        guard goesOn else { return withdraw(entry) }
        note(entry, .kept(progress), "most of it is done, and nothing waits for it")
        effects.append(.reorder(entry))
        entry.job?.isKept = true
        let kept = table.leftOver.filter { $0.job?.isKept == true }
        if kept.count > Self.mostLeftOver { withdraw(kept[0]) }
    }

    private func subscribe(_ list: List, to entry: Entry) {
        table.add(entry)
        let wasSubscribed = entry.isSubscribed
        entry.subscribers.append(list.number)
        changed(entry)
        if !wasSubscribed { retryIfReturned(entry) }
    }

    private func unsubscribe(_ list: List, from entry: Entry) {
        entry.subscribers.removeAll { $0 == list.number }
        entry.lastUsed = tick()
        changed(entry)
    }

    // MARK: - The queue

    /// Reports each entry that has begun to wait since the last report as rejected by the queue.
    private func reportRejected(_ jobs: Int) {
        let entries = newlyWaiting
        newlyWaiting = []
        for entry in entries where entry.isWaiting && !entry.isWaitReported {
            entry.isWaitReported = true
            note(entry, .rejected, "\(jobs) jobs of its urgency or above fill the queue")
        }
    }

    /// Reports that there is no room in memory for the next entry.
    private func reportBlocked() {
        guard reportsDecisions, let first = table.nextWaiting, !first.isWaitReported,
            !memory.admits(first)
        else { return }
        first.isWaitReported = true
        note(first, .memoryBlocked, "what is more urgent fills the memory")
    }

    private func offered(_ entry: Entry, _ fetch: LoadEvent.FetchFacts?) {
        let limit = fetch == nil ? nil : configuration.fetchTimeout
        entry.job = LoadEntry.Job(
            number: tick(), isFetching: fetch != nil, isOperation: fetch?.isOperation ?? false,
            fetchCost: fetch?.cost ?? .zero, turn: demand.isShared ? entry.demand.foremost : nil)
        entry.deadline = limit.map { now.advanced(by: $0) } ?? .distantFuture
        changed(entry)
    }

    /// Handles the end of a job: an entry that is wanted and has no result waits again.
    private func ended(_ entry: Entry, _ failure: Event.Failure?) {
        if entry.isFetching { entry.deadline = .distantFuture }
        let job = entry.job.take()
        if let failure { fail(entry, failure) }
        reorder(demand.charge(job))
        if !entry.isWanted, !entry.isSettled, entry.stage != .nothing { clear(entry) }
        changed(entry)
        if entry.isSettled { newest = entry }
    }

    // MARK: - Fetches and loads

    /// Handles the result of a fetch: the load now waits for a lull.
    private func storeFetch(_ entry: Entry, _ bytes: Int, _ start: Instant?, _ took: Duration) {
        if entry.job?.isOperation != true { demand.spendFetch(took, on: entry) }
        entry.job?.isFetching = false
        entry.deadline = .distantFuture
        entry.fetchedBytes = bytes
        entry.bytes = bytes
        entry.stage = .fetched
        note(entry, .fetched(since: start ?? now - took))
        changed(entry)
    }

    private func spend(_ cost: Duration, on entry: Entry) {
        entry.spent += cost
        entry.job?.spent += cost
    }

    /// Handles the end of a slice; `bytes` is what is held now, nil if bytes aren't limited.
    private func sliced(_ entry: Entry, _ cost: Duration, _ bytes: Int?, waits: Bool = false) {
        spend(cost, on: entry)
        entry.job?.isWaiting = waits
        if let bytes { entry.bytes = bytes }
        changed(entry)
    }

    private func finish(_ entry: Entry, _ bytes: Int) {
        let cost = entry.spent
        settle(entry, .loaded, bytes)
        entry.failures = 0
        note(entry, .finished(cost: cost))
        changed(entry)
        commit(entry)
    }

    private func fail(_ entry: Entry, _ failure: Event.Failure) {
        settle(entry, .failed, 0)
        entry.failures += 1
        entry.failed = now
        note(entry, .failed("\(failure.error)"))
        planRetry(of: entry, failure.retry)
        changed(entry)
        commit(entry)
    }

    private func settle(_ entry: Entry, _ stage: Entry.Stage, _ bytes: Int) {
        entry.stage = stage
        entry.forgetWork()
        entry.bytes = bytes
        entry.since = tick()
        effects += demand.noteEnd(of: entry).map { .tell(.halfDone($0)) }
        // An entry whose job has not ended yet makes room when it ends.
        if !entry.isQueued { newest = entry }
    }

    // MARK: - Retries and time limits

    private func retry(_ entry: Entry, _ reason: String) {
        note(entry, .retried, reason)
        clear(entry)
    }

    /// Retries a key that comes into view and has failed for good, once as much time has passed as
    /// the backoff gives it: what was missing may be there now.
    private func retryIfReturned(_ entry: Entry) {
        guard entry.stage == .failed, entry.deadline == .distantFuture else { return }
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
        entry.deadline = time
    }

    private func wait(_ entry: Entry, until deadline: Instant) {
        entry.deadline = deadline
        changed(entry)
    }

    /// Retries keys that are due, and requests a check of fetches that have reached their time
    /// limit.
    private func handleDeadlines() {
        while let (due, entry) = table.nextDeadline, due <= now {
            if entry.stage == .failed {
                retry(entry, "try \(entry.failures + 1)")
            } else {
                wait(entry, until: .distantFuture)
                effects.append(.checkFetch(entry, due: due))
            }
        }
    }
}
