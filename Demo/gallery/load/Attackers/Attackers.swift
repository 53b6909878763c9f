internal import IdleLoop

/// The attackers of a load test: hostile pages, and addresses that request as much as they can.
final class Attackers {
    /// The number of each kind.
    struct Numbers {
        var pages = 0
        var addresses = 0
        /// The number of silent connections of each of these addresses.
        var silent = 0

        var isNobody: Bool { pages == 0 && addresses == 0 }
    }

    /// The first of their addresses, which no user has.
    private static let firstAddress = 50_000

    private let pages: [HostilePage]
    private let addresses: [GreedyAddress]

    init(_ numbers: Numbers, of list: ServerList, at server: ServerAddress, on loop: MainLoop) {
        pages = (0..<numbers.pages).map {
            HostilePage(from: Self.firstAddress + $0, of: list, at: server, on: loop)
        }
        let first = Self.firstAddress + numbers.pages
        addresses = (0..<numbers.addresses).map {
            GreedyAddress(first + $0, silent: numbers.silent, of: list, at: server, on: loop)
        }
    }

    func close() {
        for page in pages { page.close() }
        for address in addresses { address.close() }
    }

    /// The figures of the attackers' requests, in one line.
    var summary: String {
        let views = addresses.reduce(0) { $0 + $1.viewsTaken }
        let lists = addresses.reduce(0) { $0 + $1.listsTaken }
        let reports = pages.reduce(0) { $0 + $1.taken }
        return "strangers got \(reports) reports taken, \(views) large views and \(lists) lists"
    }
}
