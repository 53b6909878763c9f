internal import GalleryCatalogue
internal import GalleryWeb
internal import IdleLoop
internal import ReplayReport
internal import ScrollModel

// The live view.
extension Gallery {
    func answerClients(_ exchange: WebExchange) {
        guard affords(exchange, RequestCost.client) else { return }
        let now = loop.clock.now
        let clients = clients.all.prefix(100).map { client in
            JSON.members([
                ("id", .text("\(client.number)")),
                ("rows", .whole(catalogue.layout.rowCount)),
                ("since", .number(client.since.duration(to: now) / .seconds(1))),
                ("offset", .number(client.scroll.viewport.offset)),
            ])
        }
        exchange.reply(200, .members([("clients", .list(clients))]))
    }

    func beginView(_ exchange: WebExchange) {
        let wish = exchange.query["client"].flatMap { Int($0) }
        guard live.count < limits.views else {
            return exchange.reply(503, [("Retry-After", "10")], "too many look\n")
        }
        if let stream = exchange.stream() { live.add(stream, wish: wish) }
    }
}
