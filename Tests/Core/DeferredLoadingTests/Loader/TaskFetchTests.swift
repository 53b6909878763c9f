import DeferredLoading
import IdleLoop
import Testing

/// Fetches that are tasks on the loop.
struct TaskFetchTests {
    /// Squares that a task waits for, as one would for a server.
    private struct Squares: LoadSource {
        let loop: MainLoop
        let log: Log

        func fetch(_ key: Int) -> Fetch<[Int]>? {
            let (clock, log) = (loop.taskClock, log)
            return Fetch(
                cost: .milliseconds(10),
                task: {
                    log.lines.append("begins \(key)")
                    do {
                        try await clock.sleep(for: .milliseconds(10))
                    } catch {
                        log.lines.append("cancelled \(key)")
                        throw error
                    }
                    if key < 0 { throw Trouble() }
                    return [key, key * key]
                })
        }

        func load(_ key: Int, fetched: [Int]?) throws -> any Load<Int> {
            Given(fetched?.last ?? 0)
        }

        func retry(_ key: Int, after error: any Error, failures: Int) -> LoadRetry { .never }
    }

    private final class Given: Load {
        let value: Int
        init(_ value: Int) { self.value = value }
        func step(in slot: borrowing IdleSlot) -> LoadStep<Int> { .done(value) }
    }

    private final class Log {
        var lines: [String] = []
    }

    private final class Bench {
        let loop: MainLoop
        let log = Log()
        let loader: DeferredLoader<Int, Int>
        let list: LoadList<Int, Int>

        init(places: Int = 6) throws {
            loop = try MainLoop(clock: .virtual(VirtualTime()))
            var configuration = LoaderConfiguration()
            configuration.operations = places
            loader = DeferredLoader(
                queue: IdleQueue(on: loop), source: Squares(loop: loop, log: log),
                configuration: configuration)
            list = loader.list { [log] key, state in
                switch state {
                case .loaded(let value): log.lines.append("\(key) is \(value)")
                case .failed(let error, _): log.lines.append("\(key): \(type(of: error))")
                default: log.lines.append("\(key)?")
                }
            }
        }

        func want(_ keys: [Int]) {
            for key in keys { list.subscribe(to: key) }
            list.reconcile(
                with: keys.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        }

        func run(until milliseconds: Int) throws {
            try loop.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
            loader.checkInvariants()
        }
    }

    @Test func `what a task returns is loaded, with its type, and what it throws fails`() throws {
        let bench = try Bench()
        bench.want([3, -1])
        try bench.run(until: 9)
        #expect(bench.log.lines == ["begins 3", "begins -1"])
        try bench.run(until: 20)
        #expect(bench.log.lines.dropFirst(2).sorted() == ["-1: Trouble", "3 is 9"])
    }

    @Test func `a task whose key nobody wants is cancelled, and its place is taken`() throws {
        let bench = try Bench(places: 1)
        bench.want([3, 4])
        try bench.run(until: 2)
        bench.want([4])
        try bench.run(until: 30)
        #expect(bench.log.lines == ["begins 3", "cancelled 3", "begins 4", "4 is 16"])
    }
}
