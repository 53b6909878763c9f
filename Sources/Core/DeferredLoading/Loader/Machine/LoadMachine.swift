internal import IdleLoop
internal import LullLibC

/// The state machine of a loader's keys: requests, progress, waiting work and eviction.
///
/// It is told what has happened, one method for each event, and returns effects. It calls nobody,
/// reads no clock and knows neither keys nor values: the same events have the same effects.
///
/// ```text
/// list ── want ────▶ ┌─────────┐ ── reorder, withdraw ─▶ queue
/// queue ─ jobEnded ▶ │ machine │
/// load ── loaded ──▶ └─────────┘ ── commit ────────────▶ lists
/// ```
final class LoadMachine {
    typealias Entry = LoadEntry
    typealias List = DemandList

    let table = LoadTable()
    /// The limits of what is kept, retried and finished.
    var limits: LoaderConfiguration
    private(set) var demand = DemandTable()
    /// Whether decisions are among the effects.
    var reportsDecisions = false

    private var effects: [LoadEffect] = []
    private var now = Instant.zero
    /// The entry that was settled last, and may be the one for which there is no room.
    var newest: Entry?
    /// The entries that may be removed at the end of the event.
    private var blank: [Entry] = []
    private var random: SplitMix64
    /// A counter for the order of events.
    private var clock: UInt64 = 0

    init(_ limits: LoaderConfiguration, seed: UInt64) {
        self.limits = limits
        random = SplitMix64(seed: seed)
        if let bytes = limits.byteLimit { limitBytes(to: bytes) }
    }

    /// The entry to submit next; nil if none waits, or there is no room in memory.
    var next: Entry? {
        guard let first = table.nextWaiting, !admits(first) else { return table.nextWaiting }
        return table.sums.shownWaiting > 0 ? table.nextShownWaiting : nil
    }

    /// Tells it of an event at a time, and returns the effects.
    ///
    /// O(log n) for each key that the event is about.
    func effects(at instant: Instant, of event: (LoadMachine) -> Void) -> [LoadEffect] {
        now = instant
        event(self)
        makeRoom()
        if reportsDecisions, let first = table.nextWaiting, !admits(first) {
            reportWait(of: first, .memoryBlocked, "what is more urgent fills the memory")
        }
        for entry in blank where entry.isBlank && entry.slot >= 0 {
            // A rule's status may hold it for a while, and with it the preview of a cancelled fetch.
            if let contents = entry.release() { effects.append(.release(contents)) }
            table.remove(entry)
            effects.append(.forget(entry))
        }
        blank.removeAll(keepingCapacity: true)
        defer { effects = [] }
        return effects
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
        effects.append(.decided(entry, kind(), list: list?.name, reason: reason()))
    }

    // MARK: - The life of an entry

    /// Updates the orders and sums after a change of an entry.
    private func changed(_ entry: Entry) {
        if entry.isWaiting, !entry.hasWaited {
            entry.since = tick()
            entry.isWaitReported = false
        }
        table.refresh(entry)
        if entry.isBlank { blank.append(entry) }
    }

    /// Cancels the job of a key, to let go of its load or to give its place to others.
    func withdraw(_ entry: Entry) {
        guard let job = entry.job, !job.isWithdrawn else { return }
        job.isWithdrawn = true
        effects.append(.withdraw(entry))
        changed(entry)
    }

    /// Discards the work or the result of a key.
    func clear(_ entry: Entry) {
        entry.version = tick()
        entry.stage = .nothing
        entry.forgetWork()
        if let contents = entry.release() { effects.append(.release(contents)) }
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
        if entry.isSubscribed { effects.append(.commit(entry)) }
    }

    // MARK: - Lists

    func isOpen(_ list: List) -> Bool { demand.lists[list.number] != nil }

    func open(_ list: List) { demand.open(list) }

    /// Closes a list: its requests and subscriptions end.
    func close(_ list: List) {
        let unwanted = update(list, to: [])
        demand.close(list)
        follow(unwanted, of: list)
        for entry in list.subscribed { unsubscribe(list, from: entry) }
        // It won't return.
        for entry in table.leftOver where entry.job?.givenUpBy == list.number { withdraw(entry) }
    }

    /// Replaces all that a list wants.
    func want(_ requests: [List.Request], in list: List) {
        follow(update(list, to: requests), of: list)
    }

    private func update(_ list: List, to requests: [List.Request]) -> [Entry] {
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
        let from = entry.reported
        entry.reported = entry.demand.own
        switch (from, entry.demand.own) {
        case (nil, nil): break
        case (nil, let to?): note(entry, .wanted(to.urgency, rank: to.turn), of: list)
        case (.some, nil): note(entry, .unwanted(entry.progress), of: list)
        case (let from?, let to?):
            guard from != to else { break }
            note(entry, .moved(from: from.urgency, to: to.urgency, rank: to.turn), of: list)
        }
    }

    /// Gives a key the place of its demand, or lets go of it if there is none.
    private func followDemand(for entry: Entry) {
        guard !entry.isWanted else { return reorder([entry]) }
        if !entry.isQueued, !entry.isSettled, entry.stage != .nothing { clear(entry) }
        changed(entry)
        if entry.isLeftOver { effects.append(.judge(entry)) }
    }

    /// Lets a load that nobody wants go on after all that is wanted: the one that was given up longest
    /// ago makes room.
    func keep(_ entry: Entry, _ progress: LoadProgress, most: Int) {
        note(entry, .kept(progress), "its fetch is under way, and nothing waits for its place")
        effects.append(.reorder(entry))
        entry.job?.isKept = true
        let kept = table.leftOver.filter { $0.job?.isKept == true }
        if kept.count > most { withdraw(kept[0]) }
    }

    /// Subscribes a list to a key; it is told what can be shown by now, unless it asks itself.
    func subscribe(_ list: List, to entry: Entry, isTold: Bool) {
        table.add(entry)
        let wasSubscribed = entry.isSubscribed
        list.subscribe(to: entry, isTold: isTold)
        changed(entry)
        if !wasSubscribed { retryIfReturned(entry) }
        if !isTold, entry.canBeShown { effects.append(.commit(entry)) }
    }

    func unsubscribe(_ list: List, from entry: Entry) {
        list.unsubscribe(from: entry)
        use(entry)
    }

    /// Marks a key as recently used.
    func use(_ entry: Entry) {
        entry.lastUsed = tick()
        changed(entry)
    }

    // MARK: - The queue

    /// Reports that the queue with this number of jobs has no place for the next entry.
    func reportRejected(jobs: Int) {
        guard let first = table.nextWaiting else { return }
        reportWait(of: first, .rejected, "\(jobs) jobs of its urgency or above fill the queue")
    }

    /// Reports once why the next entry waits.
    private func reportWait(of entry: Entry, _ kind: LoadDecisionKind, _ reason: String) {
        guard !entry.isWaitReported else { return }
        entry.isWaitReported = true
        note(entry, kind, reason)
    }

    /// Notes that a job was submitted to the queue.
    func offered(_ entry: Entry, _ job: LoadJob) {
        job.turn = entry.demand.foremost
        entry.job = job
        let limit = job.isFetching ? limits.fetchTimeout : nil
        entry.deadline = limit.map { now.advanced(by: $0) } ?? .distantFuture
        changed(entry)
    }

    /// Handles the end of a job: an entry that is wanted and has no result waits again.
    func jobEnded(_ entry: Entry) {
        if entry.isFetching { entry.deadline = .distantFuture }
        let job = entry.job.take()
        reorder(demand.charge(job, isDone: entry.isSettled))
        if !entry.isWanted, !entry.isSettled, entry.stage != .nothing { clear(entry) }
        changed(entry)
        if entry.isSettled { newest = entry }
    }

    // MARK: - Fetches and loads

    /// Handles the result of a fetch: the load now waits for a lull.
    func fetched(_ entry: Entry, bytes: Int, start: Instant?, took: Duration) {
        guard let job = entry.job else { return }
        if !job.isOperation { job.spent += took }
        job.isFetching = false
        entry.deadline = .distantFuture
        entry.fetchedBytes = bytes
        entry.bytes = bytes
        entry.stage = .fetched
        note(entry, .fetched(since: start ?? now - took))
        changed(entry)
    }

    /// Returns whether the start of this slice must be reported.
    func isFirstSlice(_ entry: Entry) -> Bool {
        entry.stage != .begun || demand.isShared && entry.job?.hasBegunTurn != true
    }

    /// The first slice of a load, or of its job, is about to run.
    func begin(_ entry: Entry) {
        if entry.stage != .begun { note(entry, .begun) }
        demand.beginTurn(of: entry)
        entry.stage = .begun
        changed(entry)
    }

    private func spend(_ cost: Duration, on entry: Entry) {
        entry.spent += cost
        entry.job?.spent += cost
    }

    /// Handles the end of a slice; `bytes` is what is held now, nil if bytes aren't limited.
    func sliced(_ entry: Entry, cost: Duration, bytes: Int?, waits: Bool = false) {
        spend(cost, on: entry)
        entry.job?.isWaiting = waits
        if let bytes { entry.bytes = bytes }
        changed(entry)
    }

    /// Handles a new preview.
    func refined(_ entry: Entry) {
        note(entry, .refined)
        commit(entry)
    }

    /// Handles the end of the last slice.
    func loaded(_ entry: Entry, cost: Duration, bytes: Int) {
        spend(cost, on: entry)
        demand.learn(entry.spent)
        finish(entry, bytes: bytes)
    }

    /// Takes a value, also one from elsewhere.
    func finish(_ entry: Entry, bytes: Int) {
        table.add(entry)
        let cost = entry.spent
        settle(entry, .loaded, bytes)
        entry.failures = 0
        note(entry, .finished(cost: cost))
        changed(entry)
        commit(entry)
    }

    /// Takes a failure, also one from elsewhere.
    func fail(_ entry: Entry, _ error: any Error, _ retry: LoadRetry) {
        table.add(entry)
        settle(entry, .failed, 0)
        entry.failures += 1
        entry.failed = now
        note(entry, .failed("\(error)"))
        planRetry(of: entry, retry)
        changed(entry)
        commit(entry)
    }

    /// Discards all work of a key whose content has changed.
    func invalidate(_ entry: Entry) {
        note(entry, .invalidated)
        (entry.failures, entry.mostBytes) = (0, 0)
        startOver(entry)
    }

    private func settle(_ entry: Entry, _ stage: Entry.Stage, _ bytes: Int) {
        entry.stage = stage
        entry.forgetWork()
        entry.bytes = bytes
        entry.since = tick()
        effects += demand.noteEnd(of: entry).map { .halfDone($0) }
        // An entry whose job has not ended yet makes room when it ends.
        if !entry.isQueued { newest = entry }
    }

    // MARK: - Retries and time limits

    /// Retries a failed key as if for the first time.
    func retryAnew(_ entry: Entry) {
        entry.failures = 0
        retry(entry, "it was asked for")
    }

    private func retry(_ entry: Entry, _ reason: String) {
        note(entry, .retried, reason)
        clear(entry)
    }

    /// Retries a key that comes into view and has failed for good, once as much time has passed as
    /// the backoff gives it: what was missing may be there now.
    private func retryIfReturned(_ entry: Entry) {
        guard entry.stage == .failed, entry.deadline == .distantFuture else { return }
        let wait = limits.backoff.bound(afterFailures: entry.failures)
        if now - entry.failed >= wait { retry(entry, "it came into view again") }
    }

    private func planRetry(of entry: Entry, _ retry: LoadRetry) {
        let delay: Duration?
        switch retry {
        case .never: delay = nil
        case .later:
            delay = limits.backoff.delay(afterFailures: entry.failures, using: &random)
        case .after(let time): delay = max(.zero, time)
        }
        guard let delay else { return }
        let time = now.advanced(by: delay)
        note(
            entry, .retrying(at: time, failures: entry.failures),
            "the trouble may pass; waits grow with each failure")
        entry.deadline = time
    }

    /// Notes when a fetch will have reached its time limit: it began later than its job was submitted.
    func wait(_ entry: Entry, until deadline: Instant) {
        entry.deadline = deadline
        changed(entry)
    }

    /// Retries keys that are due, and requests a check of fetches that have reached their time
    /// limit.
    func handleDeadlines() {
        while let entry = table.nextDue, entry.deadline <= now {
            if entry.stage == .failed {
                retry(entry, "try \(entry.failures + 1)")
            } else {
                effects.append(.checkFetch(entry, due: entry.deadline))
                wait(entry, until: .distantFuture)
            }
        }
    }
}
