public import IdleLoop
internal import LullLibC

/// Turns requests for keys into work for lulls, and delivers each result to its subscribers.
///
/// ```swift
/// let loader = DeferredLoader(queue: queue, source: thumbnails)
/// let list = loader.list { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
/// list.subscribe(to: row)                    // the row is in view from now on
/// list.reconcile(with: wanted)               // touch, settle, resize, cancel: always this call
/// ```
///
/// A result of a key whose content has changed meanwhile is never delivered. Jobs for which the queue
/// had no room are offered again when there is room, the most urgent first. Transient failures are
/// retried with growing delays. The cache is bounded: subscribed values stay, and unwanted ones are
/// evicted first. Several lists may share a loader.
///
/// The queue is the loader's own: nobody else submits jobs to it.
///
/// Callbacks may call the loader, close it, or release it. They are called when a change is complete,
/// in the order of changes: at the end of the call that made it, or of the loop's event. What a
/// callback changes is told after it has returned. A call from inside the source, or from inside a
/// load's slice, takes effect when the change for which they were asked is complete.
public final class DeferredLoader<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>
    typealias List = ListState<Key, Value>
    typealias Event = LoadEvent
    /// A function that returns why a list wants a key, or doesn't.
    typealias Reason = (Key) -> String?

    /// Whether it has not been closed.
    package private(set) var isOpen = true
    /// The callback for all decisions about keys and the events of their loads; nil costs nothing.
    public var onDecision: ((LoadDecision<Key>) -> Void)? {
        didSet {
            if !isOpen { onDecision = nil }
            machine.reportsDecisions = onDecision != nil
        }
    }

    let queue: IdleQueue<Key>
    let fetches: FetchCoordinator<Key>
    var meter: PriceMeter
    /// The costs of loads on the loop, by kind.
    var costs = CostEstimator()
    private(set) var source: any LoadSource<Key, Value>
    /// The state machine that decides what to do about keys.
    private(set) var machine: LoadMachine
    private var lists: [Int: List] = [:]
    /// The number of lists that were ever made.
    private var made = 0
    /// The entries of keys.
    ///
    /// Each is an `Entry`, but rules ask about each row in each frame, and a dictionary of generic
    /// objects takes several times as long.
    private var entries: [Key: LoadEntry] = [:]

    /// The number of changes that are under way, each inside the one before.
    private var depth = 0
    /// The effects that are still to be performed.
    private var effects: [LoadEffect] = []
    /// The jobs that have ended inside a change, and how.
    private var ended: [(job: LoadJob<Key, Value>, end: JobEnd)] = []
    /// The calls from inside a change, which are made when it is complete.
    private var calls: [() -> Void] = []
    /// What is to be told, from the number `told` on.
    private var notices: [LoadNotice] = []
    private var told = 0
    private var isTelling = false

    private var timer: (id: LoopTimer, instant: Instant)?
    /// The observer that looks for room in each lull, while none of the queue's jobs is the
    /// loader's own.
    private var roomObserver: Observer?

    /// A loader whose work runs in `queue` and whose fetches run on `pool`.
    ///
    /// A source that fetches needs a pool, unless all its fetches are asynchronous; without one, a
    /// fetch that needs a worker fails with ``LoadError/needsPool``. Traps if a limit of the
    /// configuration isn't more than zero.
    public init(
        queue: IdleQueue<Key>, pool: WorkerPool? = nil, source: any LoadSource<Key, Value>,
        configuration: LoaderConfiguration = .init()
    ) {
        configuration.check()
        self.queue = queue
        meter = PriceMeter(in: configuration.prices)
        fetches = FetchCoordinator(
            queue: queue, pool: pool, operationLimit: configuration.operations)
        self.source = source
        let seed = queue.clock.isVirtual ? 1 : UInt64.random(in: 0 ... .max)
        machine = LoadMachine(configuration, seed: seed)
    }

    deinit {
        close()
    }

    /// Cancels all work and releases all values and callbacks; nothing is told afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        call { [self] in release() }
    }

    private func release() {
        begin()
        let all = machine.table.all
        let queued = all.filter { $0.isQueued }
        machine.table.close()
        for case let entry as Entry in queued { queue.cancel(entry.key) }
        let results = all.map { $0.release() }
        // Their release may call back.
        let released: [Any?] = [
            notices, entries, source, onDecision, results, lists.values.map { $0.close() },
        ]
        (effects, ended, lists, entries) = ([], [], [:], [:])
        (notices, told) = ([.release(Released(released))], 0)
        machine = LoadMachine(configuration, seed: 0)
        onDecision = nil
        source = ClosedSource()
        roomObserver?.cancel()
        timer?.id.cancel()
        (roomObserver, timer) = (nil, nil)
        end()
    }

    // MARK: - Lists

    /// Makes a list that this loader serves, beside others.
    ///
    /// Its share of the work is its `weight` among those of all lists that want keys of the same
    /// urgency. `commit` is called with what can be shown of the keys that it subscribes to,
    /// previews and failures included.
    public func list(
        named name: String = "", weight: Int = 1,
        commit: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) -> LoadList<Key, Value> {
        made += 1
        let list = List(number: made, name: name, weight: weight, commit: commit)
        call { [self] in open(list) }
        return LoadList(list, of: self)
    }

    private func open(_ list: List) {
        begin()
        if isOpen {
            lists[list.number] = list
            send(.opened(list))
        } else {
            tellLater(.release(list.close()))
        }
        end()
    }

    func close(_ list: List) {
        guard lists.removeValue(forKey: list.number) != nil else { return }
        begin()
        send(.closed(list, subscribed: list.subscribed))
        tellLater(.release(list.close()))
        end()
    }

    func reconcile(_ list: List, with wanted: [Wanted<Key>], reason: Reason?) {
        guard lists[list.number] != nil, wanted != list.wanted else { return }
        list.wanted = wanted
        begin()
        // Lists take turns by the expected costs of their keys.
        let isShared = lists.count > 1
        var requests: [Event.Request] = []
        requests.reserveCapacity(wanted.count)
        for wish in wanted {
            requests.append(
                (
                    anyEntry(of: wish.key) ?? newEntry(of: wish.key),
                    LoadOrder(wish.urgency, turn: wish.rank),
                    isShared ? costHint(of: wish.key) : nil
                ))
        }
        send(.wanted(list, requests), reason: reason)
        end()
    }

    /// Subscribes a list to a key; it is told what can be shown by now, unless it asks itself.
    func subscribe(_ list: List, to key: Key, isTold: Bool = false) {
        guard lists[list.number] != nil, !list.isSubscribed(to: key) else { return }
        begin()
        let entry = known(key) ?? newEntry(of: key)
        list.subscribe(to: entry, isTold: isTold)
        send(.subscribed(list, entry))
        if !isTold, entry.canBeShown { notices.append(.commit(entry)) }
        end()
    }

    func unsubscribe(_ list: List, from key: Key) {
        if let entry = list.unsubscribe(from: key) { perform(.unsubscribed(list, entry)) }
    }

    var listCount: Int { lists.count }

    // MARK: - Keys

    /// Returns a key's entry; nil if it has none.
    func known(_ key: Key) -> Entry? {
        // A checked cast takes longer than the look-up; all of the loader's entries are of this type.
        anyEntry(of: key).map { unsafe unsafeDowncast($0, to: Entry.self) }
    }

    /// Returns a key's entry like ``known(_:)``, without the cost of a generic type.
    func anyEntry(of key: Key) -> LoadEntry? { entries[key] }

    /// Returns whether a key's value is loaded.
    func isLoaded(_ key: Key) -> Bool { anyEntry(of: key)?.stage == .loaded }

    /// Makes the entry of a key, of which the machine must be told next.
    func newEntry(of key: Key) -> Entry {
        let entry = Entry(key)
        entries[key] = entry
        return entry
    }

    // MARK: - Changes

    /// Whether a change is under way.
    var isChanging: Bool { depth > 0 }

    /// Makes a call from outside, or puts it off if a change is under way.
    func call(_ body: @escaping () -> Void) {
        if isChanging { calls.append(body) } else { body() }
    }

    /// Begins a change.
    ///
    /// Until its end the source, rules and lists are asked for what it takes, and what they call
    /// meanwhile is put off: no code that asks has to look at what is left afterwards.
    func begin() { depth += 1 }

    /// Ends a change.
    ///
    /// With the outermost, its effects are performed, then the calls that were put off are made, and
    /// all is told.
    func end() {
        if depth == 1 { performEffects() }
        depth -= 1
        guard depth == 0 else { return }
        while !calls.isEmpty { calls.removeFirst()() }
        tell()
    }

    /// Sends an event to the machine, and completes the change.
    func perform(_ event: Event) {
        begin()
        send(event)
        end()
    }

    /// Sends an event to the machine, and appends its effects to those still to be performed.
    ///
    /// `reason` returns why a list wants a key, for the decisions that result.
    func send(_ event: Event, reason: Reason? = nil) {
        for effect in machine.handle(event, at: queue.clock.now) {
            switch effect {
            case .forget(let entry as Entry): entries[entry.key] = nil
            case .tell(.decided(let entry as Entry, let kind, let time, let list, let why)):
                var kind = kind
                if case .unwanted(.none) = kind { kind = .unwanted(progress(of: entry, entry.key)) }
                let why = why ?? (list == nil ? nil : reason?(entry.key))
                notices.append(.decided(entry, kind, at: time, list: list, reason: why))
            case .tell(let notice): notices.append(notice)
            default: effects.append(effect)
            }
        }
    }

    /// Performs effects and submits the next jobs until there is nothing more to do.
    private func performEffects() {
        repeat {
            var next = 0
            while next < effects.count {
                run(effects[next])
                next += 1
            }
            effects.removeAll(keepingCapacity: true)
            while !ended.isEmpty {
                let (job, end) = ended.removeFirst()
                job.take(end)
            }
        } while !effects.isEmpty || offerNext()
        watchForRoom()
        armTimer()
    }

    private func run(_ effect: LoadEffect) {
        switch effect {
        case .judge(let entry as Entry):
            send(.judged(entry, goesOn: isNearlyThere(entry), progress(of: entry, entry.key)))
        case .reorder(let entry as Entry):
            guard let order = entry.order else { break }
            queue.reprioritize(entry.key, priority: order.urgency.priority, rank: order.turn)
            // It waits if it was fetched while nobody wanted it.
            if entry.stage == .fetched, entry.isWanted { queue.resume(entry.key) }
        case .withdraw(let entry as Entry): withdraw(entry)
        case .checkFetch(let entry as Entry, let due): checkFetch(entry, due: due)
        default: break  // every entry is this loader's own
        }
    }

    /// Calls back: the only place from which lists and observers are called, and from which values are
    /// released.
    private func tell() {
        guard !isTelling else { return }
        isTelling = true
        while told < notices.count {
            var notice = LoadNotice.told
            swap(&notice, &notices[told])
            told += 1
            switch notice {
            case .commit(let entry as Entry):
                for number in entry.subscribers { lists[number]?.deliver(entry) }
            case .halfDone(let list as List): list.onHalfDone?()
            case .decided(let entry as Entry, let kind, let time, let list, let reason):
                onDecision?(
                    LoadDecision(
                        time: time, key: entry.key, kind: kind, list: list, reason: reason))
            case .rows(let list): list.showRows()
            default: break  // what is released is released with the notice
            }
        }
        notices.removeAll(keepingCapacity: true)
        (told, isTelling) = (0, false)
    }

    /// Has rows shown, or an object released, when the change is complete.
    func tellLater(_ notice: LoadNotice) { notices.append(notice) }

    /// Takes the end of a job, after the change that is under way.
    func take(_ end: JobEnd, of job: LoadJob<Key, Value>) {
        if isChanging { return ended.append((job, end)) }
        begin()
        job.take(end)
        self.end()
    }

    // MARK: - Waiting

    /// Looks for room again after the loop has worked, while only others' jobs fill the queue:
    /// their ends aren't reported.
    private func watchForRoom() {
        let isWaiting = machine.next != nil && machine.table.sums.queued == 0
        guard isWaiting != (roomObserver != nil), !queue.loop.isClosed else { return }
        roomObserver?.cancel()
        roomObserver = nil
        guard isWaiting, queue.isAccepting else { return }
        roomObserver = queue.loop.observe(.beforeIdle) { [weak self] _ in
            self?.begin()
            self?.end()
        }
    }

    /// Arms the one timer for the earliest deadline: a wanted key's retry, or the time limit of a
    /// fetch.
    private func armTimer() {
        let next = machine.table.nextDeadline?.instant
        guard next != timer?.instant else { return }
        timer?.id.cancel()
        timer = nil
        guard let next, !queue.loop.isClosed else { return }
        let id = queue.loop.schedule(at: next) { [weak self] in
            self?.timer = nil
            self?.perform(.timer)
        }
        timer = (id, next)
    }
}

extension DeferredLoader {
    /// Checks that lists and entries know each other, and that the timer is for what is due first.
    func checkOwn(_ entries: [Entry]) {
        for entry in entries {
            precondition(
                entry.subscribers.allSatisfy { lists[$0]?.isSubscribed(to: entry.key) == true },
                "lists know their keys")
        }
        for list in lists.values {
            precondition(list.subscribed.allSatisfy { !$0.isGone }, "a subscribed key is known")
        }
        precondition(
            timer?.instant == machine.table.nextDeadline?.instant || queue.loop.isClosed,
            "one timer, for what is due first")
        precondition(
            !isChanging && effects.isEmpty && ended.isEmpty && calls.isEmpty,
            "a change is whole when it has ended")
    }
}

/// The source of a loader that is closed.
private struct ClosedSource<Key: Hashable, Value>: LoadSource {
    func load(_ key: Key, fetched: Never?) throws -> any Load<Value> {
        throw CancellationError()
    }
}
