internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading

/// Requests for pictures, answered at once or when the picture has been made.
///
/// They are one of the loader's lists, beside those of the pages, so that a browser with many
/// requests doesn't delay the pictures of others. Among themselves, addresses take turns by the
/// cost of their requests. Of large views, and of rows' pictures that take long, fewer are made at
/// once than there are workers and processors, so that one is free for other requests.
final class PictureRequests {
    /// The interval of the search for clients that have left.
    static let patience = Duration.milliseconds(250)

    private struct Waiting {
        /// The number of its first request among all.
        let number: Int
        /// The expected cost of making it, and whether it occupies a worker for long.
        let cost: Duration
        let isLong: Bool
        var requests: [any PictureExchange]
        /// Whether it is being made for this list.
        var isBegun = false

        /// Whether nobody waits for it yet.
        var isAhead: Bool { requests.allSatisfy(\.isAhead) }

        /// The addresses that wait for it.
        var addresses: Set<String> { Set(requests.map(\.owner)) }
    }

    private let thumbnails: Thumbnails
    /// The queue of loads.
    private let pictures: IdleQueue<ThumbnailKey>
    private let limits: GalleryLimits
    private var list: LoadList<ThumbnailKey, Thumbnail>?
    private var waiting: [ThumbnailKey: Waiting] = [:]
    private var turns = FairQueue()
    private var lastNumber = 0
    private let mostLong: Int
    private var timer: LoopTimer?
    private let loop: MainLoop
    /// The callback for a request that waits for its picture.
    var onWait: ((PictureID) -> Void)?

    /// The number of waiting requests.
    var count: Int { waiting.values.reduce(0) { $0 + $1.requests.count } }

    /// The number of waiting requests of each address.
    private var counts: [String: Int] {
        let addresses = waiting.values.flatMap { $0.requests.map(\.owner) }
        return Dictionary(addresses.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Creates the requests for these thumbnails, loaded in `pictures`, of which at most `mostLong`
    /// that take long are made at once.
    init(
        with thumbnails: Thumbnails, loadedIn pictures: IdleQueue<ThumbnailKey>,
        limits: GalleryLimits, mostLong: Int, on loop: MainLoop
    ) {
        self.thumbnails = thumbnails
        self.pictures = pictures
        self.limits = limits
        self.loop = loop
        self.mostLong = max(1, mostLong)
        list = thumbnails.loader.list(named: "requests", weight: 4) { [weak self] key, state in
            guard let self else { return }
            switch state {
            case .loaded(let thumbnail):
                for request in end(key) { answer(request, key, with: thumbnail) }
            case .failed(let error, nextTry: nil):
                for request in end(key) { Self.refuse(request, error) }
            default: break
            }
        }
    }

    /// Refuses all requests, including future ones.
    func close() {
        list?.close()
        list = nil
        onWait = nil
        timer?.cancel()
        timer = nil
        let requests = waiting.values.flatMap(\.requests)
        waiting = [:]
        for request in requests {
            request.onEnd = nil
            Self.refuseForNow(request, "the server ends\n")
        }
    }

    private static func refuseForNow(
        _ request: any PictureExchange, _ reason: String = "too many wait\n"
    ) {
        request.reply(503, [("Retry-After", "1")], reason)
    }

    /// Answers a request for a picture, now or when it is made.
    func answer(_ request: any PictureExchange, with key: ThumbnailKey) {
        switch thumbnails.loader.state(of: key) {
        case .loaded(let thumbnail): return answer(request, key, with: thumbnail)
        case .failed(let error, nil): return Self.refuse(request, error)
        default: break
        }
        guard thumbnails.catalogue.entry(of: key.picture.id)?.key == key.picture else {
            return request.reply(404, [], "there is no such picture\n")
        }
        if thumbnails.making == .handler { return make(request, key) }
        // Nothing else is accepted, so only pictures that are already being made will be finished.
        guard pictures.isAccepting || waiting[key] != nil else {
            return Self.refuseForNow(request, "the server ends\n")
        }
        guard hasRoom(for: request.owner) else { return Self.refuseForNow(request) }
        keep(request, for: key)
    }

    /// Makes a picture synchronously, while all others wait.
    private func make(_ request: any PictureExchange, _ key: ThumbnailKey) {
        do {
            let thumbnail = try thumbnails.source.value(of: key)
            thumbnails.loader.settle(key, .success(thumbnail))
            answer(request, key, with: thumbnail)
        } catch {
            Self.refuse(request, error)
        }
    }

    // MARK: - Departed clients

    /// Schedules the next search for clients that have left.
    private func searchLater() {
        guard timer == nil, count > 0 else { return }
        timer = loop.schedule(after: Self.patience) { [weak self] in
            guard let self else { return }
            timer = nil
            forgetDeparted()
            searchLater()
        }
    }

    /// Removes the requests of clients that have left; O(n log n).
    private func forgetDeparted() {
        for (key, waiting) in inTurn {
            // Nobody reads the answer, but it ends the connection.
            for request in waiting.requests where request.hasLeft { drop(request, key) }
        }
    }

    // MARK: - Waiting

    /// Returns whether another request of an address may wait; if all places are taken, the address
    /// with most of them loses one.
    private func hasRoom(for address: String) -> Bool {
        let counts = counts
        let own = counts[address, default: 0]
        guard address == "unix" || own < limits.waitingPerAddress else { return false }
        guard counts.values.reduce(0, +) >= limits.waiting else { return true }
        guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
            most.value > own + 1, let newest = newest(of: most.key)
        else { return false }
        drop(newest.request, newest.key)
        return true
    }

    private func drop(_ request: any PictureExchange, _ key: ThumbnailKey) {
        request.onEnd = nil
        forget(request, key)
        Self.refuseForNow(request)
    }

    /// Returns the newest request of an address; O(requests).
    private func newest(
        of address: String
    ) -> (key: ThumbnailKey, request: any PictureExchange)? {
        let own = waiting.filter { $0.value.requests.contains { $0.owner == address } }
        guard let (key, waiting) = own.max(by: { $0.value.number < $1.value.number }),
            let request = waiting.requests.last(where: { $0.owner == address })
        else { return nil }
        return (key, request)
    }

    private func keep(_ request: any PictureExchange, for key: ThumbnailKey) {
        request.onEnd = { [weak self, weak request] in
            if let request { self?.forget(request, key) }
        }
        defer { searchLater() }
        onWait?(key.picture.id)
        if waiting[key]?.requests.append(request) != nil { return reconcile() }
        lastNumber += 1
        let (cost, isLarge) = (thumbnails.cost(of: key), key.size == .view)
        waiting[key] = Waiting(
            number: lastNumber, cost: cost, isLong: isLarge || cost > limits.longPicture,
            requests: [request])
        reconcile()
        list?.subscribe(to: key)
    }

    /// Removes a key's requests, and returns them.
    private func end(_ key: ThumbnailKey) -> [any PictureExchange] {
        guard let ended = waiting[key] else { return [] }
        remove(key, ended)
        for request in ended.requests { request.onEnd = nil }
        return ended.requests
    }

    /// Removes a request that ended before it was answered.
    private func forget(_ request: any PictureExchange, _ key: ThumbnailKey) {
        guard let left = waiting[key],
            let place = left.requests.firstIndex(where: { $0 === request })
        else { return }
        guard left.requests.count == 1, !(left.isBegun && left.isLong) else {
            // A worker finishes its task, so its place isn't free until then.
            if left.requests.count == 1 {
                turns.charge(left.cost, to: request.owner)
            }
            waiting[key]?.requests.remove(at: place)
            return reconcile()
        }
        remove(key, left)
    }

    private func remove(_ key: ThumbnailKey, _ ended: Waiting) {
        waiting[key] = nil
        list?.unsubscribe(from: key)
        let addresses = ended.addresses
        if ended.isBegun {
            for address in addresses.sorted() {  // each charge advances the order for the next
                turns.charge(ended.cost / addresses.count, to: address)
            }
        }
        if waiting.isEmpty { turns.reset() }
        reconcile()
    }

    /// Subscribes to the next pictures: all that are made quickly, and some of those that take
    /// long.
    ///
    /// O(n log n) in the number of waiting requests, which is a few hundred at most.
    private func reconcile() {
        // A row's picture doesn't wait for large views.
        var places: [ThumbnailKind: Int] = [:]
        for (key, waiting) in waiting where waiting.isBegun && waiting.isLong {
            places[key.size, default: mostLong] -= 1
        }
        var wishes: [Wanted<ThumbnailKey>] = []
        for (key, waiting) in inTurn {
            if !waiting.isBegun, waiting.isLong {
                guard places[key.size, default: mostLong] > 0 else { continue }
                places[key.size, default: mostLong] -= 1
            }
            self.waiting[key]?.isBegun = true
            let urgency: Urgency = waiting.isAhead ? .speculative : .visible
            wishes.append(Wanted(key, urgency: urgency, rank: wishes.count))
        }
        list?.reconcile(with: wishes)
    }

    /// The waiting pictures in the order of their addresses' turns, and after them those that nobody
    /// waits for yet or any more.
    private var inTurn: [(key: ThumbnailKey, waiting: Waiting)] {
        var ends: [String: Int64] = [:]
        var all: [(order: (Int, Int64, Int), key: ThumbnailKey, waiting: Waiting)] = []
        let inOrder = waiting.map { (order: ($1.isAhead ? 1 : 0, $1.number), key: $0, waiting: $1) }
        for (order, key, waiting) in inOrder.sorted(by: { $0.order < $1.order }) {
            var first = Int64.max
            for address in waiting.addresses {
                let end = turns.end(of: waiting.cost, for: address, after: ends[address])
                ends[address] = end
                first = min(first, end)
            }
            all.append(((order.0, first, order.1), key, waiting))
        }
        return all.sorted { $0.order < $1.order }.map { ($0.key, $0.waiting) }
    }

    // MARK: - Answers

    private func answer(
        _ request: any PictureExchange, _ key: ThumbnailKey, with thumbnail: Thumbnail
    ) {
        thumbnails.noteFetched(key)
        // A key identifies one version of a file, which never changes.
        let caching = ("Cache-Control", "private, max-age=31536000, immutable")
        let damage = thumbnail.damage.map { [("Picture-Damage", $0.summary)] } ?? []
        request.reply(
            200, [("Content-Type", thumbnail.type), caching] + damage, thumbnail.bytes)
    }

    private static func refuse(_ request: any PictureExchange, _ error: any Error) {
        let failure = PictureFailure(error)
        let wait = failure.status == 503 ? [("Retry-After", "2")] : []
        request.reply(failure.status, wait, failure.text + "\n")
    }
}
