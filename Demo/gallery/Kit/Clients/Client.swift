internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryPictures
internal import IdleLoop
internal import ImageLoading
internal import ReplayText
internal import ScrollModel

/// An open page: the position of its list, the rows wanted for it, and the stream of events to it.
///
/// Its resources are bounded: rows wanted at once, bytes of files being read, work per second,
/// remembered keys, one waiting report, and unsent bytes of its stream.
final class Client {
    /// The maximum number of rows that are wanted for a page at once; a wide window has some dozens.
    static let mostWanted = 128
    /// The maximum number of keys that a page is known to have; pages remember more.
    static let mostKnown = 1024
    /// The maximum number of events that are handled in one run of a job.
    static let eventsPerRun = 32
    /// The time for which a row must be blank for its preview to be sent.
    static let leastBlank = Duration.milliseconds(100)
    /// The bytes of previews in an event.
    static let mostPreviewBytes = 16 << 10

    /// The secret identifier, which only the page knows: 128 random bits.
    let id = HexNumber.random() + HexNumber.random()
    /// The number of the page, in the order of opening.
    let number: Int
    /// The address or network whose limits apply.
    let address: String
    private(set) var scroll: PageScroll
    private var clock = PageClock()
    private var reports: TokenBucket
    private var work: TokenBucket
    /// The tokens that were taken for loads in progress.
    private var charges: [ThumbnailKey: Int] = [:]
    /// The time of the last message from the page.
    private(set) var lastHeard: Instant
    /// The order of the page's list, and its flow in lines.
    private(set) var arrangement: ListArrangement
    /// The page's next flow, whose lines have yet to be made; its events wait for them.
    private var nextFlow: ListArrangement.Flow?
    /// The order of the page's list.
    private var order: ListOrder { arrangement.order }
    /// The arrangements whose lines it needs.
    var arrangements: [ListArrangement] {
        [arrangement] + (nextFlow.map { [ListArrangement(order, flow: $0)] } ?? [])
    }
    /// The events that weren't handled yet.
    private(set) var unseen = UnseenEvents()
    private(set) var height = 0.0
    /// The time from the end of a load until the page shows its picture.
    private(set) var delivery = Duration.zero
    /// The time since the last event that was handled: the list has moved on meanwhile.
    private var age = Duration.zero
    /// The throughput of the link to the page; zero if unknown.
    private var bytesPerSecond = 0.0
    /// Whether the page has missed a change and must be told to fetch the list anew.
    private(set) var needsReload = false
    private var handleTimer: LoopTimer?

    private(set) var stream: (any PageStream)?
    private var list: LoadList<ThumbnailKey, Thumbnail>?
    private var known = RecentValues<ThumbnailKey, Void>(limit: Client.mostKnown)
    /// The load states of the page's pictures, for the rule.
    private lazy var facts: any LoadStatus = thumbnails.loader.facts(
        on: RemoteDisplay(
            has: { [unowned self] in known[$0] != nil },
            delivery: { [unowned self] in age + delivery },
            transfer: { [unowned self] in transfer })
    ) { [unowned self] in key(ofRow: $0) }
    /// The rows wanted last, the version of the list they're of, and whether some of them must wait.
    private var rows: [Wanted<Int>] = []
    private var rowsVersion = -1
    private var isCut = false
    /// The number of loads that were requested at once last.
    private var requestedCount = 0
    private var isWanting = false
    /// Whether the page knows the header of previews.
    private var hasPreviewHead = false
    private let epoch: String
    private let thumbnails: Thumbnails
    private let catalogue: Catalogue
    private let limits: GalleryLimits
    /// The queue of pages whose reports are to be handled.
    private let reportQueue: IdleQueue<String>
    private let loop: MainLoop
    /// Returns whether there is room for the lines of an arrangement.
    var mayArrange: ((ListArrangement) -> Bool)?
    /// The callback for the end of the stream.
    var onStreamEnd: (() -> Void)?

    init(
        _ number: Int, at address: String, by order: ListOrder, epoch: String,
        showing thumbnails: Thumbnails, limits: GalleryLimits, reportQueue: IdleQueue<String>,
        on loop: MainLoop
    ) {
        self.number = number
        self.address = address
        self.epoch = epoch
        self.thumbnails = thumbnails
        catalogue = thumbnails.catalogue
        self.limits = limits
        self.reportQueue = reportQueue
        self.loop = loop
        arrangement = ListArrangement(order)
        scroll = PageScroll(thumbnails.catalogue.lines(of: arrangement))
        let now = loop.clock.now
        reports = TokenBucket(burst: 120, perSecond: 60, now: now)
        work = TokenBucket(
            burst: Self.tokens(for: limits.pageWork),
            perSecond: Self.tokens(for: limits.pageWorkRate), now: now)
        lastHeard = now
        list = thumbnails.loader.list(named: id) { [weak self] key, state in
            guard let self else { return }
            switch state {
            case .loaded: sendPicture(of: key)
            // A load that is retried automatically has not failed yet.
            case .failed(let error, nextTry: nil): sendFailure(of: key, error)
            default: break
            }
        }
    }

    deinit {
        close()
    }

    /// Removes all subscriptions, and ends the stream.
    func close() {
        list?.close()
        list = nil
        handleTimer?.cancel()
        handleTimer = nil
        let stream = stream
        self.stream = nil
        stream?.onClose = nil
        stream?.close()
    }

    /// The time for which a row's picture occupies the link to the page.
    var transfer: Duration {
        guard bytesPerSecond > 0 else { return .zero }
        let most = ScrollReport.mostDelivery / 1000
        return .seconds(min(most, thumbnails.usualBytes / bytesPerSecond))
    }

    /// The number of reports that a change of the flow counts for.
    static let arrangementCost = 10

    // MARK: - Reports

    /// Handles the query of a report; returns the status of the answer.
    func take(_ query: [String: String]) -> Int {
        let now = loop.clock.now
        guard reports.take(at: now) else { return 429 }
        guard let report = ScrollReport(query) else { return 400 }
        if report.flow != nextFlow ?? arrangement.flow {
            let next = ListArrangement(order, flow: report.flow)
            guard mayArrange?(next) ?? true, reports.take(Self.arrangementCost, at: now) else {
                return 429
            }
            arrange(report.flow)
        }
        take(report, at: now)
        handleSoon()
        return 204
    }

    /// Accepts a report, which is handled in one of the next lulls.
    private func take(_ report: ScrollReport, at now: Instant) {
        lastHeard = now
        height = report.height
        delivery = report.delivery
        bytesPerSecond = report.bytesPerSecond
        if let last = report.events.last { clock.note(last.time, arrival: now) }
        for event in report.events {
            let moment = clock.moment(of: event.time, by: now)
            // Offsets in an older version of the list belong to other rows.
            if report.version == catalogue.version {
                unseen.append(event.input, at: moment)
            }
        }
    }

    /// Shows the pictures in another flow, as soon as its lines are made.
    private func arrange(_ flow: ListArrangement.Flow) {
        // Offsets in other lines belong to other rows.
        unseen = UnseenEvents()
        nextFlow = flow
        noteArranged()
        if nextFlow == nil {
            catalogue.releaseArrangements()
        } else {
            catalogue.arrange(ListArrangement(order, flow: flow))
        }
    }

    /// Takes the lines that it waits for, if they are available.
    func noteArranged() {
        guard let nextFlow,
            let list = catalogue.layout(ListArrangement(order, flow: nextFlow))
        else { return }
        arrangement.flow = nextFlow
        self.nextFlow = nil
        scroll.replace(list, at: loop.clock.now)
        rowsVersion = -1
        handleSoon()
    }

    /// Schedules the handling of the reports in a lull.
    func handleSoon() {
        reportQueue.submit(id, priority: .highest) { [weak self] slot in
            guard let self, list != nil, nextFlow == nil else { return .skipped }
            let progress = handle(at: slot.now)
            if case .done = progress { handleLater() }
            return progress
        }
    }

    /// Schedules the handling of a silent page: when its motion changes phase, when it has rested
    /// for long, or soon if it may not have all that it wants yet.
    private func handleLater() {
        guard list != nil else { return }
        handleTimer?.cancel()
        let now = loop.clock.now
        let cut = isCut ? now.advanced(by: .milliseconds(250)) : nil
        let next = scroll.tracker.nextCheck(after: now, at: now)
        handleTimer = [next, cut].compactMap(\.self).min().map {
            loop.schedule(at: $0) { [weak self] in self?.handleSoon() }
        }
    }

    /// Handles some of the reported events, and after the last of them, or if there are none,
    /// updates the wanted rows.
    ///
    /// - Returns: `again` if events are left for the job's next run.
    private func handle(at now: Instant) -> JobProgress {
        let wanted: [Wanted<Int>]?
        if unseen.isEmpty {
            age = .zero
            scroll.take([], height: height)
            wanted = scroll.noteSilence(at: now, loads: facts)
        } else {
            let events = unseen.removeFirst(atMost: Self.eventsPerRun)
            scroll.take(events, height: height)
            guard unseen.isEmpty else { return .again }
            age = events.last.map { max(.zero, now - $0.moment) } ?? .zero
            wanted = scroll.wanted(loads: facts)
        }
        if let wanted {
            rows = wanted
            rowsVersion = catalogue.version
        }
        if wanted != nil || isCut { want() }
        return .done
    }

    // MARK: - Wanted rows

    /// Returns the key of a row's picture; nil if there is none any more.
    private func key(ofRow row: Int) -> ThumbnailKey? {
        catalogue.key(atPosition: row, by: order).map { ThumbnailKey(picture: $0, size: .row) }
    }

    /// Requests the wanted rows that the page may load now, most urgent first.
    private func want() {
        guard let list, rowsVersion == catalogue.version else { return }
        let subscribed = list.subscriptions
        let begun = Set(subscribed)
        var wishes: [Wanted<ThumbnailKey>] = []
        var there: [(key: ThumbnailKey, row: Int?)] = []
        var bytes = 0
        isCut = false
        for wish in rows {
            guard let key = key(ofRow: wish.key), known[key] == nil else { continue }
            guard wishes.count + there.count < Self.mostWanted else {
                isCut = true
                break
            }
            if thumbnails.making == .handler {
                // They are made when the page requests them.
                if wish.urgency >= .landing { there.append((key, wish.key)) }
            } else if thumbnails.loader.value(of: key) != nil {
                there.append((key, wish.key))
            } else if !isCut, mayHave(key, isBegun: begun.contains(key), after: &bytes) {
                wishes.append(Wanted(key, urgency: wish.urgency, rank: wish.rank))
            } else {
                isCut = true
            }
        }
        sendPictures(there)
        let keys = Set(wishes.map(\.key))
        for key in subscribed where !keys.contains(key) { drop(key) }
        list.reconcile(with: wishes)
        requestedCount = wishes.count
        // Failures of earlier loads are delivered at once.
        isWanting = true
        for wish in wishes { list.subscribe(to: wish.key) }
        isWanting = false
        if isCut, list.subscriptions.count < keys.count { wantMore() }
    }

    /// Returns whether another picture may be loaded, beside others of `bytes` bytes, and charges
    /// the page for a new load.
    private func mayHave(
        _ key: ThumbnailKey, isBegun: Bool, after bytes: inout Int
    ) -> Bool {
        let size = thumbnails.source.byteCount?(key) ?? 0
        guard bytes == 0 || bytes + size <= limits.pageBytes else { return false }
        if !isBegun {
            let cost = Self.tokens(for: min(thumbnails.cost(of: key), limits.pageWork))
            guard work.take(cost, at: loop.clock.now) else { return false }
            charges[key] = cost
        }
        bytes += max(1, size)
        return true
    }

    /// Drops a load that isn't wanted any more; what hasn't been made costs nothing.
    private func drop(_ key: ThumbnailKey) {
        if let cost = charges[key] {
            switch thumbnails.loader.state(of: key) {
            case .queued: work.put(cost)
            // Long pictures are made where files are read.
            case .fetching where cost < Self.tokens(for: limits.longPicture): work.put(cost)
            default: break
            }
        }
        unsubscribe(from: key)
    }

    /// Puts back what a picture was charged above its cost, which is known better once it is made.
    private func settle(_ key: ThumbnailKey) {
        guard let charged = charges[key], let cost = thumbnails.source.cost(of: key) else { return }
        work.put(max(0, charged - Self.tokens(for: cost)))
    }

    private func unsubscribe(from key: ThumbnailKey) {
        charges[key] = nil
        list?.unsubscribe(from: key)
    }

    /// Returns the number of tokens for some work: one per millisecond, and at least one.
    private static func tokens(for work: Duration) -> Int {
        max(1, Int((work / .milliseconds(1)).rounded(.up)))
    }

    /// Requests more rows when half of those that were requested have ended.
    private func wantMore() {
        guard isCut || scroll.isPartial, !isWanting, let list,
            2 * list.subscriptions.count <= requestedCount
        else { return }
        guard isCut else { return handleSoon() }  // the rule has more to want
        want()
        if isCut, list.subscriptions.isEmpty { handleLater() }
    }

    // MARK: - Events

    /// Starts the page's stream, which replaces an older one.
    func begin(_ stream: any PageStream) {
        let old = self.stream
        self.stream = stream
        old?.onClose = nil
        old?.close()
        // What was said on another stream may not have arrived.
        known = RecentValues(limit: Self.mostKnown)
        hasPreviewHead = false
        needsReload = false
        stream.onClose = { [weak self, weak stream] in
            guard let self, let stream, self.stream === stream else { return }
            self.stream = nil
            lastHeard = loop.clock.now
            onStreamEnd?()
        }
        send("hello", .members([("epoch", .text(epoch)), ("version", .whole(catalogue.version))]))
        handleSoon()
    }

    /// Sends an event; if it can't be sent, the stream ends, and the page starts anew.
    func send(_ event: String, _ data: JSON) { send(event, data.rendered) }

    /// Sends an event whose data are rendered already, as they are the same for other pages.
    func send(_ event: String, _ data: String) {
        guard let stream, stream.isOpen else { return }
        stream.send(event, data)
    }

    /// Applies a change of the list, and sends its event; a page that misses one must reload.
    func change(_ mapping: IndexMapping, event: String?, at now: Instant) {
        scroll.replace(catalogue.lines(of: arrangement), mapping: mapping, at: now)
        if stream != nil { handleSoon() }
        if let event, !needsReload { send("changed", event) } else { needsReload = true }
    }

    /// Tells the page to fetch the list anew.
    func reload() {
        needsReload = false
        send("reload", .members([("version", .whole(catalogue.version))]))
    }

    private func sendPicture(of key: ThumbnailKey) {
        settle(key)
        unsubscribe(from: key)
        let row = catalogue.position(of: key.picture.id, by: order)
        sendPictures([(key, row)])
        wantMore()
    }

    /// Tells the page which pictures it may fetch, with their rows; a row is nil if it was removed.
    private func sendPictures(_ pictures: [(key: ThumbnailKey, row: Int?)]) {
        guard !pictures.isEmpty, let stream, stream.isOpen else { return }
        for (key, _) in pictures { known.insert((), for: key) }
        let late = lateRows
        var bytes = 0
        let items = pictures.compactMap { key, row -> JSON? in
            guard let row else { return nil }
            var item = [JSON.whole(row), .text(key.picture.text)]
            if late.contains(row), let preview = thumbnails.loader.value(of: key)?.preview,
                bytes + preview.utf8.count <= Self.mostPreviewBytes
            {
                bytes += preview.utf8.count
                item.append(.text(preview))
            }
            return .list(item)
        }
        guard !items.isEmpty else { return }
        var members = [("v", JSON.whole(catalogue.version)), ("t", .list(items))]
        if bytes > 0, !hasPreviewHead {
            hasPreviewHead = true
            members.append(("h", .text(Thumbnail.previewHead)))
        }
        send("thumbs", .members(members))
    }

    /// The rows that would be blank for a while until their pictures have arrived, behind those of
    /// all rows in view.
    private var lateRows: RowSet {
        let queue = transfer * Double(scroll.viewport.visibleRows.count)
        let blank = delivery + queue - Self.leastBlank
        return blank > .zero ? scroll.rows(seenWithin: blank) : RowSet(0..<0)
    }

    private func sendFailure(of key: ThumbnailKey, _ error: any Error) {
        unsubscribe(from: key)
        known.insert((), for: key)
        guard let row = catalogue.position(of: key.picture.id, by: order) else { return }
        let failure = JSON.list([.whole(row), .text(PictureFailure(error).text)])
        send("failed", .members([("v", .whole(catalogue.version)), ("f", .list([failure]))]))
        wantMore()
    }
}
