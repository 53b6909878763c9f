internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ReplayText
internal import ScrollModel

/// The streams that report live what is loaded for one page and what the loop does meanwhile.
///
/// Without streams it has no observers.
final class LiveView {
    /// The interval between messages to a view.
    static let period = Duration.milliseconds(100)

    /// A stream that reports on one page.
    private final class Watcher {
        let stream: any PageStream
        /// Whether it follows the page that reported last, rather than a chosen one.
        let followsLatest: Bool
        weak var client: Client?
        let start: Instant
        var moments = LiveMoments()
        /// The rows that were requested and have not ended.
        var asked: [ThumbnailKey: Int] = [:]

        init(_ stream: any PageStream, followsLatest: Bool, start: Instant) {
            self.stream = stream
            self.followsLatest = followsLatest
            self.start = start
        }

        /// Returns the time since the view's start.
        func time(_ moment: Instant) -> Duration { start.duration(to: moment) }
    }

    private let loop: MainLoop
    private let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    private let pictures: IdleQueue<ThumbnailKey>
    private let catalogue: Catalogue
    private let clients: ClientRegistry
    private var watchers: [Watcher] = []
    private var timer: LoopTimer?
    private var turns: Observer?

    init(
        of clients: ClientRegistry, with thumbnails: Thumbnails,
        loadedIn pictures: IdleQueue<ThumbnailKey>, on loop: MainLoop
    ) {
        self.clients = clients
        self.pictures = pictures
        self.loop = loop
        loader = thumbnails.loader
        catalogue = thumbnails.catalogue
    }

    /// The number of streams.
    var count: Int { watchers.count }
    /// Whether it observes the loader and the loop.
    var isListening: Bool { timer != nil }

    private func listen() {
        loader.onDecision = { [weak self] decision in self?.note(decision) }
        turns = loop.observeTurns { [weak self] turn in self?.note(turn) }
        timer = loop.schedule(after: Self.period, every: Self.period) { [weak self] in
            self?.sendMoments()
        }
    }

    private func endListening() {
        loader.onDecision = nil
        turns?.cancel()
        timer?.cancel()
        timer = nil
    }

    /// Ends all streams; no callback is called afterwards.
    func close() {
        endListening()
        let streams = watchers.map(\.stream)
        watchers = []
        for stream in streams {
            stream.onClose = nil
            stream.close()
        }
    }

    /// Adds a stream that follows the page with this number, or the one that reported last.
    func add(_ stream: any PageStream, number: Int? = nil) {
        if !isListening { listen() }
        let watcher = Watcher(stream, followsLatest: number == nil, start: loop.clock.now)
        watchers.append(watcher)
        stream.onClose = { [weak self, weak watcher] in
            self?.watchers.removeAll { $0 === watcher }
        }
        if let number, let client = clients.client(numbered: number) {
            sendList(watcher, of: client)
        }
    }

    private func sendMoments() {
        guard !watchers.isEmpty else { return endListening() }
        for watcher in watchers {
            let now = watcher.time(loop.clock.now)
            let text = watcher.moments.text(
                now: now, jobs: pictures.count, clients: clients.count,
                price: loader.price.secondsInView)
            watcher.moments = LiveMoments()
            watcher.stream.send("moments", text)
        }
    }

    private func sendList(_ watcher: Watcher, of client: Client) {
        watcher.client = client
        watcher.asked = [:]
        let list = JSON.members([
            ("client", .text("\(client.number)")), ("version", .whole(catalogue.version)),
            ("rows", .whole(catalogue.rowCount)),
            ("now", .seconds(watcher.time(loop.clock.now))),
        ])
        watcher.stream.send("list", list.rendered)
    }

    private func watchers(of client: Client) -> [Watcher] {
        watchers.filter { watcher in
            if watcher.followsLatest, watcher.client !== client {
                // The page may only be at rest; it is followed until it is gone.
                guard watcher.client?.isSilent != false else { return false }
                sendList(watcher, of: client)
            }
            return watcher.client === client
        }
    }

    // MARK: - Observed events

    /// Records a change of the list, after which rows have other numbers.
    func noteChange() {
        for watcher in watchers {
            if let client = watcher.client { sendList(watcher, of: client) }
        }
    }

    /// Records the position of a page's list.
    func note(_ client: Client) {
        for watcher in watchers(of: client) {
            watcher.moments.note(
                client.scroll, at: watcher.time(loop.clock.now),
                last: watcher.time(client.scroll.tracker.lastEvent ?? .zero))
        }
    }

    /// Records what is wanted for a page.
    func note(_ client: Client, _ wanted: [Wanted<ThumbnailKey>]) {
        for watcher in watchers(of: client) {
            let now = watcher.time(loop.clock.now)
            for wish in wanted where watcher.asked[wish.key] == nil {
                // Loaded pictures need no work.
                if loader.state(of: wish.key).isSettled { continue }
                guard
                    let row = catalogue.position(
                        of: wish.key.picture.id, by: client.arrangement.order)
                else {
                    continue
                }
                watcher.asked[wish.key] = row
                watcher.moments.note(.asked, row, at: now, .text("\(wish.urgency)"))
            }
            let keys = Set(wanted.map(\.key))
            let gone = watcher.asked.filter { !keys.contains($0.key) }
            for (key, row) in gone.sorted(by: { $0.value < $1.value }) {
                watcher.asked[key] = nil
                if !loader.state(of: key).isSettled { watcher.moments.note(.dropped, row, at: now) }
            }
        }
    }

    private func note(_ decision: LoadDecision<ThumbnailKey>) {
        for watcher in watchers {
            guard let row = watcher.asked[decision.key] else { continue }
            let time = watcher.time(decision.time)
            switch decision.kind {
            case .begun: watcher.moments.note(.begun, row, at: time)
            case .finished(let cost):
                watcher.asked[decision.key] = nil
                watcher.moments.note(.done, row, at: time, .milliseconds(cost))
            case .failed:
                watcher.asked[decision.key] = nil
                watcher.moments.note(.failed, row, at: time)
            default: break
            }
        }
    }

    private func note(_ turn: Turn) {
        guard let awake = turn.timeAwake, let end = turn.spans.last?.end else { return }
        for watcher in watchers {
            watcher.moments.noteTurn(awake, at: watcher.time(end))
        }
    }
}
