import IdleLoop
import TestSupport
import Testing

@testable import DeferredLoading

/// A key's entry, with a number for a name.
private final class Entry: LoadEntry {
    let key: Int
    /// The work or value of the key.
    var held: AnyObject?

    init(_ key: Int) {
        self.key = key
    }

    override func release() -> Any? {
        defer { held = nil }
        return held
    }
}

/// A machine without a loader: its queue is a set of keys, its loads are done when a test says so.
private final class World {
    struct Trouble: Error {}
    final class Work {}

    let machine: LoadMachine
    let lists: [DemandList]
    var entries: [Int: Entry] = [:]
    var now = Instant.zero
    var queue: [Int: Entry] = [:]
    var limit = 4
    /// The effects that were carried out, in order.
    var log: [String] = []
    /// The answer to whether a fetch goes on.
    var goesOn = false

    init(_ change: (inout LoaderConfiguration) -> Void = { _ in }) {
        var configuration = LoaderConfiguration()
        change(&configuration)
        machine = LoadMachine(configuration, seed: 1)
        machine.reportsDecisions = true
        lists = (1...2).map { DemandList(number: $0, name: "\($0)", weight: $0) { _ in } }
        for list in lists { tell { $0.open(list) } }
    }

    func entry(_ key: Int) -> Entry {
        if let entry = entries[key], entry.slot >= 0 { return entry }
        let entry = Entry(key)
        entries[key] = entry
        return entry
    }

    /// Tells the machine, and does what it says, as a loader does.
    func tell(_ event: (LoadMachine) -> Void) {
        var effects = machine.effects(at: now, of: event)
        while !effects.isEmpty {
            effects = effects.flatMap { carryOut($0) }
        }
        machine.checkInvariants()
    }

    private func carryOut(_ effect: LoadEffect) -> [LoadEffect] {
        switch effect {
        case .judge(let entry as Entry):
            log.append("judge \(entry.key)")
            guard entry.isLeftOver else { break }
            let isKept = goesOn && (entry.isFetching || entry.stage != .nothing)
            return machine.effects(at: now) {
                if isKept { $0.keep(entry, entry.progress, most: 8) } else { $0.withdraw(entry) }
            }
        case .reorder(let entry as Entry): log.append("reorder \(entry.key)")
        case .withdraw(let entry as Entry):
            log.append("withdraw \(entry.key)")
            queue[entry.key] = nil
            return machine.effects(at: now) { $0.jobEnded(entry) }
        case .checkFetch(let entry as Entry, _):
            log.append("late \(entry.key)")
            queue[entry.key] = nil
            return machine.effects(at: now) { $0.fail(entry, Trouble(), .later) }
                + machine.effects(at: now) { $0.jobEnded(entry) }
        case .commit(let entry as Entry): log.append("commit \(entry.key)")
        case .decided(let entry as Entry, let kind, list: _, reason: _):
            log.append("\(entry.key): \("\(kind)".prefix { $0 != "(" })")
        case .forget(let entry as Entry): log.append("forget \(entry.key)")
        case .release: log.append("release")
        default: Issue.record("whose entry is it?")
        }
        return []
    }

    func want(_ keys: [Int], _ urgency: Urgency = .visible, in list: Int = 0) {
        let requests = keys.enumerated().map {
            DemandList.Request(entry: entry($1), order: LoadOrder(urgency, turn: $0))
        }
        tell { $0.want(requests, in: lists[list]) }
    }

    func offerAll() {
        while let next = machine.next as? Entry, queue.count < limit {
            log.append("submit \(next.key)")
            queue[next.key] = next
            let isFetched = next.key % 2 == 1 && next.stage == .nothing
            let job = LoadJob(fetchCost: isFetched ? .zero : nil, isOperation: true)
            tell { $0.offered(next, job) }
        }
    }

    /// A fetch comes, or a slice of a load is done; with `isLast` all of it.
    func work(_ key: Int, isLast: Bool, fails: Bool = false) {
        guard let entry = queue[key] else { return }
        if entry.isFetching {
            guard !fails else { return end(entry, fails: true) }
            entry.held = Work()
            return tell { $0.fetched(entry, bytes: 1, start: now, took: .milliseconds(1)) }
        }
        if entry.stage != .begun { entry.held = Work() }
        tell { $0.begin(entry) }
        if fails { return end(entry, fails: true) }
        if isLast {
            entry.held = Work()
            tell { $0.loaded(entry, cost: .milliseconds(1), bytes: 10) }
            end(entry)
        } else {
            tell { $0.sliced(entry, cost: .milliseconds(1), bytes: 5) }
            tell { $0.refined(entry) }
        }
    }

    private func end(_ entry: Entry, fails: Bool = false) {
        if fails {
            entry.held = Work()
            tell { $0.fail(entry, Trouble(), .later) }
        }
        queue[entry.key] = nil
        tell { $0.jobEnded(entry) }
    }
}

struct LoadMachineTests {
    @Test(arguments: seeds(0..<60))
    func `the same events have the same effects, and what is visible comes`(seed: UInt64) {
        let logs = (0..<2).map { _ in play(seed) }
        #expect(logs[0] == logs[1])
    }

    private func play(_ seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let world = World {
            $0.capacity = [2, 5, .max][Int(seed % 3)]
            $0.byteLimit = [nil, 40][Int(seed / 3 % 2)]
            $0.fetchTimeout = seed % 5 == 0 ? .milliseconds(3) : nil
            $0.backoff.first = .milliseconds(2)
        }
        for _ in 0..<150 {
            let key = Int.random(in: 0..<12, using: &random)
            let list = world.lists[Int.random(in: 0..<2, using: &random)]
            let entry = world.entry(key)
            let isSubscribed = entry.subscribers.contains(list.number)
            world.goesOn = Bool.random(using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<3:
                let keys = (0..<12).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                let urgency = Urgency.allCases.randomElement(using: &random)!
                world.want(keys, urgency, in: list.number - 1)
            case 3 where !isSubscribed:
                world.tell { $0.subscribe(list, to: entry, isTold: false) }
            case 4 where isSubscribed: world.tell { $0.unsubscribe(list, from: entry) }
            case 5 where !entry.isBlank: world.tell { $0.invalidate(entry) }
            case 6 where entry.stage == .failed: world.tell { $0.retryAnew(entry) }
            case 7:
                if !entry.isBlank { world.tell { $0.startOver(entry) } }
                let given = world.entry(key)
                given.held = World.Work()
                world.tell { $0.finish(given, bytes: 3) }
            case 8: world.tell { $0.trim(to: 0.5) }
            case 9:
                world.now = world.now.advanced(by: .milliseconds(key))
                world.tell { $0.handleDeadlines() }
            case 10: world.work(key, isLast: true, fails: true)
            case 11, 12: world.work(key, isLast: false)
            default: world.work(key, isLast: true)
            }
            world.offerAll()
        }
        // All that is subscribed to comes, when nothing else is wanted and nothing fails.
        let shown = world.entries.filter { $0.value.isSubscribed }.keys.sorted()
        world.want([], in: 1)
        world.want(shown)
        for _ in 0..<60 {
            world.now = world.now.advanced(by: .seconds(60))
            world.tell { $0.handleDeadlines() }
            world.offerAll()
            for key in world.queue.keys.sorted() { world.work(key, isLast: true) }
        }
        for key in shown {
            #expect(world.entry(key).isSettled)
        }
        return world.log
    }
}
