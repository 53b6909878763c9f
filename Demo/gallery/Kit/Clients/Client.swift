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
    /// The time from the end of a load until the page shows its picture.
    private var delivery = Duration.zero
    /// The throughput of the link to the page; zero if unknown.
    private var bytesPerSecond = 0.0
    /// Whether the page has missed a change and must be told to fetch the list anew.
    private(set) var needsReload = false

    private(set) var stream: (any PageStream)?
    /// The page's list, until it is closed.
    private var list: DeferredList<ThumbnailKey, Thumbnail>?
    /// The pictures that the page has, or knows that there are none.
    private var known = RecentValues<ThumbnailKey, Void>(limit: Client.mostKnown)
    /// The pictures that the page may fetch and wasn't told of yet.
    private var ready: [ThumbnailKey] = []
    /// Whether the list is being updated: then the page is told of all pictures at once.
    private var isUpdating = false
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
    /// The callback for reports: when one has come, and with the first picture in view when it was
    /// handled.
    var onReport: ((PictureID?) -> Void)?

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
        let now = loop.clock.now
        reports = TokenBucket(burst: 120, perSecond: 60, now: now)
        work = TokenBucket(
            burst: Self.tokens(for: limits.pageWork),
            perSecond: Self.tokens(for: limits.pageWorkRate), now: now)
        lastHeard = now
        let page = RemoteDisplay<ThumbnailKey>(
            has: { [unowned self] in known[$0] != nil },
            delivery: { [unowned self] in delivery }, transfer: { [unowned self] in transfer },
            admits: { [unowned self] in admit($0) })
        let lines = Viewport(catalogue.lines(of: arrangement), height: 0)
        let list = DeferredList(
            sharing: thumbnails.loader, lines, on: page,
            options: .init(
                rule: thumbnails.making == .handler ? NextRows() : ListRule.value, name: id),
            key: { [unowned self] in key(ofRow: $0) },
            send: { [weak self] in self?.take($1, of: $0) })
        list.onDue = { [weak self] in self?.handleSoon() }
        self.list = list
    }

    deinit {
        close()
    }

    /// Removes all subscriptions, and ends the stream.
    func close() {
        list?.close()
        list = nil
        let stream = stream
        self.stream = nil
        stream?.onClose = nil
        stream?.close()
    }

    /// The list as the page last showed it; nil once it is closed.
    var viewport: Viewport? { list?.viewport }

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
        onReport?(nil)
        handleSoon()
        return 204
    }

    /// Accepts a report, which is handled in one of the next lulls.
    private func take(_ report: ScrollReport, at now: Instant) {
        lastHeard = now
        list?.resized(to: report.height)
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
            let lines = catalogue.layout(ListArrangement(order, flow: nextFlow))
        else { return }
        arrangement.flow = nextFlow
        self.nextFlow = nil
        list?.change { $0.replace(lines) }
        handleSoon()
    }

    /// Schedules the handling of the reports, or an update of the list without one, in a lull.
    func handleSoon() {
        reportQueue.submit(id, priority: .highest) { [weak self] _ in
            guard let self, let list, nextFlow == nil else { return .skipped }
            return handle(in: list)
        }
    }

    /// Handles some of the reported events, and after the last of them, or if there are none,
    /// updates the wanted rows.
    ///
    /// - Returns: `again` if events are left for the job's next run.
    private func handle(in list: DeferredList<ThumbnailKey, Thumbnail>) -> JobProgress {
        let hasEvents = !unseen.isEmpty
        for (moment, input) in unseen.removeFirst(atMost: Self.eventsPerRun) {
            list.handle(input.event, at: moment, offset: input.offset)
        }
        guard unseen.isEmpty else { return .again }
        isUpdating = true
        list.update()
        isUpdating = false
        if hasEvents, let row = list.viewport.visibleRows.first {
            onReport?(key(ofRow: row)?.picture.id)
        }
        sendPictures()
        return .done
    }

    // MARK: - Wanted rows

    /// Returns the key of a row's picture; nil if there is none any more.
    private func key(ofRow row: Int) -> ThumbnailKey? {
        catalogue.key(atPosition: row, by: order).map { ThumbnailKey(picture: $0, size: .row) }
    }

    /// Returns how many of the wanted pictures may be loaded now, and charges the page for them.
    private func admit(_ wanted: [Wanted<ThumbnailKey>]) -> Int {
        guard thumbnails.making != .handler else {
            // They are made when the page requests them.
            for wish in wanted { note(wish.key) }
            return 0
        }
        var bytes = 0
        let admitted = wanted.prefix(Self.mostWanted).prefix { mayHave($0.key, after: &bytes) }
        let keys = Set(admitted.map(\.key))
        for key in charges.keys where !keys.contains(key) { drop(key) }
        return admitted.count
    }

    /// Returns whether another picture may be loaded, beside others of `bytes` bytes, and charges
    /// the page for a new load.
    private func mayHave(_ key: ThumbnailKey, after bytes: inout Int) -> Bool {
        let size = thumbnails.source.byteCount?(key) ?? 0
        guard bytes == 0 || bytes + size <= limits.pageBytes else { return false }
        if charges[key] == nil {
            let cost = Self.tokens(for: min(thumbnails.cost(of: key), limits.pageWork))
            guard work.take(cost, at: loop.clock.now) else { return false }
            charges[key] = cost
        }
        bytes += max(1, size)
        return true
    }

    /// Puts back the tokens of a load that isn't wanted any more; what hasn't been made costs nothing.
    private func drop(_ key: ThumbnailKey) {
        guard let cost = charges.removeValue(forKey: key) else { return }
        switch thumbnails.loader.state(of: key) {
        case .queued: work.put(cost)
        // Long pictures are made where files are read.
        case .fetching where cost < Self.tokens(for: limits.longPicture): work.put(cost)
        default: break
        }
    }

    /// Puts back what a picture was charged above its cost, which is known better once it is made.
    private func settle(_ key: ThumbnailKey) {
        guard let charged = charges.removeValue(forKey: key),
            let cost = thumbnails.source.cost(of: key)
        else { return }
        work.put(max(0, charged - Self.tokens(for: cost)))
    }

    /// Returns the number of tokens for some work: one per millisecond, and at least one.
    private static func tokens(for work: Duration) -> Int {
        max(1, Int((work / .milliseconds(1)).rounded(.up)))
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
    func change(_ mapping: IndexMapping, event: String?) {
        list?.change { $0.replace(catalogue.lines(of: arrangement), mapping: mapping) }
        if stream != nil { handleSoon() }
        if let event, !needsReload { send("changed", event) } else { needsReload = true }
    }

    /// Tells the page to fetch the list anew.
    func reload() {
        needsReload = false
        send("reload", .members([("version", .whole(catalogue.version))]))
    }

    /// Handles the end of a picture's load.
    private func take(_ state: LoadState<Thumbnail>, of key: ThumbnailKey) {
        settle(key)
        if case .failed(let error, _) = state { return sendFailure(of: key, error) }
        note(key)
        if !isUpdating { sendPictures() }
    }

    /// Records a picture that the page may fetch, of which it is told next.
    private func note(_ key: ThumbnailKey) {
        guard stream?.isOpen ?? false else { return }
        known.insert((), for: key)
        ready.append(key)
    }

    /// Tells the page which pictures it may fetch, with their rows, unless these were removed.
    private func sendPictures() {
        let pictures = ready
        ready = []
        guard !pictures.isEmpty else { return }
        let late = lateRows
        var bytes = 0
        let items = pictures.compactMap { key -> JSON? in
            guard let row = catalogue.position(of: key.picture.id, by: order) else { return nil }
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
        guard let list else { return RowSet(0..<0) }
        let queue = transfer * Double(list.viewport.visibleRows.count)
        let blank = delivery + queue - Self.leastBlank
        return blank > .zero ? list.rows(seenWithin: blank) : RowSet(0..<0)
    }

    private func sendFailure(of key: ThumbnailKey, _ error: any Error) {
        known.insert((), for: key)
        guard let row = catalogue.position(of: key.picture.id, by: order) else { return }
        let failure = JSON.list([.whole(row), .text(PictureFailure(error).text)])
        send("failed", .members([("v", .whole(catalogue.version)), ("f", .list([failure]))]))
    }
}

/// The rule for pictures that are made when the page requests them: those that are in view next.
private struct NextRows: LoadingPolicy {
    private var rule = ListRule.value

    mutating func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
        rule.wanted(after: moment, loads: loads)?.filter { $0.urgency >= .landing }
    }

    mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? { rule.note(moment) }
}

extension DeferredList {
    /// Returns the rows that are in view now or come into view in some time, as the list moves.
    fileprivate func rows(seenWithin time: Duration) -> RowSet {
        let way = motion.velocity * (time / .seconds(1))
        var end = viewport.offset + way
        if let target = forecast?.target { end = way > 0 ? min(end, target) : max(end, target) }
        let top = min(viewport.offset, end)
        return viewport.list.visibleRows(
            offset: top, height: viewport.height + max(viewport.offset, end) - top)
    }
}
