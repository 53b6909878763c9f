internal import DeferredLoading
internal import IdleLoop
internal import Programs

/// A loader on virtual time, its lists, and what should be true of them.
final class LoaderProgram {
    typealias Loader = DeferredLoader<Key, Value>

    let choices: Choices
    let live: Live
    let time = VirtualTime()
    var loop: MainLoop?
    var queue: IdleQueue<Key>?
    var loader: Loader?
    /// The first is number 0.
    var lists: [Int: LoadList<Key, Value>] = [:]
    var closedLists: Set<Int> = []
    /// Lists that were let go of inside a call that is under way: if it's theirs, they go on until its
    /// end.
    var leavingLists: Set<Int> = []
    var listCount = 0
    private var valueSize = 0
    private var limits = LoaderConfiguration()
    var unended: [RandomOperation] = []

    var versions: [Int: Int] = [:]
    /// The keys that lists have subscribed to.
    var subscribed: [Int: Set<Int>] = [:]
    var isClosed = false
    var isResting = false
    var isEnded = false
    private var depth = 0
    private var finished: [Int: Int] = [:]
    /// What was told of keys that are wanted, as long as nothing was left out.
    private var toldWanted: Set<Int>? = []

    init(_ choices: Choices, _ live: Live) {
        self.choices = choices
        self.live = live
        do {
            let loop = try MainLoop(clock: .virtual(time))
            let queue = IdleQueue<Key>(on: loop, configuration: queueConfiguration())
            let pool = try WorkerPool(width: 1 + choices.number(below: 2), on: loop)
            (self.loop, self.queue) = (loop, queue)
            let source = RandomSource(self)
            valueSize = source.valueSize
            limits = loaderConfiguration()
            let loader = Loader(queue: queue, pool: pool, source: source, configuration: limits)
            self.loader = loader
            lists[0] = loader.list(commit: commit(to: 0))
        } catch {
            fatalError("\(error)")
        }
        if choices.number(below: 4) < 3 { listen() } else { toldWanted = nil }
    }

    private func queueConfiguration() -> QueueConfiguration {
        var configuration = QueueConfiguration()
        let choice = choices.byte()
        configuration.limit = [30, 1, 2, 5][Int(choice) % 4]
        configuration.overflow =
            [.dropLeastUrgent, .dropOldest, .dropNewest, .reject][Int(choice) / 4 % 4]
        if choice & 16 != 0 { configuration.costLimit = .milliseconds(6) }
        if choice & 32 != 0 { configuration.batch = .zero }
        if choice & 64 != 0 { configuration.slice = nil }
        if choice & 128 != 0 { configuration.maxDeferral = .milliseconds(2) }
        return configuration
    }

    private func loaderConfiguration() -> LoaderConfiguration {
        var configuration = LoaderConfiguration()
        let memory = choices.byte()
        configuration.capacity = [512, 1, 2, 3, 5, .max][Int(memory) % 6]
        configuration.byteLimit = [nil, 1, 150, 1000][Int(memory) / 8 % 4]
        let rest = choices.byte()
        configuration.suspended = [8, 0, 1][Int(rest) % 3]
        configuration.nearlyDone = [0.5, nil, 0, 1][Int(rest) / 4 % 4]
        configuration.fetchTimeout =
            [nil, .milliseconds(5), .milliseconds(1), .milliseconds(50)][Int(rest) / 16 % 4]
        configuration.operations = [6, 1, 2][Int(rest) / 64 % 3]
        configuration.backoff.first = .milliseconds(2)
        configuration.backoff.longest = .milliseconds(10)
        configuration.backoff.tries = choices.one(of: [5, 0, 1, 2])
        return configuration
    }

    func version(of key: Key) -> Int { versions[key.number, default: 1] }

    // MARK: - Running

    /// Runs the program: an action, some time, and the laws, until the bytes are over.
    func run() {
        while !choices.areOver {
            act()
            let wait = choices.one(of: [0, 0, 1, 3, 10, 60])
            advance(by: .milliseconds(wait))
            checkInvariants()
        }
        rest()
    }

    private func advance(by wait: Duration) {
        guard let loop, !loop.isClosed else { return }
        do {
            try loop.run(until: time.now.advanced(by: wait))
        } catch {
            fatalError("\(error)")
        }
    }

    /// The lists rest: what is visible is loaded or has failed in bounded time.
    private func rest() {
        isResting = true
        for operation in unended { operation.end(fails: false) }
        unended = []
        guard let loader, loader.isOpen, let loop, !loop.isClosed, queue?.isAccepting == true
        else { return }
        let visible = visibleKeys
        for number in 1..<4 { lists[number]?.reconcile(with: []) }
        lists[0]?.reconcile(
            with: visible.sorted().enumerated().map {
                Wanted(key($1), urgency: .visible, rank: $0)
            })
        finished = [:]
        advance(by: .seconds(60))
        checkInvariants()
        guard loader.isOpen else { return }
        for number in visible {
            expect(
                loader.state(of: key(number)).isSettled, "what is visible is loaded or has failed")
        }
        expect(
            finished.allSatisfy { $0.value <= 2 || !visible.contains($0.key) },
            "nothing that is visible is loaded for nothing")
        let turns = loop.statistics.turns
        advance(by: .seconds(600))
        expect(loop.statistics.turns <= turns + 2, "a list at rest costs nothing")
    }

    /// The keys that any list has subscribed to.
    private var visibleKeys: Set<Int> { subscribed.values.reduce([]) { $0.union($1) } }

    /// Lets go of everything, in an order that the program chooses.
    func end() {
        isEnded = true
        isClosed = true
        let order = choices.number(below: 6)
        if order < 3 { loader = nil }
        lists = [:]
        if order % 3 == 0 { queue = nil }
        if order % 3 == 1, let loop { loop.close() }
        loader = nil
        unended = []
        queue = nil
        loop?.close()
        loop = nil
    }

    // MARK: - Callbacks

    /// Something of the program was called by the loader: it may call back.
    func react() {
        guard !isResting, !isEnded, depth < 3, choices.number(below: 8) == 7 else { return }
        depth += 1
        act()
        depth -= 1
    }

    var isInside: Bool { depth > 0 }

    func commit(to list: Int) -> (Key, LoadState<Value>) -> Void {
        { [unowned self, object = live.callbacks.make()] key, state in
            withExtendedLifetime(object) {}
            expect(
                state.shown != nil || state.isSettled, "a commit is to be shown, or has failed")
            check(state, of: key, in: list)
            react()
        }
    }

    func progress(of list: Int) -> (Key, LoadState<Value>) -> Void {
        { [unowned self, object = live.callbacks.make()] key, state in
            withExtendedLifetime(object) {}
            check(state, of: key, in: list)
            react()
        }
    }

    private func check(_ state: LoadState<Value>, of key: Key, in list: Int) {
        expect(!isClosed, "a closed loader calls nobody")
        expect(!closedLists.contains(list), "a closed list is told nothing")
        expect(
            subscribed[list]?.contains(key.number) ?? false || leavingLists.contains(list),
            "a list is told of what it has subscribed to, and of nothing else")
        guard let value = state.shown else { return }
        expect(value.key == key.number, "a key has its own value")
        expect(value.version == version(of: key), "nothing old is ever told")
    }

    /// Listens to decisions from now on.
    func listen() {
        loader?.onDecision = { [unowned self, object = live.callbacks.make()] decision in
            withExtendedLifetime(object) {}
            expect(!isClosed, "a closed loader tells nothing")
            let key = decision.key.number
            switch decision.kind {
            case .wanted:
                expect(toldWanted?.insert(key).inserted ?? true, "what is wanted wasn't before")
            case .unwanted:
                expect(toldWanted == nil || toldWanted?.remove(key) != nil, "it was wanted before")
            case .shared, .moved:
                expect(toldWanted?.contains(key) ?? true, "what is moved or shared is wanted")
            case .finished: finished[key, default: 0] += 1
            default: break
            }
            react()
        }
    }

    func stopListening() {
        toldWanted = nil
        loader?.onDecision = nil
    }

    // MARK: - Laws

    /// Checks what holds whenever nobody is in the middle of something.
    func checkInvariants() {
        leavingLists = []
        queue?.checkInvariants()
        guard let loader else { return checkNothingHeld() }
        loader.checkInvariants()
        guard loader.isOpen else { return checkNothingHeld() }
        for (number, list) in lists {
            expect(
                Set(list.subscriptions.map(\.number)) == subscribed[number, default: []],
                "a list knows what it has subscribed to")
        }
        let tooMany = loader.count > limits.capacity
        let tooLarge = loader.bytes > limits.byteLimit ?? .max
        guard tooMany || tooLarge else { return }
        let visible = visibleKeys
        expect(
            (0..<Self.keyCount).allSatisfy { number in
                // What has no bytes makes no room for bytes.
                let state = loader.state(of: key(number))
                let isHeavy = state.shown != nil && valueSize > 0
                return visible.contains(number) || !state.isSettled || !tooMany && !isHeavy
            }, "no more is kept than may be, but for what is subscribed to")
    }

    /// Checks that a loader that is closed or gone holds nothing, and its queue neither.
    private func checkNothingHeld() {
        expect(live.values.count == 0, "a closed loader holds values")
        expect(live.callbacks.count == 0, "a closed loader holds callbacks")
        expect(live.keys.count == 0, "a closed loader holds keys")
    }

    static let keyCount = 12

    func key(_ number: Int) -> Key { Key(number, live) }
}
