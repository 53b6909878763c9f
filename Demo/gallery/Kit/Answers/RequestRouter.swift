internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import GalleryWeb
internal import IdleLoop
internal import ReplayText
internal import ScrollModel

/// The dispatch of requests to what answers them.
final class RequestRouter {
    private let limits: GalleryLimits
    private let listPages: ListPages
    private var catalogue: Catalogue { listPages.catalogue }
    private let pictures: PictureRequests
    private let originals: Originals
    private let clients: ClientRegistry
    private let loop: MainLoop
    /// The cached answers.
    private(set) var texts = TextCache()
    /// The request budgets of addresses.
    private(set) var budget: RateLimiter
    /// The text of all metrics.
    var metrics: (() -> String)?
    private var isEnding = false

    init(
        limits: GalleryLimits, listPages: ListPages, pictures: PictureRequests,
        originals: Originals, clients: ClientRegistry, on loop: MainLoop
    ) {
        self.limits = limits
        self.listPages = listPages
        self.pictures = pictures
        self.originals = originals
        self.clients = clients
        self.loop = loop
        budget = RateLimiter(limits)
    }

    /// Reports from now on that the program is ending.
    func beginEnd() { isEnding = true }

    /// Answers a request, now or when the answer is available; metrics don't exist for those who may
    /// not see them.
    func answer(_ exchange: WebExchange, showsMetrics: Bool) {
        let parts = exchange.path.utf8.split(separator: UInt8(ascii: "/"))
            .map { String(Substring($0)) }
        if exchange.method == .post { return change(exchange, parts) }
        switch (parts.first, parts.count) {
        case (nil, 0): answerPage(exchange)
        case ("healthz", 1): answerHealth(exchange)
        case ("metrics", 1) where showsMetrics: answerMetrics(exchange)
        case ("list", 1):
            guard let order = Self.order(exchange) else { return exchange.refuseOrder() }
            let first = exchange.query["from"].flatMap { Int($0) } ?? 0
            let name = "list \(order) \(first) \(catalogue.isComplete) \(catalogue.omissions)"
            reply(exchange, "application/json", named: name, cost: RequestCost.list) {
                listPages.list(by: order, from: first).bytes
            }
        case ("rows", 1): answerRows(exchange)
        case ("thumbnails", 2): answerPicture(exchange, parts[1], .row)
        case ("pictures", 2): answerPicture(exchange, parts[1], .view)
        case ("originals", 2):
            guard let key = PictureKey(text: parts[1]) else { return exchange.notFound() }
            originals.answer(exchange, with: key)
        case ("clients", 3) where parts[2] == "events": beginEvents(exchange, parts[1])
        default: answerFile(exchange)
        }
    }

    /// Returns the order that a request asks for; nil if there is none of its name.
    private static func order(_ exchange: WebExchange) -> ListOrder? {
        ListOrder(rawValue: exchange.query["o"] ?? ListOrder.name.rawValue)
    }

    private func change(_ exchange: WebExchange, _ parts: [String]) {
        guard parts.first == "clients" else { return exchange.notFound() }
        guard parts.count > 1 else {
            if affords(exchange, RequestCost.client) { answerNewClient(exchange) }
            return
        }
        guard parts.count == 3, let client = clients[parts[1]] else {
            return exchange.notFound()
        }
        switch parts[2] {
        case "reports": take(exchange, from: client)
        case "leave":
            clients.remove(client)
            exchange.reply(204)
        default: exchange.notFound()
        }
    }

    // MARK: - Pages

    private func answerNewClient(_ exchange: WebExchange) {
        guard let order = Self.order(exchange) else { return exchange.refuseOrder() }
        guard let client = clients.open(at: exchange.owner, by: order) else {
            return exchange.reply(503, [("Retry-After", "10")], "too many look at it\n")
        }
        // Its first report may come with it, so that its rows are made while it fetches the list.
        if exchange.query["h"] != nil { _ = client.take(exchange.query) }
        exchange.reply(
            201,
            .members([
                ("client", .text(client.id)), ("epoch", .text(listPages.epoch)),
                ("version", .whole(catalogue.version)),
            ]))
    }

    private func beginEvents(_ exchange: WebExchange, _ name: String) {
        guard let client = clients[name] else { return exchange.notFound() }
        if let stream = exchange.stream() { client.begin(stream) }
    }

    private func take(_ exchange: WebExchange, from client: Client) {
        switch client.take(exchange.query) {
        case 429: exchange.reply(429, [("Retry-After", "1")], "too many reports\n")
        case 400: exchange.reply(400, [], "that's no report\n")
        case let status: exchange.reply(status)
        }
    }

    // MARK: - List and pictures

    private func answerRows(_ exchange: WebExchange) {
        guard let order = Self.order(exchange) else { return exchange.refuseOrder() }
        if let text = exchange.query["id"] {
            guard
                let row = PictureID(text: text).flatMap({ catalogue.position(of: $0, by: order) })
            else { return exchange.notFound() }
            let version = JSON.whole(catalogue.version)
            return exchange.reply(200, .members([("version", version), ("row", .whole(row))]))
        }
        guard let first = exchange.query["from"].flatMap({ Int($0) }),
            let end = exchange.query["to"].flatMap({ Int($0) }), 0 <= first, first <= end
        else { return exchange.reply(400, [], "from, to: rows\n") }
        guard exchange.query["v"].flatMap({ Int($0) }) == catalogue.version else {
            return exchange.reply(409, [], "the list is another now\n")
        }
        let rows = (first..<end).clamped(to: 0..<catalogue.rowCount).prefix(ListPages.mostRows)
        reply(exchange, "application/json", named: "rows \(order) \(rows)", cost: RequestCost.rows)
        {
            catalogue.prefer(positions: rows, by: order)
            return listPages.rows(rows, by: order).bytes
        }
    }

    private func answerPicture(_ exchange: WebExchange, _ name: String, _ kind: ThumbnailKind) {
        guard let key = PictureKey(text: name) else { return exchange.notFound() }
        pictures.answer(exchange, with: ThumbnailKey(picture: key, size: kind))
    }

    // MARK: - Page and files

    private func answerPage(_ exchange: WebExchange) {
        let page = PlainPage(exchange.query, of: catalogue, title: listPages.title)
        reply(exchange, "text/html; charset=utf-8", named: page.name, cost: RequestCost.page) {
            Array(page.text.utf8)
        }
    }

    private func answerFile(_ exchange: WebExchange) {
        guard let file = PageFiles.files[exchange.path] else { return exchange.notFound() }
        // Browsers must ask again each time, as the program may have been updated.
        guard exchange.header("If-None-Match") != PageFiles.tag else {
            return exchange.reply(304, [("ETag", PageFiles.tag)])
        }
        exchange.reply(
            200,
            [("Content-Type", file.type), ("ETag", PageFiles.tag), ("Cache-Control", "no-cache")],
            file.bytes)
    }

    // MARK: - Health and metrics

    /// Answers 200, which shows that the loop turns.
    private func answerHealth(_ exchange: WebExchange) {
        guard !isEnding else { return exchange.reply(503, [], "it ends\n") }
        exchange.reply(200, [], "ok\n")
    }

    private func answerMetrics(_ exchange: WebExchange) {
        guard let text = metrics else { return exchange.notFound() }
        guard affords(exchange, RequestCost.metrics) else { return }
        exchange.reply(
            200, [("Content-Type", MetricsPage.contentType), ("Cache-Control", "no-store")],
            Array(text().utf8))
    }

    // MARK: - Request budgets

    /// Returns whether the sender has budget left for an answer of this cost; otherwise it is
    /// refused.
    ///
    /// A refusal is 429, sent only after a second: a client that asks again at once would be kept
    /// busy with refusals, and so would the loop.
    private func affords(_ exchange: WebExchange, _ cost: Int) -> Bool {
        guard !budget.take(cost, of: exchange.network, at: loop.clock.now) else { return true }
        // The server keeps the exchange until it is answered, or its client has left.
        loop.schedule(after: limits.refusalDelay) { [weak exchange] in
            exchange?.reply(429, [("Retry-After", "1")], "too much at once\n")
        }
        return false
    }

    /// Answers with a text that stays the same until the list changes.
    private func reply(
        _ exchange: WebExchange, _ type: String, named name: String, cost: Int,
        _ make: () -> [UInt8]
    ) {
        let kept = texts.text(named: name, version: catalogue.version)
        guard affords(exchange, kept.map(RequestCost.sending) ?? cost) else { return }
        let text = kept ?? make()
        if kept == nil { texts.keep(text, named: name, version: catalogue.version) }
        exchange.reply(200, [("Content-Type", type), ("Cache-Control", "no-store")], text)
    }
}

extension WebExchange {
    /// Refuses a request for an order that doesn't exist.
    fileprivate func refuseOrder() { reply(400, [], "o: name or date\n") }
}
