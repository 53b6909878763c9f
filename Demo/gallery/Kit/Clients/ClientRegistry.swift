internal import IdleLoop

/// The open pages, limited in all and for each address.
final class ClientRegistry {
    /// The time after which a page without a stream and without messages is removed.
    static let patience = Duration.seconds(30)
    /// The maximum number of pages removed at once: when a network fails, many fall silent
    /// together.
    static let mostForgotten = 16

    private let limits: GalleryLimits
    private var clients: [String: Client] = [:]

    init(_ limits: GalleryLimits) {
        self.limits = limits
    }

    /// The number of open pages.
    var count: Int { clients.count }

    /// The open pages in the order of opening, the same in each run; O(n log n).
    var all: [Client] { clients.values.sorted { $0.number < $1.number } }

    /// Returns the page with an identifier; nil if there is none.
    subscript(_ id: String) -> Client? { clients[id] }

    /// Returns whether another page of an address is allowed.
    ///
    /// A unix socket has no addresses, and only the limit of all pages. O(pages).
    func hasRoom(for address: String) -> Bool {
        clients.count < limits.clients
            && (address == "unix"
                || clients.values.count { $0.address == address } < limits.clientsPerAddress)
    }

    /// Adds a page.
    func add(_ client: Client) { clients[client.id] = client }

    /// Removes a page, and closes it.
    func remove(_ client: Client) {
        clients.removeValue(forKey: client.id)?.close()
    }

    /// Removes all pages, and closes them.
    func removeAll() {
        for client in all { remove(client) }
    }

    /// Calls `forget` with pages that have been silent for too long, some at a time.
    ///
    /// - Returns: The time of the next call; nil for never.
    func forgetSilent(at now: Instant, _ forget: (Client) -> Void) -> Instant? {
        var next: Instant?
        var forgotten = 0
        for client in all where client.stream == nil {
            let end = client.lastHeard.advanced(by: Self.patience)
            if end <= now {
                guard forgotten < Self.mostForgotten else { return now }
                forgotten += 1
                forget(client)
            } else {
                next = min(next ?? end, end)
            }
        }
        return next
    }
}
