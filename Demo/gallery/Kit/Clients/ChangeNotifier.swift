internal import GalleryCatalogue
internal import IdleLoop
internal import ReplayText
internal import ScrollModel

/// The notification of pages about changes of the list: each small change is sent; for a large one,
/// the page is told to fetch the list anew.
final class ChangeNotifier {
    /// The maximum size of a change event, in bytes.
    static let mostBytes = 32 << 10
    /// The minimum time between two events that tell pages to fetch the list anew.
    ///
    /// The first of many come sooner, as pages wait for the pictures of a folder that is being
    /// listed: each pause is twice the one before.
    static let (leastPause, pause) = (Duration.milliseconds(250), Duration.seconds(2))

    private let pages: ListPages
    private let clients: ClientRegistry
    private let loop: MainLoop
    private var timer: LoopTimer?
    private var lastReload = Instant.zero
    /// The time that must pass before the next.
    private var nextPause = Duration.zero

    init(in pages: ListPages, to clients: ClientRegistry, on loop: MainLoop) {
        self.pages = pages
        self.clients = clients
        self.loop = loop
    }

    func close() {
        timer?.cancel()
        timer = nil
    }

    /// Applies a change to every page's list, and notifies the pages.
    ///
    /// O(pages), and O(rows in view) for each.
    func notify(_ change: CatalogueChange) {
        let clients = clients.all
        var texts: [ListOrder: String?] = [:]
        for client in clients {
            let order = client.arrangement.order
            if texts[order] == nil { texts[order] = text(of: change, by: order) }
            client.change(change[order].mapping, event: texts[order] ?? nil)
        }
        if clients.contains(where: \.needsReload) { reloadSoon() }
    }

    private func reloadSoon() {
        guard timer == nil else { return }
        let now = loop.clock.now
        if lastReload.duration(to: now) > Self.pause * 2 { nextPause = .zero }
        let moment = max(now, lastReload.advanced(by: nextPause))
        nextPause = min(max(nextPause * 2, Self.leastPause), Self.pause)
        timer = loop.schedule(at: moment) { [weak self] in self?.reload() }
    }

    private func reload() {
        timer = nil
        lastReload = loop.clock.now
        for client in clients.all where client.needsReload { client.reload() }
    }

    /// Returns the text of a change's event in an order; nil if it's too large.
    private func text(of catalogueChange: CatalogueChange, by order: ListOrder) -> String? {
        let change = catalogueChange[order]
        let rows = change.inserted.reduce(0) { $0 + $1.count } + change.measured.count
        guard rows < 4096, change.removed.count < 4096 else { return nil }
        func list<Part>(_ parts: some Sequence<Part>, _ json: (Part) -> JSON) -> JSON {
            .list(parts.map(json))
        }
        func ratios(_ rows: Range<Int>) -> [JSON] {
            var ratios: [JSON] = []
            pages.catalogue.forEachRatio(at: rows, by: order) { ratios.append(.whole($0)) }
            return ratios
        }
        var members: [(String, JSON)] = [
            ("from", .whole(catalogueChange.from)), ("to", .whole(catalogueChange.to)),
            ("removed", list(change.removed) { .list([.whole($0.lowerBound), .whole($0.count)]) }),
            (
                "inserted",
                list(change.inserted) { .list([.whole($0.lowerBound), .list(ratios($0))]) }
            ),
            (
                "measured",
                list(change.measured) { .list([.whole($0)] + ratios($0..<$0 + 1)) }
            ),
        ]
        if change.areSectionsChanged || !change.removed.isEmpty || !change.inserted.isEmpty {
            guard let sections = pages.sections(by: order, within: Self.mostBytes) else {
                return nil
            }
            members.append(("sections", sections))
        }
        let text = JSON.members(members).rendered
        return text.utf8.count <= Self.mostBytes ? text : nil
    }
}
