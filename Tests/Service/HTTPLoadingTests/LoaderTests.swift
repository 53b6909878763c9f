import Glibc
@testable import HTTPLoading
import IdleLoop
import TestServer
import TestSupport
import Testing

/// What holds of all transfers of a loader together.
struct LoaderTests {
    @Test func `one connection serves one transfer after another`() throws {
        let bench = try LoaderBench()
        for _ in 0..<10 { _ = try bench.body(of: "/") }
        #expect(bench.server.accepted == 1)
    }

    @Test(arguments: [(6, 6), (4, 2), (1, 1)])
    func `connections are bounded, in all and with one server`(all: Int, each: Int) throws {
        let bench = try LoaderBench {
            $0.connections = all
            $0.connectionsPerHost = each
        }
        let other = try TestServer(on: bench.loop)
        defer { other.close() }
        bench.server.answer = { [server = bench.server] _ in
            [.dribble(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n".utf8))]
                + (server.requests.isEmpty ? [] : [.send([65])])
        }
        for index in 0..<30 { bench.fetch("/\(index)") }
        for index in 0..<30 { bench.fetch(other.url("/\(index)")) }
        #expect(bench.loader.counts == (min(all, each), 60 - min(all, each)) || each < all)
        try bench.run(ends: 60)
        #expect(bench.outcomes.allSatisfy { (try? $0.outcome.get()) != nil })
        #expect(bench.server.mostConnections <= each)
        #expect(other.mostConnections <= each)
        #expect(Set(bench.server.requests.map(\.path)) == Set((0..<30).map { "/\($0)" }))
        #expect(bench.loader.counts == (0, 0))
    }

    @Test func `what is cancelled ends at once, as such, and the next has its place`() throws {
        let bench = try LoaderBench { $0.connections = 1 }
        bench.server.answer = { request in
            request.path == "/slow"
                ? [
                    .send(TestServer.text("HTTP/1.1 200 OK", "", "")),
                    .sendForever([UInt8](repeating: 1, count: 100)),
                ] : TestServer.reply("quick")
        }
        let slow = bench.fetch("/slow")
        let waiting = bench.fetch("/never")
        bench.fetch("/quick")
        try bench.run(whileBusy: true) { slow.received > 1000 }
        #expect(bench.loader.counts == (1, 2))
        waiting.cancel()
        slow.cancel()
        slow.cancel()
        #expect(bench.outcomes.map(\.path) == ["/never", "/slow"])
        #expect(bench.outcomes.allSatisfy { $0.outcome == .failure(.cancelled) })
        #expect(bench.loader.counts == (1, 0))
        try bench.run { bench.outcomes.count == 3 && bench.server.departures == 1 }
        #expect(bench.outcomes.last?.path == "/quick")
        #expect(bench.server.requests.map(\.path) == ["/slow", "/quick"])
        #expect(bench.server.walkouts == 1)
        #expect(bench.loader.statistics.cancelled == 2)
        #expect(bench.loader.statistics.done == 1)
    }

    @Test func `what is cancelled while a name is looked up keeps its place until that ends`()
        throws
    {
        let bench = try LoaderBench { $0.connections = 1 }
        var slow: HTTPTransfer?
        let cancel = { [unowned bench] in
            #expect(slow?.isLookingUp == false, "its socket is open")
            slow?.isLookingUp = true
            slow?.cancel()
            bench.fetch("/next")
            #expect(bench.loader.counts == (1, 1))
        }
        bench.server.answer = {
            $0.path == "/slow" ? [.call(cancel), .close] : TestServer.reply("")
        }
        slow = bench.fetch("/slow")
        try bench.run(ends: 2)
        #expect(bench.outcomes.map(\.path) == ["/slow", "/next"])
        #expect(bench.loader.counts == (0, 0))
        let statistics = bench.loader.statistics
        #expect(statistics.cancelled == 1 && statistics.done == 1 && statistics.failed == 0)
    }

    @Test func `a look-up begins with a name and ends with a socket, or with the transfer`() throws
    {
        let bench = try LoaderBench()
        // A label that is too long for a name: it's unknown without a network, too.
        let name = "http://\(String(repeating: "a", count: 64)).invalid"
        let (unknown, known) = (bench.fetch(name), bench.fetch("/"))
        try bench.run(ends: 2)
        #expect(unknown.isLookingUp && !known.isLookingUp)
        for port in 1...60 {
            let transfer = bench.fetch("\(name):\(port)")
            try bench.loop.run(until: bench.loop.clock.now)
            transfer.cancel()
        }
        try bench.run { bench.loader.counts == (0, 0) }
        let statistics = bench.loader.statistics
        #expect(statistics.cancelled + statistics.failed == 61)
        #expect(
            bench.outcomes.count == statistics.done + statistics.failed + statistics.cancelled)
    }

    @Test func `with nothing to fetch nothing is done, and connections are closed once`() throws {
        let bench = try LoaderBench { $0.keepAlive = .seconds(2) }
        for index in 0..<3 { bench.fetch("/\(index)") }
        try bench.run(ends: 3)
        let connections = bench.server.connectionCount
        #expect(connections > 0 && bench.server.departures == 0)
        let before = bench.loop.statistics
        try bench.run { bench.server.departures == connections }
        #expect(bench.loop.statistics.timersFired - before.timersFired == 1)
        // Now there's no timer left but the one that ends this.
        let rest = bench.loop.statistics
        try bench.loop.run(until: bench.loop.clock.now.advanced(by: .milliseconds(30)))
        let after = bench.loop.statistics
        #expect(after.timersFired - rest.timersFired == 1)
        #expect(after.sleeps - rest.sleeps <= 2)
        #expect(try bench.body(of: "/again").status == 200)
    }

    @Test func `a server that closes first doesn't spin a loop that has nothing to do`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in TestServer.reply("") + [.close] }
        _ = try bench.body(of: "/")
        #expect(bench.server.connectionCount == 0)
        let before = bench.loop.statistics
        try bench.loop.run(until: bench.loop.clock.now.advanced(by: .milliseconds(30)))
        #expect(bench.loop.statistics.turns - before.turns < 6)
        #expect(try bench.body(of: "/").status == 200)
    }

    @Test func `the loop sleeps while a server thinks`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in [] }
        let transfer = bench.fetch("/")
        try bench.run { !bench.server.requests.isEmpty }
        let before = bench.loop.statistics
        try bench.loop.run(until: bench.loop.clock.now.advanced(by: .milliseconds(100)))
        #expect(bench.loop.statistics.turns - before.turns < 8)
        transfer.cancel()
    }

    /// Servers that answer with right and wrong bytes, cut anywhere, and users who change their minds.
    @Test(arguments: seeds(0..<30))
    func `whatever servers say, each transfer ends once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try LoaderBench {
            $0.connections = 3
            $0.connectionsPerHost = 2
            $0.timeLimit = .milliseconds(100)
            $0.byteLimit = 5000
        }
        let pieces = [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 302 Found\r\nLocation: /\r\n", "HTTP/1.1 999\r\n",
            "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n",
            "Connection: close\r\n", "\r\n", "5\r\nhello\r\n", "0\r\n\r\n", "hello", "\0\u{7f}\r",
            "HTTP/1.1 100 Continue\r\n\r\n", "ffffffffffffffff\r\n", "Content-Encoding: gzip\r\n",
        ]
        bench.server.answer = { _ in
            let text = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            var bytes = Array(("HTTP/1.1 200 OK\r\n" + text).utf8)
            if Bool.random(using: &random) {
                bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return [.sendForever(bytes)]
            case 1: return [.dribble(bytes)]
            case 2: return [.send(bytes)]
            case 3: return TestServer.reply(bytes)
            default: return [.send(bytes), .close]
            }
        }
        var ends: [Int: Int] = [:]
        var cancelled: Set<Int> = []
        var transfers: [HTTPTransfer] = []
        for index in 0..<12 {
            transfers.append(
                bench.loader.fetch(HTTPLoadRequest(bench.server.url("/\(index)"))) { result in
                    ends[index, default: 0] += 1
                    #expect((result == .failure(.cancelled)) == cancelled.contains(index))
                    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
                    let other = Int.random(in: 0..<transfers.count, using: &random)
                    if ends[other] == nil { cancelled.insert(other) }
                    transfers[other].cancel()
                })
        }
        try bench.run { ends.count == 12 }
        #expect(bench.loader.counts == (0, 0))
        #expect(ends.values.allSatisfy { $0 == 1 })
        let statistics = bench.loader.statistics
        #expect(statistics.begun == 12)
        #expect(statistics.done + statistics.failed + statistics.cancelled == ends.count)
        #expect(statistics.cancelled == cancelled.count)
    }
}
