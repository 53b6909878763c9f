internal import GalleryCatalogue
internal import IdleLoop

/// The open pages, limited in all and for each address.
final class ClientRegistry {
    /// The time after which a page without a stream and without messages is removed.
    static let patience = Duration.seconds(30)
    /// The maximum number of pages removed at once: when a network fails, many fall silent
    /// together.
    static let mostForgotten = 16

    private let limits: GalleryLimits
    private let loop: MainLoop
    /// The function that creates the page of a number at an address.
    var makeClient: ((_ number: Int, _ address: String, _ order: ListOrder) -> Client)?
    /// The callback for a page that was opened or removed, with the number of those that are open.
    var onCountChange: ((Int) -> Void)?
    private var clients: [String: Client] = [:]
    private var lastNumber = 0
    private var forgetTimer: LoopTimer?

    init(_ limits: GalleryLimits, on loop: MainLoop) {
        self.limits = limits
        self.loop = loop
    }

    /// The number of open pages.
    var count: Int { clients.count }

    /// The open pages in the order of opening, the same in each run; O(n log n).
    var all: [Client] { clients.values.sorted { $0.number < $1.number } }

    /// Returns the page with an identifier; nil if there is none.
    subscript(_ id: String) -> Client? { clients[id] }

    /// The arrangements of the open pages.
    var arrangements: Set<ListArrangement> { Set(clients.values.flatMap(\.arrangements)) }

    /// Opens a page at an address; returns nil if there is no room for it.
    func open(at address: String, by order: ListOrder = .name) -> Client? {
        guard hasRoom(for: address),
            let client = makeClient?(lastNumber + 1, address, order)
        else { return nil }
        lastNumber += 1
        client.onStreamEnd = { [weak self] in self?.forgetLater() }
        client.mayArrange = { [weak self, weak client] next in
            guard let self, let client else { return false }
            return hasRoom(for: next, of: client)
        }
        clients[client.id] = client
        onCountChange?(count)
        forgetLater()
        return client
    }

    /// Returns whether another page of an address is allowed.
    ///
    /// A unix socket has no addresses, and only the limit of all pages. O(pages).
    private func hasRoom(for address: String) -> Bool {
        clients.count < limits.clients
            && (address == "unix"
                || clients.values.count { $0.address == address } < limits.clientsPerAddress)
    }

    /// Returns whether a page may have an arrangement besides those of others from its address.
    ///
    /// A list of one picture a line takes next to no memory, and isn't counted.
    ///
    /// O(pages).
    private func hasRoom(for next: ListArrangement, of page: Client) -> Bool {
        if page.address == "unix" { return true }
        var used: Set<ListArrangement> = [next]
        for client in clients.values where client.address == page.address && client !== page {
            used.formUnion(client.arrangements)
        }
        return used.count { $0.flow != .rows } <= limits.arrangementsPerAddress
    }

    /// Removes a page, and closes it.
    func remove(_ client: Client) {
        clients.removeValue(forKey: client.id)?.close()
        onCountChange?(count)
    }

    /// Removes all pages, and opens no others.
    func close() {
        makeClient = nil
        onCountChange = nil
        forgetTimer?.cancel()
        forgetTimer = nil
        for client in all { remove(client) }
    }

    // MARK: - Silent pages

    /// Removes pages that are gone, and schedules the next removal.
    private func forgetLater() {
        guard forgetTimer == nil else { return }
        guard let next = forgetSilent(at: loop.clock.now) else { return }
        forgetTimer = loop.schedule(at: next) { [weak self] in
            self?.forgetTimer = nil
            self?.forgetLater()
        }
    }

    /// Removes pages that have been silent for too long, some at a time.
    ///
    /// - Returns: The time of the next removal; nil for never.
    func forgetSilent(at now: Instant) -> Instant? {
        var next: Instant?
        var forgotten = 0
        for client in all where client.stream == nil {
            let end = client.lastHeard.advanced(by: Self.patience)
            if end <= now {
                guard forgotten < Self.mostForgotten else { return now }
                forgotten += 1
                remove(client)
            } else {
                next = min(next ?? end, end)
            }
        }
        return next
    }
}
