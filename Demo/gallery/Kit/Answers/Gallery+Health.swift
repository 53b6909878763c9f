internal import GalleryMetrics
internal import GalleryWeb

// How it is.
extension Gallery {
    /// Well as long as it can say so: a loop that doesn't turn doesn't answer.
    func answerHealth(_ exchange: WebExchange) {
        guard !isEnding else { return exchange.reply(503, [], "it ends\n") }
        exchange.reply(200, [], "ok\n")
    }

    func answerMetrics(_ exchange: WebExchange) {
        guard let counters else { return exchange.notFound() }
        guard affords(exchange, RequestCost.metrics) else { return }
        counters.tell(of: self)
        exchange.reply(
            200, [("Content-Type", PrometheusMetrics.contentType), ("Cache-Control", "no-store")],
            Array(counters.metrics.text().utf8))
    }
}
