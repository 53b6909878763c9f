internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import GalleryWeb
internal import IdleLoop
internal import ReplayReport
internal import ScrollModel

/// Shows, as it happens, what is loaded for one page and what the loop does meanwhile.
///
/// It's there while somebody looks, and costs nothing else.
final class LiveView {
    /// How often a view is told.
    static let period = Duration.milliseconds(100)

    /// One who looks: at a page, or at the one that reported last.
    final class Watcher {
        let stream: any PageStream
        /// The page that is looked at, by the name it has here.
        let wish: Int?
        var client: Int?
        let start: Instant
        var moments = LiveMoments()
        /// The rows that were asked for and have not ended.
        var asked: [ThumbnailKey: Int] = [:]

        init(_ stream: any PageStream, wish: Int?, start: Instant) {
            self.stream = stream
            self.wish = wish
            self.start = start
        }
    }

    // Not the gallery: what is told may let go of it.
    private let loop: MainLoop
    private let loader: DeferredLoader<ThumbnailKey, Thumbnail>
    private let pictures: IdleQueue<ThumbnailKey>
    private let catalogue: Catalogue
    private let clients: ClientBook
    /// Told when nobody looks any more.
    private let onEmpty: () -> Void
    private var watchers: [Watcher] = []
    private var timer: LoopTimer?

    init(of gallery: Gallery) {
        loop = gallery.loop
        loader = gallery.loader
        pictures = gallery.pictures
        catalogue = gallery.catalogue
        clients = gallery.clients
        onEmpty = { [weak gallery] in gallery?.endViewSoon() }
        loader.onDecision = { [weak self] decision in self?.note(decision) }
        loop.listenToTurns(for: self) { [weak self] turn in self?.note(turn) }
    }

    var count: Int { watchers.count }

    /// Nobody looks any more.
    func close() {
        loader.onDecision = nil
        loop.listenToTurns(for: self, nil)
        timer?.cancel()
        timer = nil
        let streams = watchers.map(\.stream)
        watchers = []
        for stream in streams {
            stream.onClose = nil
            stream.close()
        }
    }

    /// One more looks.
    func add(_ stream: any PageStream, wish: Int?) {
        let watcher = Watcher(stream, wish: wish, start: loop.clock.now)
        watchers.append(watcher)
        stream.onClose = { [weak self, weak watcher] in
            guard let self, let watcher else { return }
            watchers.removeAll { $0 === watcher }
            // Not from inside itself.
            if watchers.isEmpty { onEmpty() }
        }
        if let wish, let client = clients.client(numbered: wish) {
            tellList(watcher, of: client)
        }
        if timer == nil { tellLater() }
    }

    private func tellLater() {
        timer = loop.schedule(after: Self.period) { [weak self] in self?.tell() }
    }

    private func tell() {
        timer = nil
        for watcher in watchers {
            let now = watcher.time(loop.clock.now)
            watcher.moments.queue.append((now, Double(pictures.count)))
            let text = watcher.moments.text(now: now, clients: clients.count)
            watcher.moments = LiveMoments()
            watcher.stream.send("moments", text)
        }
        if !watchers.isEmpty { tellLater() }
    }

    private func tellList(_ watcher: Watcher, of client: Client) {
        watcher.client = client.number
        watcher.asked = [:]
        let list = JSON.members([
            ("client", .text("\(client.number)")), ("version", .whole(catalogue.version)),
            ("rows", .whole(catalogue.layout.rowCount)),
            ("now", LiveMoments.number(watcher.time(loop.clock.now))),
        ])
        watcher.stream.send("list", list.rendered)
    }

    private func watchers(of client: Client) -> [Watcher] {
        watchers.filter { watcher in
            if watcher.wish == nil, watcher.client != client.number {
                // The one that was looked at may only be resting; it stays until it's gone.
                guard self.client(of: watcher)?.isSilent != false else { return false }
                tellList(watcher, of: client)
            }
            return watcher.client == client.number
        }
    }

    private func client(of watcher: Watcher) -> Client? {
        watcher.client.flatMap { clients.client(numbered: $0) }
    }

    // MARK: - What happens

    /// The list has changed: rows have other numbers.
    func noteChange() {
        for watcher in watchers {
            guard let client = self.client(of: watcher) else { continue }
            tellList(watcher, of: client)
        }
    }

    /// A page's list was looked at.
    func note(_ client: Client) {
        for watcher in watchers(of: client) {
            watcher.moments.note(
                client.scroll, at: watcher.time(loop.clock.now),
                last: watcher.time(client.scroll.lastEvent))
        }
    }

    /// A page's list has said what it wants.
    func note(_ client: Client, _ wanted: [Wanted<ThumbnailKey>]) {
        for watcher in watchers(of: client) {
            let now = watcher.time(loop.clock.now)
            for wish in wanted where watcher.asked[wish.key] == nil {
                // What is there already isn't made.
                if loader.state(of: wish.key).isSettled { continue }
                guard let row = catalogue.position(of: wish.key.picture.id) else {
                    continue
                }
                watcher.asked[wish.key] = row
                watcher.moments.asked.append((row, now, "\(wish.urgency)"))
            }
            let keys = Set(wanted.map(\.key))
            let gone = watcher.asked.filter { !keys.contains($0.key) }
            for (key, row) in gone.sorted(by: { $0.value < $1.value }) {
                watcher.asked[key] = nil
                if !loader.state(of: key).isSettled { watcher.moments.dropped.append((row, now)) }
            }
        }
    }

    private func note(_ decision: LoadDecision<ThumbnailKey>) {
        for watcher in watchers {
            guard let row = watcher.asked[decision.key] else { continue }
            let time = watcher.time(decision.time)
            switch decision.kind {
            case .begun: watcher.moments.begun.append((row, time))
            case .finished(let cost):
                watcher.asked[decision.key] = nil
                watcher.moments.done.append((row, time, cost / .milliseconds(1)))
            case .failed:
                watcher.asked[decision.key] = nil
                watcher.moments.failed.append((row, time))
            default: break
            }
        }
    }

    private func note(_ turn: Turn) {
        guard let awake = turn.timeAwake, let end = turn.spans.last?.end else { return }
        for watcher in watchers {
            watcher.moments.noteTurn(awake / .milliseconds(1), at: watcher.time(end))
        }
    }
}

extension LiveView.Watcher {
    /// The seconds since it began to look.
    func time(_ moment: Instant) -> Double {
        Double(start.duration(to: moment).wholeNanoseconds) / 1e9
    }
}
