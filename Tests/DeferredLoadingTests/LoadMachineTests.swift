import IdleLoop
import TestSupport
import Testing

@testable import DeferredLoading

/// A machine without a loader: its queue is a set of keys, its loads are done when a test says so.
private final class World {
    typealias Machine = LoadMachine<Int, String>
    typealias Entry = LoadEntry<Int, String>

    struct Trouble: Error {}

    let machine: Machine
    var lists: [ListState<Int, String>] = []
    var now = Instant.zero
    var queue: [Int: Entry] = [:]
    var limit = 4
    /// What was done, in order.
    var log: [String] = []
    /// What is answered to whether something is nearly done.
    var isNearlyDone = false

    final class Step: Load {
        func step(in slot: borrowing IdleSlot) -> LoadStep<String> { .more }
    }

    init(_ change: (inout LoaderConfiguration) -> Void = { _ in }) {
        var configuration = LoaderConfiguration()
        change(&configuration)
        machine = Machine(configuration, seed: 1)
        machine.tellsDecisions = true
        for number in 1...2 {
            lists.append(.init(number: number, name: "\(number)", weight: number) { _, _ in })
            tell(.opened(lists[number - 1]))
        }
    }

    /// Tells the machine, and does what it says, as a loader does.
    func tell(_ event: LoadEvent<Int, String>) {
        var effects = machine.handle(event, at: now)
        while !effects.isEmpty {
            effects = effects.flatMap { carryOut($0) }
        }
        machine.checkInvariants()
    }

    private func carryOut(_ effect: LoadEffect<Int, String>) -> [LoadEffect<Int, String>] {
        switch effect {
        case .appraise(let entry):
            log.append("appraise \(entry.key)")
            return machine.handle(
                .appraised(entry, isNearlyDone: isNearlyDone, entry.progress), at: now)
        case .submit(let entry):
            log.append("submit \(entry.key)")
            queue[entry.key] = entry
            let fetch = LoadEvent<Int, String>.FetchFacts(cost: .zero, isOperation: true)
            let isFetched = entry.key % 2 == 1 && entry.life.stage == .nothing
            return machine.handle(.offered(entry, isFetched ? fetch : nil), at: now)
        case .reorder(let entry): log.append("reorder \(entry.key)")
        case .withdraw(let entry):
            log.append("withdraw \(entry.key)")
            queue[entry.key] = nil
            return machine.handle(.jobEnded(entry, nil), at: now)
        case .checkFetch(let entry, _):
            log.append("late \(entry.key)")
            queue[entry.key] = nil
            return machine.handle(.jobEnded(entry, nil), at: now)
                + machine.handle(.failed(entry, failure), at: now)
        case .commit(let entry, let version):
            if entry.version == version { log.append("commit \(entry.key)") }
        case .decided(let decision, _): 
            let kind = "\(decision.kind)".prefix { $0 != "(" }
            log.append("\(decision.key): \(kind)")
        case .release: log.append("release")
        }
        return []
    }

    var failure: LoadEvent<Int, String>.Failure { .init(error: Trouble(), retry: .later) }

    func want(_ keys: [Int], _ urgency: Urgency = .visible, in list: Int = 0) {
        let wanted = keys.enumerated().map { Wanted($1, urgency: urgency, rank: $0) }
        tell(.wanted(lists[list], wanted, costs: [], reason: nil))
    }

    func offerAll() {
        while machine.next != nil, queue.count < limit { tell(.room) }
    }

    /// A fetch comes, or a slice of a load is done; with `isLast` all of it.
    func work(_ key: Int, isLast: Bool, fails: Bool = false) {
        guard let entry = queue[key] else { return }
        if entry.isFetching {
            guard !fails else { return end(entry, failure) }
            let load: () throws -> any Load<String> = { Step() }
            return tell(
                .fetched(entry, .init(load: load, bytes: 1, start: now, took: .milliseconds(1))))
        }
        tell(.slice(entry))
        if entry.contents.load == nil { tell(.begun(entry, Step())) }
        if fails { return end(entry, failure) }
        if isLast {
            tell(.loaded(entry, "\(key)", cost: .milliseconds(1), bytes: 10))
            end(entry, nil)
        } else {
            tell(.refined(entry, "part of \(key)", cost: .milliseconds(1), bytes: 5))
        }
    }

    private func end(_ entry: Entry, _ failure: LoadEvent<Int, String>.Failure?) {
        queue[entry.key] = nil
        tell(.jobEnded(entry, failure))
    }
}

struct LoadMachineTests {
    @Test func `a key's way is a line of effects`() {
        let world = World()
        world.tell(.subscribed(world.lists[0], 1))
        world.want([1])
        world.offerAll()
        world.work(1, isLast: false)
        world.work(1, isLast: false)
        world.work(1, isLast: true)
        world.want([])
        #expect(
            world.log == [
                "1: wanted", "submit 1", "1: fetched", "1: begun", "1: refined", "commit 1", "release",
                "1: finished", "commit 1", "1: unwanted",
            ])
    }

    @Test func `what nobody wants any more is taken back, but for what is nearly done`() {
        let world = World()
        world.want([2, 4, 6])
        world.offerAll()
        world.work(2, isLast: false)
        world.log = []
        world.want([6])
        #expect(
            world.log.filter { !$0.contains(":") } == ["appraise 2", "withdraw 4", "reorder 6", "withdraw 2"])
        world.offerAll()
        world.work(6, isLast: false)
        world.isNearlyDone = true
        world.log = []
        world.want([])
        // It is handed in anew, after all that anybody wants.
        #expect(world.log.filter { !$0.contains(":") } == ["appraise 6", "withdraw 6"])
        world.offerAll()
        #expect(world.log.last == "submit 6")
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the same events have the same effects, and what is visible comes`(seed: UInt64) {
        let logs = (0..<2).map { _ in play(seed) }
        #expect(logs[0] == logs[1])
    }

    private func play(_ seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let world = World {
            $0.capacity = [2, 5, .max][Int(seed % 3)]
            $0.byteLimit = [nil, 40][Int(seed / 3 % 2)]
            $0.suspended = Int(seed % 2) * 3
            $0.fetchTimeout = seed % 5 == 0 ? .milliseconds(3) : nil
            $0.backoff.first = .milliseconds(2)
        }
        for _ in 0..<150 {
            let key = Int.random(in: 0..<12, using: &random)
            let list = world.lists[Int.random(in: 0..<2, using: &random)]
            world.isNearlyDone = Bool.random(using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<3:
                let keys = (0..<12).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                let urgency = Urgency.allCases.randomElement(using: &random)!
                world.want(keys, urgency, in: list.number - 1)
            case 3 where list.subscriptions[key] == nil: world.tell(.subscribed(list, key))
            case 4: world.tell(.unsubscribed(list, key))
            case 5: world.tell(.invalidated(key))
            case 6: world.tell(.retried(key))
            case 7: world.tell(.given(key, .value("given \(key)", bytes: 3)))
            case 8: world.tell(.trimmed(to: 0.5))
            case 9:
                world.now = world.now.advanced(by: .milliseconds(key))
                world.tell(.timer)
            case 10: world.work(key, isLast: true, fails: true)
            case 11, 12: world.work(key, isLast: false)
            default: world.work(key, isLast: true)
            }
            world.offerAll()
        }
        // All that is subscribed to comes, when nothing else is wanted and nothing fails.
        let shown = Set(world.lists.flatMap { $0.subscriptions.keys }).sorted()
        world.want([], in: 1)
        world.want(shown)
        for _ in 0..<60 {
            world.now = world.now.advanced(by: .seconds(60))
            world.tell(.timer)
            world.offerAll()
            for key in world.queue.keys.sorted() { world.work(key, isLast: true) }
        }
        for key in shown {
            #expect(world.machine.table[key]?.life.isSettled == true)
        }
        return world.log
    }
}
