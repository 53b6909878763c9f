internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import GalleryWeb
internal import IdleLoop
internal import ImageLoading
internal import ReplayReport
internal import ScrollModel

/// An open page: where its list is, what is wanted for it, and the stream that tells it what is there.
///
/// Its resources are bounded: rows wanted at once, bytes of files being read, work per second, keys
/// remembered, one report waiting, and what its stream hasn't sent.
final class Client {
    /// The most rows that are wanted for a page at once; a window has a dozen.
    static let mostWanted = 64
    /// The most keys that a page is known to have; pages remember more.
    static let mostKnown = 512
    /// The most events that are looked at in one run of a job.
    static let eventsPerRun = 32

    /// The identifier that only the page is told: 128 random bits.
    let id = HexNumber.random() + HexNumber.random()
    /// The number that others may know, as in the live view.
    let number: Int
    /// The address or network whose limits it counts for.
    let address: String
    var scroll: PageScroll
    var clock = PageClock()
    var reports: TokenBucket
    private var work: TokenBucket
    /// When the page was last heard of.
    var lastHeard: Instant
    let since: Instant
    /// The events that weren't looked at yet.
    private(set) var unseen = UnseenEvents()
    private(set) var height = 0.0
    /// The recording under way.
    var recording: Recording?
    /// The name of the last recording.
    var lastTrace: String?
    /// Whether the page has missed a change, and will be told to fetch the list anew.
    var needsReload = false
    var lookTimer: LoopTimer?

    private(set) var stream: (any PageStream)?
    private var list: LoadList<ThumbnailKey, Thumbnail>?
    private var known = RecentKeys(limit: Client.mostKnown)
    /// The rows wanted last, the version of the list they're of, and whether some of them must wait.
    private var rows: [Wanted<Int>] = []
    private var rowsVersion = -1
    private(set) var isCut = false
    private var isWanting = false
    private unowned let gallery: Gallery
    /// The gallery may be on its way out when this is closed.
    private let loop: MainLoop

    init(of gallery: Gallery, number: Int, address: String, now: Instant) {
        self.gallery = gallery
        loop = gallery.loop
        self.number = number
        self.address = address
        scroll = PageScroll(gallery.catalogue.layout)
        reports = TokenBucket(burst: 120, perSecond: 60, now: now)
        work = TokenBucket(
            burst: Self.tokens(for: gallery.limits.pageWork),
            perSecond: Self.tokens(for: gallery.limits.pageWorkRate), now: now)
        lastHeard = now
        since = now
        // Each callback may release the gallery before the next is called.
        list = gallery.loader.list(named: id) { [weak self, weak gallery] key, state in
            guard let self, let gallery else { return }
            defer { withExtendedLifetime(gallery) {} }
            switch state {
            case .loaded: tellPicture(of: key)
            // What is tried again by itself has not failed yet.
            case .failed(let error, nextTry: nil): tellFailure(of: key, error)
            default: break
            }
        }
    }

    deinit {
        close()
    }

    /// Takes back all wishes, and ends the stream.
    func close() {
        list?.close()
        list = nil
        lookTimer?.cancel()
        lookTimer = nil
        let stream = stream
        self.stream = nil
        stream?.onClose = nil
        stream?.close()
    }

    /// Whether nothing was heard of it for some seconds.
    var isSilent: Bool { lastHeard.duration(to: loop.clock.now) > .seconds(5) }

    // MARK: - What the page says

    /// Takes in a report, to be looked at in one of the next lulls.
    func take(_ report: ScrollReport, at now: Instant) {
        lastHeard = now
        height = report.height
        if let last = report.events.last { clock.note(last.time, arrival: now) }
        for event in report.events {
            let moment = clock.moment(of: event.time, by: now)
            recording?.add(event.input, at: moment, height: report.height)
            // Offsets of a list as it was are places of other rows.
            if report.version == gallery.catalogue.version {
                unseen.append(event.input, at: moment)
            }
        }
        // It's kept, and leaves its place to another's.
        if recording?.isFull == true {
            gallery.endRecording(of: self)
            gallery.tellOfRecording(self)
        }
    }

    /// Looks at some of what was reported, and after the last of it, or if there's nothing, at which
    /// rows are wanted.
    ///
    /// - Returns: `again` if there is more to look at: that's a job's next run.
    func look(at now: Instant) -> JobProgress {
        let wanted: [Wanted<Int>]?
        if unseen.isEmpty {
            wanted = scroll.look(at: now, loads: Facts(client: self))
        } else {
            scroll.take(unseen.removeFirst(atMost: Self.eventsPerRun), height: height)
            guard unseen.isEmpty else { return .again }
            wanted = scroll.wanted(loads: Facts(client: self))
        }
        gallery.live.note(self)
        if let wanted {
            rows = wanted
            rowsVersion = gallery.catalogue.version
        }
        if wanted != nil || isCut { want() }
        return .done
    }

    // MARK: - What is wanted

    /// Returns the key of a row's picture; nil if there's none to load: the page has it already.
    private func key(ofRow row: Int) -> ThumbnailKey? {
        let catalogue = gallery.catalogue
        guard row < catalogue.rowCount else { return nil }
        let key = ThumbnailKey(picture: catalogue.entry(atPosition: row).key, size: .row)
        return known.contains(key) ? nil : key
    }

    /// Requests the wanted rows that the page may load now, most urgent first.
    private func want() {
        guard let list, rowsVersion == gallery.catalogue.version else { return }
        let begun = Set(list.subscriptions)
        var wishes: [Wanted<ThumbnailKey>] = []
        var there: [(key: ThumbnailKey, row: Int?)] = []
        var bytes = 0
        isCut = false
        for wish in rows where wishes.count + there.count < Self.mostWanted {
            guard let key = key(ofRow: wish.key) else { continue }
            gallery.forgetStale(key)
            if gallery.making == .handler {
                // They're made when the page asks for them.
                if wish.urgency >= .landing { there.append((key, wish.key)) }
            } else if gallery.loader.value(of: key) != nil {
                there.append((key, wish.key))
            } else if !isCut, mayHave(key, isBegun: begun.contains(key), after: &bytes) {
                wishes.append(Wanted(key, urgency: wish.urgency, rank: wish.rank))
            } else {
                isCut = true
            }
        }
        tellOfPictures(there)
        let keys = Set(wishes.map(\.key))
        for key in list.subscriptions where !keys.contains(key) { list.unsubscribe(from: key) }
        list.reconcile(with: wishes)
        gallery.live.note(self, wishes)
        // What has failed before is told at once.
        isWanting = true
        for wish in wishes { list.subscribe(to: wish.key) }
        isWanting = false
        if list.subscriptions.count < keys.count { wantMore() }
    }

    /// Returns whether one more may be loaded, beside others of so many bytes; counts one that begins.
    private func mayHave(
        _ key: ThumbnailKey, isBegun: Bool, after bytes: inout Int
    ) -> Bool {
        let size = gallery.source.byteCount?(key) ?? 0
        guard bytes == 0 || bytes + size <= gallery.limits.pageBytes else { return false }
        let cost = min(gallery.cost(of: key), gallery.limits.pageWork)
        guard isBegun || work.take(Self.tokens(for: cost), at: loop.clock.now) else {
            return false
        }
        bytes += max(1, size)
        return true
    }

    /// Returns the tokens of some work, of which each is a millisecond; what takes less is one.
    private static func tokens(for work: Duration) -> Int {
        max(1, Int((work / .milliseconds(1)).rounded(.up)))
    }

    /// Requests further rows when one has ended.
    private func wantMore() {
        guard isCut, !isWanting else { return }
        want()
        if isCut, list?.subscriptions.isEmpty == true { gallery.lookLater(at: self) }
    }

    // MARK: - What the page is told

    /// Begins the page's stream, in place of an older one.
    func begin(_ stream: any PageStream) {
        let old = self.stream
        self.stream = stream
        old?.onClose = nil
        old?.close()
        // What was said on another stream may not have arrived.
        known = RecentKeys(limit: Self.mostKnown)
        needsReload = false
        stream.onClose = { [weak self, weak stream] in
            guard let self, let stream, self.stream === stream else { return }
            self.stream = nil
            lastHeard = gallery.loop.clock.now
            gallery.forgetLater()
        }
        tell("hello", #"{"epoch":"\#(gallery.epoch)","version":\#(gallery.catalogue.version)}"#)
        gallery.lookSoon(at: self)
    }

    /// Sends an event; one that can't be sent ends the stream, and the page begins anew.
    func tell(_ event: String, _ data: String) {
        guard let stream, stream.isOpen else { return }
        stream.send(event, data)
    }

    private func tellPicture(of key: ThumbnailKey) {
        list?.unsubscribe(from: key)
        let row = gallery.catalogue.position(of: key.picture.id)
        tellOfPictures([(key, row)])
        wantMore()
    }

    /// Tells the page which pictures it may fetch, with the rows they belong to; nil for one that is
    /// gone.
    private func tellOfPictures(_ pictures: [(key: ThumbnailKey, row: Int?)]) {
        guard !pictures.isEmpty, let stream, stream.isOpen else { return }
        var items = ""
        for (key, row) in pictures {
            known.insert(key)
            guard let row else { continue }
            if !items.isEmpty { items += "," }
            items += "[\(row),\"\(key.picture.text)\"]"
        }
        guard !items.isEmpty else { return }
        tell("thumbs", #"{"v":\#(gallery.catalogue.version),"t":[\#(items)]}"#)
    }

    private func tellFailure(of key: ThumbnailKey, _ error: any Error) {
        list?.unsubscribe(from: key)
        known.insert(key)
        guard let row = gallery.catalogue.position(of: key.picture.id) else { return }
        let reason = JSON.text(PictureFailure(error).text).rendered
        tell("failed", #"{"v":\#(gallery.catalogue.version),"f":[[\#(row),\#(reason)]]}"#)
        wantMore()
    }
}

extension Client {
    /// A rule's knowledge of the pictures of a page.
    ///
    /// A picture made for another page isn't on this one yet: it costs nothing, and is wanted.
    private struct Facts: LoadFacts {
        // The page has the rule, and the rule has this.
        unowned let client: Client

        private var loader: DeferredLoader<ThumbnailKey, Thumbnail> { client.gallery.loader }

        func progress(ofRow row: Int) -> LoadProgress {
            guard let key = client.key(ofRow: row) else { return .settled }
            let progress = loader.progress(of: key)
            return progress == .settled ? .fetched : progress
        }

        func costHint(ofRow row: Int) -> Duration? {
            missingKey(ofRow: row).map { loader.costHint(of: $0) } ?? .zero
        }

        func fetchHint(ofRow row: Int) -> Duration? {
            missingKey(ofRow: row).map { loader.fetchHint(of: $0) } ?? .zero
        }

        /// Returns the key of a row's picture; nil if that is made.
        private func missingKey(ofRow row: Int) -> ThumbnailKey? {
            client.key(ofRow: row).flatMap { loader.progress(of: $0) == .settled ? nil : $0 }
        }

        var usualCost: Duration? { loader.usualCost?.mean }
        var usualFetch: Duration? { loader.usualFetch?.mean }
        var fetches: Int { loader.fetches }
    }
}
