internal import GalleryCatalogue
internal import GalleryWeb
internal import IdleLoop

// What answers cost.
extension Gallery {
    /// Whether whoever asks has budget left for an answer of this cost.
    ///
    /// If not it's told 429, and only after a second: who asks again at once would be kept busy with
    /// refusals, and so would the loop.
    func affords(_ exchange: WebExchange, _ cost: Int) -> Bool {
        guard !budget.take(cost, of: exchange.network, at: loop.clock.now) else { return true }
        // The server has it until it's answered, or its client has left.
        loop.schedule(after: limits.refusalDelay) { [weak exchange] in
            exchange?.reply(429, [("Retry-After", "1")], "too much at once\n")
        }
        return false
    }

    /// Answers with a text that stays the same until the list is another.
    func reply(
        _ exchange: WebExchange, _ type: String, named name: String, cost: Int,
        _ make: () -> [UInt8]
    ) {
        let kept = texts.text(named: name, version: catalogue.version)
        guard affords(exchange, kept.map(RequestCost.sending) ?? cost) else { return }
        let text = kept ?? make()
        if kept == nil {
            madeTexts += 1
            texts.keep(text, named: name, version: catalogue.version)
        }
        exchange.reply(200, [("Content-Type", type), ("Cache-Control", "no-store")], text)
    }
}
