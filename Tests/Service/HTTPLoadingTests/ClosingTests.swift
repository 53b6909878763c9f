import DeferredLoading
import Foundation
import HTTPLoading
import IdleLoop
import ImageLoading
import TestServer
import TestSupport
import Testing

/// Loaders that are closed and let go of in any order, from inside any callback.
struct ClosingTests {
    private struct Bodies: LoadSource {
        let http: HTTPLoader
        let server: TestServer

        func fetch(_ row: Int) -> Fetch<HTTPLoadResponse>? {
            Fetch(HTTPLoadRequest(server.url("/\(row)")), by: http)
        }

        func load(_ row: Int, fetched: HTTPLoadResponse?) -> any Load<Int> { Given() }
    }

    private final class Given: Load {
        func step(in slot: borrowing IdleSlot) -> LoadStep<Int> { .done(1) }
    }

    @Test func `a loader's fetches end as closed, those too that wait for their turn`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in [] }
        let queue = IdleQueue<Int>(on: bench.loop)
        var configuration = LoaderConfiguration()
        configuration.operations = 2
        let loader = DeferredLoader(
            queue: queue, source: Bodies(http: bench.loader, server: bench.server),
            configuration: configuration)
        let list = loader.list { _, _ in }
        list.reconcile(with: (0..<10).map { Wanted($0, urgency: .visible, rank: $0) })
        try bench.run { bench.server.requests.count == 2 }
        bench.loader.close()
        try bench.run { (0..<10).allSatisfy { loader.state(of: $0).isSettled } }
        for row in 0..<10 {
            guard case .failed(HTTPLoadError.closed, nextTry: nil) = loader.state(of: row) else {
                Issue.record("\(row): \(loader.state(of: row))")
                continue
            }
        }
        loader.checkInvariants()
        queue.checkInvariants()
        loader.close()
    }

    @Test func `a closed loader's transfer fails later, or when the loader goes`() throws {
        let bench = try LoaderBench()
        bench.loader.close()
        bench.fetch("/late")
        #expect(bench.outcomes.isEmpty, "nobody is called from inside")
        try bench.run(ends: 1)
        bench.fetch("/gone")
        bench.fetch("/cancelled").cancel()
        bench.release()
        #expect(bench.outcomes.map(\.path) == ["/late", "/cancelled", "/gone"])
        for (path, outcome) in bench.outcomes {
            #expect(outcome == .failure(path == "/cancelled" ? .cancelled : .closed))
        }
    }

    @Test func `on a closed loop nothing is fetched, and told when the loader goes`() throws {
        let bench = try LoaderBench { $0.connections = 1 }
        bench.server.answer = { _ in [] }
        let running = bench.fetch("/running")
        bench.fetch("/waiting")
        try bench.run { bench.server.requests.count == 1 }
        bench.server.close()
        bench.loop.close()
        bench.fetch("/after")
        running.cancel()
        #expect(bench.outcomes.map(\.outcome) == [.failure(.cancelled)])
        bench.release()
        #expect(bench.outcomes.map(\.path) == ["/running", "/after", "/waiting"])
        for (_, outcome) in bench.outcomes.dropFirst() { #expect(outcome == .failure(.closed)) }
    }

    /// What may be done to loaders and transfers at any moment, also from inside a completion.
    private final class Chaos {
        let bench: LoaderBench
        let live = LiveObjects()
        var random: SplitMix64
        var loader: HTTPLoader?
        var transfers: [Int: HTTPTransfer] = [:]
        var ends: [Int: Int] = [:]
        var cancelled: Set<Int> = []
        var begun = 0

        /// Half of them have a cache, and some of those workers.
        private let cache: HTTPCache?
        private let workers: WorkerPool?
        private let folder = makeTemporaryFolder("http-chaos")

        init(_ bench: LoaderBench, seed: UInt64) throws {
            self.bench = bench
            cache = seed % 2 == 0 ? HTTPCache(in: folder, now: { .seconds(1_795_521_600) }) : nil
            workers = seed % 6 == 0 ? try WorkerPool(width: 2, on: bench.loop) : nil
            random = SplitMix64(seed: seed)
            loader = newLoader()
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder)
        }

        func newLoader() -> HTTPLoader {
            var configuration = HTTPLoaderConfiguration()
            configuration.connections = 3
            return HTTPLoader(
                on: bench.loop, configuration: configuration, cache: cache, workers: workers)
        }

        func act() {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: loader?.close()
            case 1: _ = loader.take()
            case 2: if loader == nil, begun < 60 { loader = newLoader() }
            case 3, 4:
                if let number = transfers.keys.sorted().randomElement(using: &random) {
                    if ends[number] == nil { cancelled.insert(number) }
                    transfers[number]?.cancel()
                }
            case 5: transfers = [:]
            default: fetch()
            }
        }

        func fetch() {
            guard let loader, begun < 60 else { return }
            begun += 1
            let number = begun
            let paths = ["/answered", "/known", "/never", "/cut"]
            let url =
                number % 7 == 0
                ? "file:///" : bench.server.url(paths.randomElement(using: &random)!)
            let object = live.make()
            func called() {
                _ = object
                for _ in 0..<Int.random(in: 0..<3, using: &random) { act() }
            }
            let isStreamed = number % 3 == 0
            func told() {
                #expect(ends[number] == nil, "nothing is told after the end")
                called()
            }
            transfers[number] = loader.fetch(
                HTTPLoadRequest(url), onHead: isStreamed ? { _ in told() } : nil,
                onBytes: isStreamed ? { _ in told() } : nil
            ) { [self] result in
                ends[number, default: 0] += 1
                #expect((result == .failure(.cancelled)) == cancelled.contains(number))
                called()
            }
        }
    }

    @Test(arguments: seeds(0..<60))
    func `whatever is called from wherever, each transfer ends once`(seed: UInt64) throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            switch request.path {
            case "/answered": TestServer.reply("a", headers: ["Cache-Control: max-age=9"])
            case "/known":
                request.head.contains("If-None-Match")
                    ? TestServer.reply("", status: "304 Not Modified")
                    : TestServer.reply("k", headers: ["ETag: \"k\""])
            case "/cut": [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .close]
            default: []
            }
        }
        let chaos = try Chaos(bench, seed: seed)
        for _ in 0..<40 {
            chaos.act()
            // As far as it goes without waiting.
            if chaos.random.next() % 3 == 0 { try bench.loop.run(until: bench.loop.clock.now) }
        }
        if seed % 4 == 0 {
            bench.server.close()
            bench.loop.close()
        }
        while chaos.loader != nil || chaos.begun < 60 && seed % 4 != 0 {
            if chaos.loader == nil { chaos.loader = chaos.newLoader() }
            chaos.fetch()
            chaos.loader?.close()
            _ = chaos.loader.take()
        }
        #expect(chaos.live.count == 0)
        #expect(chaos.ends.values.allSatisfy { $0 == 1 })
        #expect(chaos.cancelled.isSubset(of: chaos.ends.keys))
        #expect(chaos.ends.count == chaos.begun)
    }
}
