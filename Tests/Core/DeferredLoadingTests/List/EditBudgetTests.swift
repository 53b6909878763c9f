import DeferredLoading
import IdleLoop
import Testing

/// What an edit of a list may cost a loader at most, by what it asks of keys, source and listeners.
@Suite struct EditBudgetTests {
    /// Counts what is asked, and notes what is said to be wanted and unwanted.
    private final class Counts {
        var hashes = 0
        var costs = 0
        var fetches = 0
        var reasons = 0
        var decisions = 0
        var wanted: [Int] = []
        var unwanted: [Int] = []

        func reset() {
            (hashes, costs, fetches, reasons, decisions) = (0, 0, 0, 0, 0)
            (wanted, unwanted) = ([], [])
        }

        func note(_ decision: LoadDecision<Key>) {
            decisions += 1
            switch decision.kind {
            case .wanted: wanted.append(decision.key.number)
            case .unwanted: unwanted.append(decision.key.number)
            default: break
            }
        }
    }

    private struct Key: Hashable {
        let number: Int
        let counts: Counts

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) {
            counts.hashes += 1
            hasher.combine(number)
        }
    }

    private struct Source: LoadSource {
        let counts: Counts

        func cost(of key: Key) -> Duration? {
            counts.costs += 1
            return .milliseconds(1)
        }

        func fetch(_ key: Key) -> Fetch<Never>? {
            counts.fetches += 1
            return nil
        }

        func load(_ key: Key, fetched: Never?) throws -> any Load<Int> {
            throw Trouble()
        }
    }

    private typealias Loader = DeferredLoader<Key, Int>

    private let counts = Counts()
    /// What the queue holds: all that may be offered in one edit.
    private let limit = 30

    private func loader() throws -> Loader {
        var configuration = QueueConfiguration()
        configuration.limit = limit
        let queue = IdleQueue<Key>(
            on: try MainLoop(clock: .virtual(VirtualTime())), configuration: configuration)
        let loader = Loader(queue: queue, source: Source(counts: counts))
        loader.onDecision = { [counts] in counts.note($0) }
        return loader
    }

    private func wish(_ numbers: some Sequence<Int>) -> [Wanted<Key>] {
        numbers.enumerated().map {
            Wanted(Key(number: $1, counts: counts), urgency: .near, rank: $0)
        }
    }

    private func reconcile(_ list: LoadList<Key, Int>, with numbers: some Sequence<Int>) {
        let wanted = wish(numbers)
        counts.reset()
        list.reconcile(with: wanted) { [counts] _ in
            counts.reasons += 1
            return nil
        }
    }

    @Test(arguments: [1_000, 10_000, 40_000])
    func `an edit asks of each key once, and of others only what has changed`(
        count: Int
    ) throws {
        let loader = try loader()
        let list = loader.list { _, _ in }
        reconcile(list, with: 0..<count)
        #expect(counts.wanted == Array(0..<count) && counts.unwanted.isEmpty)
        #expect(counts.reasons == count)
        // To find its entry, to note it, and those that the queue has room for.
        #expect(counts.hashes <= 4 * count + 10 * limit)
        #expect(counts.fetches <= limit + 1)
        #expect(counts.costs == 0)
        #expect(counts.decisions <= 2 * count + 10 * limit)

        reconcile(list, with: 0..<count + 1)
        #expect(counts.wanted == [count] && counts.unwanted.isEmpty)
        #expect(counts.reasons == 1)
        #expect(counts.hashes <= 2 * count + 10 * limit)
        #expect(counts.fetches <= limit + 1)
        #expect(counts.decisions <= 2)

        reconcile(list, with: 0..<count)
        #expect(counts.wanted.isEmpty && counts.unwanted == [count])
        #expect(counts.reasons == 1)
        #expect(counts.hashes <= 2 * count + 10 * limit)

        reconcile(list, with: 0..<count)
        #expect(counts.hashes == 0 && counts.decisions == 0)  // the same again

        reconcile(list, with: [])
        #expect(counts.wanted.isEmpty && counts.unwanted == Array(0..<count))
        #expect(counts.reasons == count)
        #expect(counts.hashes <= 4 * count + 10 * limit)
        loader.checkInvariants()
        #expect(loader.progress(of: Key(number: 0, counts: counts)) == .none)
    }

    @Test(arguments: [1_000, 10_000, 40_000])
    func `beside another list, it asks of its own keys once`(count: Int) throws {
        let loader = try loader()
        let (one, other) = (
            loader.list(named: "one") { _, _ in }, loader.list(named: "other") { _, _ in }
        )
        reconcile(one, with: 0..<count)
        #expect(counts.wanted == Array(0..<count))
        reconcile(other, with: [count])
        #expect(counts.wanted == [count])
        reconcile(other, with: [count, count + 1])
        #expect(counts.wanted == [count + 1])
        reconcile(one, with: 1..<count)
        #expect(counts.wanted.isEmpty && counts.unwanted == [0])
        #expect(counts.costs == 0)  // turns are made of what was learned
        #expect(counts.hashes <= 4 * count + 10 * limit)
        #expect(counts.fetches <= limit + 1)
        loader.checkInvariants()
    }
}
