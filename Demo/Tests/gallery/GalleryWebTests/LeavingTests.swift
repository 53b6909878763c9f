import GalleryTestSupport
import Testing

@testable import GalleryWeb

/// Clients that leave before they're answered.
struct LeavingTests {
    @Test(arguments: [false, true])
    func `a client that has left is known when somebody asks`(hasAskedMore: Bool) throws {
        let bench = try ServerBench()
        var kept: WebExchange?
        bench.handler = { kept = $0 }
        _ = bench.client(sending: get("/slow") + (hasAskedMore ? get("/next") : ""))
        #expect(bench.turns { kept != nil })
        let exchange = try #require(kept)
        #expect(!exchange.hasLeft)
        bench.clients = []  // which closes it
        #expect(bench.turns { exchange.hasLeft })
        #expect(exchange.isOpen)
        exchange.reply(503)
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(exchange.hasLeft)
    }
}
