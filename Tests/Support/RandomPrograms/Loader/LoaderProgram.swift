internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel
import TestSupport

/// A loader on virtual time, its lists, and what should be true of them.
public final class LoaderProgram {
    typealias Loader = DeferredLoader<Key, Value>

    let choices: Choices
    let live = Live()
    /// Called with the first law that doesn't hold.
    private let report: (String) -> Void
    private var isBroken = false
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
    /// Lists of rows, those that are closed or gone too.
    var rowLists: [RowList] = []
    private var valueSize = 0
    var limits = LoaderConfiguration()
    var hasLanes = false
    /// Whether most of all keys is wanted at the end.
    private let wantsMost: Bool
    /// Whether the loader, its queue or its loop may end before the program does.
    let isMortal: Bool
    /// How all is let go of at the end, and what is done before.
    private let ending: Int
    var unended: [RandomOperation] = []
    /// The number of operations that have neither ended nor been cancelled.
    var underway = 0

    var versions: [Int: Int] = [:]
    /// The keys whose versions have changed inside a call: if it is a question of the loader, that
    /// counts from its end on.
    var changedInside: Set<Int> = []
    /// The keys that lists have subscribed to.
    var subscribed: [Int: Set<Int>] = [:]
    /// What lists were told last of the keys that they have subscribed to.
    var told: [Int: [Int: String]] = [:]
    /// The keys that lists want.
    var wanted: [Int: Set<Int>] = [:]
    var isClosed = false
    var isResting = false
    var isEnded = false
    private var isChecking = false
    private var depth = 0
    private var questions = 0
    private var slicesAtRest = 0
    private var finished: [Int: Int] = [:]
    /// What was told of keys that are wanted, as long as nothing was left out.
    private var toldWanted: Set<Int>? = []

    private init(_ choices: Choices, report: @escaping (String) -> Void) {
        self.choices = choices
        self.report = report
        wantsMost = choices.flag()
        let kind = Int(choices.byte())
        (isMortal, ending) = (kind % 4 == 3, kind / 4)
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
        hasLanes = choice & 4 != 0
        if hasLanes { configuration.lanes = .atMost([1, 2, 3, 64][Int(choice) / 8 % 4]) }
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
        configuration.finishesFetches = Int(rest) / 4 % 2 == 0
        configuration.fetchTimeout =
            [nil, .milliseconds(5), .milliseconds(1), .milliseconds(50)][Int(rest) / 16 % 4]
        configuration.operations = [6, 1, 2][Int(rest) / 64 % 3]
        configuration.backoff.first = .milliseconds(2)
        configuration.backoff.longest = .milliseconds(10)
        configuration.backoff.tries = choices.one(of: [5, 0, 1, 2])
        return configuration
    }

    func version(of key: Key) -> Int { versions[key.number, default: 1] }

    func raiseVersion(of number: Int) {
        versions[number, default: 1] += 1
        if isInside { changedInside.insert(number) }
    }

    // MARK: - Running

    /// Runs the program that the choices make, and reports the first law that it finds broken.
    public static func run(_ choices: Choices, report: @escaping (String) -> Void) {
        let program = LoaderProgram(choices, report: report)
        program.run()
        program.end()
        program.checkNothingHeld()
        program.expect(program.live.operations.count == 0, "every operation was let go of")
    }

    /// Reports a law unless something holds that always should.
    func expect(_ isTrue: Bool, _ law: @autoclosure () -> String) {
        guard !isTrue, !isBroken else { return }
        isBroken = true
        report(law())
    }

    /// Runs the program: an action, some time, and the laws, until the bytes are over.
    private func run() {
        while !choices.areOver {
            act()
            let wait = choices.one(of: [0, 0, 1, 3, 10, 60])
            advance(by: .milliseconds(wait))
            checkInvariants()
        }
        // Some end in the middle of all that is under way.
        guard ending % 4 < 3 else { return }
        rest()
        if ending % 4 > 0 { checkNothingKept() }
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
        for rows in rowLists { rows.list?.handle(.cancelled) }
        let visible = visibleKeys
        // Lists of rows want theirs by themselves. The others want what they did: what there's no
        // room for may not push out what there is.
        let subscribed = Set(subscribed.values.joined())
        let rest = (0..<Self.keyCount).filter { wantsMost && $0 % 4 > 0 && !visible.contains($0) }
        want(
            (subscribed.sorted() + rest).map {
                Wanted(key($0), urgency: visible.contains($0) ? .visible : .near, rank: $0)
            }, in: 0)
        finished = [:]
        advance(by: .seconds(60))
        checkInvariants()
        for rows in rowLists { rows.check(isResting: true) }
        for number in visible {
            expect(
                loader.state(of: key(number)).isSettled, "what is visible is loaded or has failed")
        }
        expect(
            limits.byteLimit != nil
                || loader.count >= min(limits.capacity, visible.count + rest.count),
            "what is wanted is loaded as long as there's room")
        expect(
            finished.allSatisfy { $0.value <= 2 || !visible.contains($0.key) },
            "nothing that is visible is loaded for nothing")
        let turns = loop.statistics.turns
        advance(by: .seconds(600))
        expect(loop.statistics.turns <= turns + 2, "a list at rest costs nothing")
    }

    /// Nobody shows or wants anything any more: all of it is let go of, and nothing is left to do.
    private func checkNothingKept() {
        guard let loader, loader.isOpen, let loop, !loop.isClosed, queue?.isAccepting == true
        else { return }
        for (number, list) in lists {
            want([], in: number)
            for key in list.subscriptions { list.unsubscribe(from: key) }
        }
        subscribed = [:]
        for rows in rowLists { rows.letGo() }
        advance(by: .seconds(60))
        loader.trim(to: 0)
        let turns = loop.statistics.turns
        advance(by: .seconds(600))
        expect(loop.statistics.turns <= turns + 2, "a loader of which nobody wants anything rests")
        expect(loader.count == 0 && queue?.isEmpty == true, "what nobody wants isn't kept")
        expect(underway == 0, "an operation that nobody wants is cancelled")
        expect(live.values.count == 0 && live.keys.count == 0, "what nobody wants is let go of")
        checkInvariants()
    }

    /// The keys that any list has subscribed to.
    private var visibleKeys: Set<Int> {
        Set(subscribed.values.joined()).union(rowLists.flatMap(\.visibleKeys))
    }

    /// Lets go of everything, in an order that the program chooses.
    private func end() {
        isEnded = true
        let executor = loop?.executor
        let order = ending / 4 % 12
        // Lists of rows hold the loader.
        if order < 6 { for rows in rowLists { rows.letGo() } }
        if order % 6 < 3 { letGoOfLoader() }
        lists = [:]
        if order % 3 == 0 { queue = nil }
        if order % 3 == 1, let loop { loop.close() }
        letGoOfLoader()
        unended = []
        queue = nil
        loop?.close()
        loop = nil
        for rows in rowLists { rows.letGo() }
        if let executor { reap(executor) }
    }

    /// Has tasks go on that the loop has left behind.
    private func reap(_ executor: LoopExecutor) {
        do {
            let loop = try MainLoop(clock: .virtual(time))
            try loop.serve(executor)
            try loop.run(until: time.now.advanced(by: .seconds(1)))
            loop.close()
        } catch {
            fatalError("\(error)")
        }
    }

    /// Ends the loader, unless a list of rows holds it.
    private func letGoOfLoader() {
        isClosed = isClosed || !rowLists.contains { $0.list != nil }
        loader = nil
    }

    // MARK: - Callbacks

    /// Something of the program was called by the loader: it may call back.
    func react() {
        guard !isResting, !isEnded, !isChecking, depth < 3, choices.number(below: 8) == 7 else {
            return
        }
        depth += 1
        act()
        depth -= 1
    }

    /// The same, where a program would be over soon if each call could have it do something.
    func reactToQuestion() {
        guard !isChecking else { return }
        questions += 1
        if questions.isMultiple(of: 16) { react() }
    }

    /// A slice of a load is run.
    func noteSlice() {
        guard isResting else { return }
        slicesAtRest += 1
        expect(slicesAtRest < 1000, "lists at rest come to an end of their loads")
    }

    var isInside: Bool { depth > 0 }

    func commit(to list: Int) -> (Key, LoadState<Value>) -> Void {
        { [unowned self, object = live.callbacks.make()] key, state in
            withExtendedLifetime(object) {}
            expect(
                state.shown != nil || state.isSettled, "a commit is to be shown, or has failed")
            check(state, of: key, in: list)
            told[list, default: [:]][key.number] = words(state)
            react()
        }
    }

    private func check(_ state: LoadState<Value>, of key: Key, in list: Int) {
        expect(!isClosed, "a closed loader calls nobody")
        expect(!closedLists.contains(list), "a closed list is told nothing")
        expect(
            subscribed[list]?.contains(key.number) ?? false || leavingLists.contains(list),
            "a list is told of what it has subscribed to, and of nothing else")
        if let loader {
            expect(words(loader.state(of: key)) == words(state), "what is told is so")
        }
        guard let value = state.shown else { return }
        expect(value.key == key.number, "a key has its own value")
        expect(value.version == version(of: key), "nothing old is ever told")
        expect(value.isWhole == (state.value != nil), "a preview is told as one")
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
            case .moved:
                expect(toldWanted?.contains(key) ?? true, "what is moved is wanted")
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
        (leavingLists, changedInside) = ([], [])
        queue?.checkInvariants()
        for rows in rowLists { rows.check(isResting: false) }
        guard let loader else { return checkNothingHeld() }
        loader.checkInvariants()
        guard loader.isOpen else { return checkNothingHeld() }
        for (number, list) in lists {
            let keys = subscribed[number, default: []]
            expect(
                Set(list.subscriptions.map(\.number)) == keys,
                "a list knows what it has subscribed to")
            for key in keys {
                let state = loader.state(of: self.key(key))
                guard state.shown != nil || state.isSettled else { continue }
                expect(told[number]?[key] == words(state), "what is there was told")
            }
        }
        checkWanted()
        checkFacts(loader)
        let tooMany = loader.count > limits.capacity
        let tooLarge = loader.byteCount > limits.byteLimit ?? .max
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

    /// Checks that what lists want is what was told of it.
    private func checkWanted() {
        guard let toldWanted else { return }
        let keys = Set(wanted.filter { lists[$0.key] != nil }.values.joined())
        expect(toldWanted.isSuperset(of: keys), "what is wanted was told")
        let isOthers = rowLists.contains(where: \.isOpen)
        expect(isOthers || toldWanted == keys, "what is no longer wanted was told")
    }

    /// Checks that rules are told the same of many rows as of each.
    private func checkFacts(_ loader: Loader) {
        isChecking = true
        defer { isChecking = false }
        let facts = loader.facts { [unowned self] row in row == 7 ? nil : key(row) }
        let rows = Array(0..<Self.keyCount)
        var place = 0
        facts.forEachLoad(ofRows: rows) { progress, hint in
            let row = rows[place]
            place += 1
            expect(facts.progress(ofRow: row) == progress, "facts are told alike")
            let isSettled = row == 7 || loader.state(of: key(row)).isSettled
            expect((progress == .settled) == isSettled, "a rule knows what is settled")
            let cost = isSettled ? nil : facts.costHint(ofRow: row)
            expect(hint == cost, "costs are told alike")
        }
        expect(place == rows.count, "facts are told of all rows")
    }

    /// Checks that a loader that is closed or gone holds nothing, and its queue neither; a lane lets go
    /// of a load at the end of its slice.
    private func checkNothingHeld() {
        let isHeld = rowLists.contains { $0.list != nil }
        guard isClosed || !isHeld else { return }
        if hasLanes, live.values.count > 0 { advance(by: .milliseconds(2)) }
        expect(live.values.count == 0, "a closed loader holds values")
        expect(queue?.isEmpty ?? true, "a closed loader has jobs")
        expect(underway == 0, "a closed loader has cancelled its operations")
        guard !rowLists.contains(where: \.isOpen) else { return }
        expect(live.callbacks.count == 0, "a closed loader holds callbacks")
        expect(live.keys.count == 0, "a closed loader holds keys")
    }

    static let keyCount = 16

    func key(_ number: Int) -> Key { Key(number, live.keys) }
}
