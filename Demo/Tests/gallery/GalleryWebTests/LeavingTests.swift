import Testing

@testable import GalleryWeb

/// Clients that leave before they're answered.
struct LeavingTests {
    @Test(arguments: [false, true])
    func `a client that has left is known when somebody asks`(hasAskedMore: Bool) throws {
        let house = try TestHouse()
        var kept: WebExchange?
        house.handler = { kept = $0 }
        _ = house.client(sending: get("/slow") + (hasAskedMore ? get("/next") : ""))
        #expect(house.turns { kept != nil })
        let exchange = try #require(kept)
        #expect(!exchange.hasLeft)
        house.clients = []  // which closes it
        #expect(house.turns { exchange.hasLeft })
        #expect(exchange.isOpen)
        exchange.reply(503)
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(exchange.hasLeft)
    }
}
