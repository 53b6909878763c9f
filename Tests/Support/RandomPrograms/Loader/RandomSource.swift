internal import DeferredLoading
internal import IdleLoop
import TestSupport

/// What a fetch or a load fails with.
struct Trouble: Error {}

/// A source whose fetches and loads come to whatever the program chooses, each of whose calls may
/// call back into the loader.
final class RandomSource: LoadSource {
    private unowned let program: LoaderProgram
    private let fetches: Fetches
    let valueSize: Int
    private var fetchCount = 0

    /// How keys are fetched.
    enum Fetches: CaseIterable {
        case none
        case workers
        case operations
        case tasks
        case byKey
    }

    init(_ program: LoaderProgram) {
        self.program = program
        fetches = program.choices.one(of: Fetches.allCases)
        valueSize = program.choices.one(of: [0, 10, 100, 2000])
    }

    func cost(of key: Key) -> Duration? {
        program.reactToQuestion()
        return key.number % 3 == 0 ? .milliseconds(key.number % 2) : nil
    }

    func kind(of key: Key) -> WorkKind? {
        program.reactToQuestion()
        guard key.number % 4 != 0 else { return nil }
        return WorkKind(key.number % 3, size: key.number % 2 == 0 ? key.number : nil)
    }

    func fetch(_ key: Key) -> Fetch<Int>? {
        program.reactToQuestion()  // rules ask for what it costs
        let cost = Duration.milliseconds([1, 4, 20, 0][key.number % 4])
        switch fetches {
        case .workers: return work(key, cost)
        case .operations: return operation(key, cost)
        case .tasks: return task(key, cost)
        case .byKey where key.number % 5 < 2: return work(key, cost)
        case .byKey where key.number % 5 == 2: return task(key, cost)
        case .byKey where key.number % 5 == 3: return operation(key, cost)
        case .none, .byKey: return nil
        }
    }

    private func work(_ key: Key, _ cost: Duration) -> Fetch<Int> {
        let version = program.version(of: key)
        let fails = fails()
        return Fetch(cost: cost) {
            if fails { throw Trouble() }
            return version
        }
    }

    private func task(_ key: Key, _ cost: Duration) -> Fetch<Int> {
        let (version, fails) = (program.version(of: key), fails())
        guard let loop = program.loop else { return work(key, cost) }
        let clock = loop.taskClock
        return Fetch(
            cost: cost,
            task: { [weak program] in
                program?.react()
                try await clock.sleep(for: cost)
                program?.react()
                if fails { throw Trouble() }
                return version
            })
    }

    /// Whether a fetch fails, which those fail of which only the cost is asked, too.
    private func fails() -> Bool {
        fetchCount += 1
        return fetchCount.isMultiple(of: 8) && program.choices.flag()
    }

    private func operation(_ key: Key, _ cost: Duration) -> Fetch<Int> {
        let version = program.version(of: key)
        let callback = program.live.callbacks.make()
        return Fetch(cost: cost) { [unowned program] completion in
            withExtendedLifetime(callback) {}
            return RandomOperation(program, version, cost, completion)
        }
    }

    func preview(of key: Key, fetched version: Int) -> Value? {
        let value = Value(key.number, version: version, isWhole: false, of: program)
        program.react()
        return value
    }

    func load(_ key: Key, fetched: Int?) throws -> any Load<Value> {
        let version = fetched ?? program.version(of: key)
        let load = RandomLoad(key.number, version, program)
        program.react()
        if program.choices.number(below: 16) == 15 { throw Trouble() }
        return load
    }

    func size(of value: Value) -> Int {
        program.react()
        return valueSize
    }

    func size(ofFetched version: Int) -> Int {
        program.react()
        return valueSize / 4
    }

    func retry(_ key: Key, after error: any Error, failures: Int) -> LoadRetry {
        program.react()
        let answers: [LoadRetry] = [
            .later, .never, .after(.milliseconds(1)), .after(.zero), .usual(after: error),
        ]
        return program.choices.one(of: answers)
    }
}

/// A load of a few slices, each of which may end it, and which acts when it's let go of; where there
/// are lanes, some of its slices run there.
final class RandomLoad: SendableLoad {
    private let key: Int
    private let version: Int
    // On virtual time lanes are simulated, and everything is on one thread.
    private nonisolated(unsafe) weak var program: LoaderProgram?
    private nonisolated(unsafe) let object: LiveObjects.Object
    private nonisolated(unsafe) var slices = 0

    init(_ key: Int, _ version: Int, _ program: LoaderProgram) {
        self.key = key
        self.version = version
        unsafe self.program = program
        unsafe object = program.live.values.make()
    }

    deinit { unsafe program?.react() }

    var placement: Placement {
        guard key % 4 > 0, let program = unsafe program, program.hasLanes else {
            return .loop
        }
        return program.choices.number(below: 8) < 7 ? .anywhere : .loop
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value> {
        guard let program = unsafe program else { throw Trouble() }
        unsafe slices += 1
        program.noteSlice()
        program.time.charge(.milliseconds(1))
        if !slot.isOnLane { program.react() }
        switch unsafe slices == 8 ? 0 : program.choices.number(below: 8) {
        case 5: throw Trouble()
        case 3, 6: return .refined(Value(key, version: version, isWhole: false, of: program))
        case 4, 7: return .more
        default: return .done(Value(key, version: version, of: program))
        }
    }

    var share: Double? { unsafe [nil, 0.5, .nan, 1][slices % 4] }

    var size: Int { unsafe 10 * slices }
}

/// An operation that ends at once, later, twice or never.
final class RandomOperation: PendingOperation {
    private let version: Int
    private let completion: OperationCompletion<Int>
    private weak var program: LoaderProgram?
    private let object: LiveObjects.Object
    private var timer: LoopTimer?
    private var isUnderway = true

    init(
        _ program: LoaderProgram, _ version: Int, _ cost: Duration,
        _ completion: OperationCompletion<Int>
    ) {
        self.version = version
        self.completion = completion
        self.program = program
        object = program.live.operations.make()
        program.underway += 1
        program.react()
        switch program.choices.number(below: 8) {
        case 4: end(fails: true)
        case 5: end(fails: false)
        case 6: later(cost, fails: true)
        case 7: program.unended.append(self)
        case 3:
            completion.show(version)
            later(cost, fails: false)
        default: later(cost, fails: false)
        }
    }

    private func later(_ cost: Duration, fails: Bool) {
        guard let loop = program?.loop, !loop.isClosed else { return end(fails: fails) }
        timer = loop.schedule(after: cost) { [weak self] in self?.end(fails: fails) }
        if version % 3 != 0 { process() }
    }

    /// Has what has come so far processed in lulls.
    private func process() {
        completion.process { [weak self] _ in
            guard let self, let program else { return .skipped }
            program.time.charge(.milliseconds(1))
            program.react()
            switch program.choices.number(below: 6) {
            case 1: return .again
            case 2: end(fails: false)
            case 3: throw Trouble()
            case 4: process()
            case 5: completion.show(version)
            default: break
            }
            return .done
        }
    }

    /// Says what it has come to, whoever still listens.
    func end(fails: Bool) {
        stop()
        completion(fails ? .failure(Trouble()) : .success(version))
        if version % 2 == 0 { completion(.success(version)) }
    }

    func cancel() {
        program?.expect(isUnderway, "what has ended isn't cancelled, and nothing is twice")
        stop()
        timer?.cancel()
    }

    private func stop() {
        if isUnderway { program?.underway -= 1 }
        isUnderway = false
    }

    var size: Int { version % 2 == 0 ? 0 : 70 }
}
