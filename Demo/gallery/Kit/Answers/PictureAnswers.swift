internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import GalleryWeb
internal import IdleLoop

/// Requests for pictures: answered with what is there, or kept until it's made.
///
/// They are a list of the loader's beside those of the pages, so that a browser that asks for much
/// doesn't keep what others see waiting.
final class PictureAnswers {
    /// What may be kept for as long as there's room: a key names one state of a file.
    private static let immutable = ("Cache-Control", "private, max-age=31536000, immutable")

    private final class Waiting {
        let cell: Int
        var exchanges: [WebExchange] = []

        init(cell: Int) {
            self.cell = cell
        }
    }

    private unowned let gallery: Gallery
    private var list: LoadList<ThumbnailKey, Thumbnail>?
    private var waiting: [ThumbnailKey: Waiting] = [:]
    private var counts: [String: Int] = [:]
    private var lastCell = 0

    /// How many requests wait.
    private(set) var count = 0

    init(of gallery: Gallery) {
        self.gallery = gallery
        list = gallery.loader.list(named: "requests", weight: 4) { [weak self] commit in
            if commit.isFinal { self?.answer(commit.key, with: commit.value) }
        }
        list?.onProgress = { [weak self] progress in
            guard case .failed(let error, nil) = progress.state else { return }
            self?.refuse(progress.key, error)
        }
    }

    /// Answers who still waits that there will be no picture, and whoever asks from now on.
    func close() {
        list?.close()
        list = nil
        let exchanges = waiting.values.flatMap(\.exchanges)
        waiting = [:]
        for exchange in exchanges {
            exchange.onEnd = nil
            uncount(exchange)
            Self.sayEnding(exchange)
        }
    }

    private static func sayEnding(_ exchange: WebExchange) {
        exchange.reply(503, [("Retry-After", "1")], "the server ends\n")
    }

    /// Answers a request for a picture, now or when it's made.
    func answer(_ exchange: WebExchange, with key: ThumbnailKey) {
        switch gallery.loader.state(of: key) {
        case .loaded(let thumbnail): return answer(exchange, key, with: thumbnail)
        case .failed(let error, nil): return Self.refuse(exchange, error)
        default: break
        }
        guard gallery.catalogue.entry(of: key.picture.id)?.key == key.picture else {
            return exchange.reply(404, [], "there is no such picture\n")
        }
        if gallery.making == .handler { return make(exchange, key) }
        // What isn't being made already won't be.
        guard gallery.pictures.isAccepting || waiting[key] != nil else {
            return Self.sayEnding(exchange)
        }
        let address = exchange.address
        guard count < gallery.limits.waiting,
            address == "unix" || counts[address, default: 0] < gallery.limits.waitingPerAddress
        else { return exchange.reply(503, [("Retry-After", "1")], "too many wait\n") }
        keep(exchange, for: key)
    }

    /// Makes a picture at once, while everybody else waits.
    private func make(_ exchange: WebExchange, _ key: ThumbnailKey) {
        do {
            let thumbnail = try gallery.source.thumbnail(key)
            gallery.loader.settle(key, .success(thumbnail))
            answer(exchange, key, with: thumbnail)
        } catch {
            Self.refuse(exchange, error)
        }
    }

    private func keep(_ exchange: WebExchange, for key: ThumbnailKey) {
        count += 1
        counts[exchange.address, default: 0] += 1
        exchange.onEnd = { [weak self, unowned exchange] in self?.forget(exchange, key) }
        if let waiting = waiting[key] { return waiting.exchanges.append(exchange) }
        lastCell += 1
        let new = Waiting(cell: lastCell)
        new.exchanges = [exchange]
        waiting[key] = new
        reconcile()
        list?.bind(cell: new.cell, to: key)
    }

    private func answer(_ key: ThumbnailKey, with thumbnail: Thumbnail) {
        for exchange in end(key) { answer(exchange, key, with: thumbnail) }
    }

    private func refuse(_ key: ThumbnailKey, _ error: any Error) {
        for exchange in end(key) { Self.refuse(exchange, error) }
    }

    /// Takes a key's requests out, and gives them.
    private func end(_ key: ThumbnailKey) -> [WebExchange] {
        guard let waiting = waiting.removeValue(forKey: key) else { return [] }
        list?.unbind(cell: waiting.cell)
        reconcile()
        for exchange in waiting.exchanges {
            exchange.onEnd = nil
            uncount(exchange)
        }
        return waiting.exchanges
    }

    /// A request is over before it was answered.
    private func forget(_ exchange: WebExchange, _ key: ThumbnailKey) {
        guard let waiting = waiting[key],
            let place = waiting.exchanges.firstIndex(where: { $0 === exchange })
        else { return }
        waiting.exchanges.remove(at: place)
        uncount(exchange)
        guard waiting.exchanges.isEmpty else { return }
        self.waiting[key] = nil
        list?.unbind(cell: waiting.cell)
        reconcile()
    }

    private func uncount(_ exchange: WebExchange) {
        count -= 1
        let left = counts[exchange.address, default: 0] - 1
        counts[exchange.address] = left > 0 ? left : nil
    }

    private func reconcile() {
        let wanted = waiting.sorted { $0.value.cell < $1.value.cell }
        list?.reconcile(
            with: wanted.map { Wanted($0.key, urgency: .visible, rank: $0.value.cell) })
    }

    private func answer(
        _ exchange: WebExchange, _ key: ThumbnailKey, with thumbnail: Thumbnail
    ) {
        gallery.waste.fetched(key)
        exchange.reply(200, [("Content-Type", thumbnail.type), Self.immutable], thumbnail.bytes)
    }

    private static func refuse(_ exchange: WebExchange, _ error: any Error) {
        let failure = PictureFailure(error)
        let wait = failure.status == 503 ? [("Retry-After", "2")] : []
        exchange.reply(failure.status, wait, failure.text + "\n")
    }
}
