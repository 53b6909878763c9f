internal import IdleLoop

/// All pages that are looked at, by their names: so many in all, and of one address.
final class ClientBook {
    /// How long a page may be without a stream and unheard before it's forgotten.
    static let patience = Duration.seconds(30)
    /// How many are forgotten at once: when a network breaks, many fall silent together.
    static let mostForgotten = 16

    private let limits: GalleryLimits
    private var clients: [ClientID: Client] = [:]
    /// In the order in which they came, so that all goes the same way each time.
    private(set) var all: [Client] = []
    private var counts: [String: Int] = [:]

    init(_ limits: GalleryLimits) {
        self.limits = limits
    }

    var count: Int { clients.count }

    subscript(_ id: ClientID) -> Client? { clients[id] }

    /// The page that others call so; O(pages).
    func client(numbered number: Int) -> Client? {
        all.first { $0.number == number }
    }

    /// Whether one more of this address is taken in; a unix socket has none.
    func hasRoom(for address: String) -> Bool {
        clients.count < limits.clients
            && (address == "unix" || counts[address, default: 0] < limits.clientsPerAddress)
    }

    func add(_ client: Client) {
        clients[client.id] = client
        all.append(client)
        counts[client.address, default: 0] += 1
    }

    /// Takes a page out, and closes it; O(pages).
    func remove(_ client: Client) {
        guard clients.removeValue(forKey: client.id) != nil else { return }
        all.removeAll { $0 === client }
        let left = counts[client.address, default: 0] - 1
        counts[client.address] = left > 0 ? left : nil
        client.close()
    }

    func removeAll() {
        for client in all { remove(client) }
    }

    /// Has those forgotten that were not heard of for long, some at a time, and says when to ask
    /// again; nil for never.
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
