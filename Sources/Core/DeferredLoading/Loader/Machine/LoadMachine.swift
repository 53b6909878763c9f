internal import IdleLoop

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
    typealias List = MachineList
    typealias Event = LoadEvent

    let configuration: LoaderConfiguration
    let table: LoadTable
    /// The lists that are open.
    var lists: [Int: List] = [:]
    /// The lists that want something; turns cost nothing for the others.
    var wantingLists: [Int: List] = [:]
    var isShared = false
    var fairness = FairShare()
    /// The recent cost of loads on the loop.
    var usualCost: UsualCost?
    /// Whether decisions are among the effects.
    var tellsDecisions = false
    /// Whether a list has a progress callback.
    var tellsProgress = false
    /// The subscribed keys that have made progress since this was last read.
    var progressed: [Entry] = []

    var effects: [LoadEffect] = []
    private(set) var now = Instant.zero
    /// The entry that was settled last, and may be the one for which there is no room.
    var newest: Entry?
    /// The entries that wait for a place in the queue since the last report of rejections.
    private(set) var newlyHeld: [Entry] = []
    private var random: SplitMix64
    /// A counter for identities and for the order of events.
    private var clock: UInt64 = 0

    init(_ configuration: LoaderConfiguration, seed: UInt64) {
        self.configuration = configuration
        random = SplitMix64(seed: configuration.backoff.seed ?? seed)
        table = LoadTable(
            isBounded: configuration.capacity < .max || configuration.byteLimit != nil)
    }

    /// Processes an event, and returns its effects.
    ///
    /// O(log n) for each key that the event is about.
    func handle(_ event: Event, at instant: Instant) -> [LoadEffect] {
        now = instant
        apply(event)
        makeRoom()
        readmit()
        if !newlyHeld.isEmpty, table.nextHeld == nil { newlyHeld = [] }
        defer { effects = [] }
        return effects
    }

    private func apply(_ event: Event) {
        switch event {
        case .opened(let list): lists[list.number] = list
        case .closed(let list, let subscribed): close(list, subscribed)
        case .wanted(let list, let wishes): reconcile(list, wishes)
        case .subscribed(let list, let entry): subscribe(list, to: entry)
        case .unsubscribed(let list, let entry): unsubscribe(list, from: entry)
        case .appraised(let entry, let isNearlyDone, let progress):
            abandon(entry, isNearlyDone: isNearlyDone, progress)
        case .room: submitNext()
        case .noRoom(let jobs): reportRejected(jobs)
        case .offered(let entry, let fetch): offered(entry, fetch)
        case .displaced(let entry): move(entry, .unwanted(isNearlyDone: false))
        case .fetchAbandoned(let entry, let cost): spendFetch(cost, on: entry)
        case .jobEnded(let entry, let failure): ended(entry, failure)
        case .fetched(let entry, let bytes, let start, let took):
            storeFetch(entry, bytes, start, took)
        case .fetchGoesOn(let entry, let deadline):
            entry.deadline = deadline
            changed(entry)
        case .starts(let entry): begin(entry)
        case .begun(let entry): move(entry, .reached(.begun))
        case .sliced(let entry, let cost, let bytes):
            spend(cost, on: entry)
            hold(bytes, entry)
        case .refined(let entry, let cost, let bytes):
            spend(cost, on: entry)
            hold(bytes, entry)
            note(entry, .refined)
            commit(entry)
        case .loaded(let entry, let cost, let bytes):
            spend(cost, on: entry)
            learn(entry.spent, of: entry)
            finish(entry, bytes)
        case .failed(let entry, let failure):
            table.add(entry)
            fail(entry, failure)
        case .retried(let entry): retry(entry)
        case .invalidated(let entry): invalidate(entry)
        case .superseded(let entry): startOver(entry)
        case .given(let entry, let bytes):
            table.add(entry)
            finish(entry, bytes)
        case .used(let entry):
            entry.lastUsed = tick()
            changed(entry)
        case .trimmed(let share): trim(to: share)
        case .timer: handleDeadlines()
        }
    }

    /// Returns the next number of the counter.
    func tick() -> UInt64 {
        clock += 1
        return clock
    }

    /// Adds a decision to the effects, if decisions are observed.
    func note(
        _ entry: Entry, _ kind: @autoclosure () -> LoadDecisionKind, of list: List? = nil,
        _ reason: @autoclosure () -> String? = nil
    ) {
        guard tellsDecisions else { return }
        effects.append(
            .decided(entry, kind(), at: now, list: list?.name, reason: reason()))
    }

    // MARK: - Life cycle of an entry

    /// Sends an event to a key's life cycle, and performs its action.
    func move(_ entry: Entry, _ event: LoadLife.Event) {
        guard !entry.isGone else { return }
        var life = entry.life
        let action = life.handle(event)
        let isElsewhere = life.place != entry.life.place
        entry.life = life
        if isElsewhere, life.place != .queued {
            entry.since = tick()
            entry.isRejectionReported = false
            if life.place == .held, tellsDecisions { newlyHeld.append(entry) }
        }
        changed(entry)
        switch action {
        case .none: break
        case .reorder: effects.append(.reorder(entry))
        case .withdraw: effects.append(.withdraw(entry))
        case .suspend: limitSuspended()
        case .forget: removeIfBlank(entry)
        }
    }

    /// Updates the orders and sums after a change of an entry.
    func changed(_ entry: Entry) {
        guard !entry.isGone else { return }
        table.refresh(entry)
        if tellsProgress, entry.isSubscribed { noteProgress(entry) }
    }

    /// Marks an entry's progress as still to be reported.
    func noteProgress(_ entry: Entry) {
        guard !entry.hasProgress else { return }
        entry.hasProgress = true
        progressed.append(entry)
    }

    /// Discards all work of a key.
    func clear(_ entry: Entry) {
        entry.version = tick()
        entry.forgetWork()
        if let contents = entry.release() { effects.append(.release(contents)) }
    }

    /// Removes an entry that holds nothing.
    func removeIfBlank(_ entry: Entry) {
        guard !entry.isGone, entry.isBlank else { return }
        table.remove(entry)
        effects.append(.forget(entry))
    }

    /// Discards all work of a key, also results that are on their way.
    func startOver(_ entry: Entry) {
        entry.generation = tick()
        entry.isFetching = false
        clear(entry)
        move(entry, .reset)
    }

    // MARK: - The queue

    /// The entry to submit next, and its level.
    var next: (entry: Entry, level: WishLevel)? {
        table.nextHeld.flatMap { entry in entry.level.map { (entry, $0) } }
    }

    /// Submits the next entry to the queue; an entry for which there is no room in memory waits
    /// without its finished work.
    private func submitNext() {
        while let (entry, _) = next {
            if isAdmitted(entry) { return effects.append(.submit(entry)) }
            note(entry, .memoryBlocked, "what is more urgent fills the memory")
            clear(entry)  // its bytes would take room from others, and never be evicted
            move(entry, .evicted)
        }
    }

    /// Reports each entry that has begun to wait since the last report as rejected by the queue.
    private func reportRejected(_ jobs: Int) {
        let entries = newlyHeld
        newlyHeld = []
        for entry in entries where entry.life.place == .held && entry.life.isWanted {
            guard !entry.isGone, !entry.isRejectionReported else { continue }
            entry.isRejectionReported = true
            note(entry, .rejected, "\(jobs) jobs of its urgency or above fill the queue")
        }
    }

    private func offered(_ entry: Entry, _ fetch: LoadEvent.FetchFacts?) {
        entry.isFetching = fetch != nil
        entry.fetchesByItself = fetch?.isOperation ?? false
        entry.fetchCost = fetch?.cost ?? .zero
        let limit = fetch == nil ? nil : configuration.fetchTimeout
        entry.deadline = limit.map { now.advanced(by: $0) } ?? .distantFuture
        entry.ticket = tick()
        entry.spentByJob = .zero
        entry.turn = isShared ? entry.wishes.foremost : nil
        entry.hasBegunTurn = false
        move(entry, .offered)
    }

    // MARK: - Failures

    /// Retries a failed key at once, as if for the first time.
    private func retry(_ entry: Entry) {
        entry.failures = 0
        tryAgain(entry, "it was asked for")
    }

    private func invalidate(_ entry: Entry) {
        note(entry, .invalidated)
        entry.failures = 0
        entry.mostBytes = 0
        startOver(entry)
    }

    private func tryAgain(_ entry: Entry, _ reason: String) {
        note(entry, .retried, reason)
        clear(entry)
        move(entry, .reset)
    }

    /// Schedules the retry of a key that has failed.
    func planRetry(of entry: Entry, _ retry: LoadRetry) {
        let delay: Duration?
        switch retry {
        case .never: delay = nil
        case .later:
            delay = configuration.backoff.delay(
                afterFailures: entry.failures, using: &random)
        case .after(let time): delay = max(.zero, time)
        }
        guard let delay else { return }
        entry.deadline = now.advanced(by: delay)
        note(
            entry, .retrying(at: entry.deadline, failures: entry.failures),
            "the trouble may pass; waits grow with each failure")
        changed(entry)
    }

    /// Retries keys that are due, and requests a check of fetches that have reached their time
    /// limit.
    private func handleDeadlines() {
        while let (due, entry) = table.nextDeadline, due <= now {
            if entry.life.stage == .failed {
                tryAgain(entry, "try \(entry.failures + 1)")
            } else {
                entry.deadline = .distantFuture
                changed(entry)
                effects.append(.checkFetch(entry, due: due))
            }
        }
    }
}
