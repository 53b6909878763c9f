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
        guard (live?.count ?? 0) < limits.views else {
            return exchange.reply(503, [("Retry-After", "10")], "too many look\n")
        }
        if let stream = exchange.stream() { answerView(with: stream, wish: wish) }
    }

    /// Adds a stream that is told of a page, or of the one that reported last.
    func answerView(with stream: any PageStream, wish: Int? = nil) {
        let view = live ?? LiveView(of: self)
        live = view
        view.add(stream, wish: wish)
    }

    /// Ends the view when nobody looks any more.
    func endViewSoon() {
        loop.schedule(after: .zero) { [weak self] in
            guard let self, live?.count == 0 else { return }
            live?.close()
            live = nil
        }
    }
}
