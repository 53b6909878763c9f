internal import IdleLoop

/// An address that requests large views and the list over and over, and has silent connections.
final class GreedyAddress {
    /// The maximum number of waiting requests for pictures of an address.
    private static let views = 32

    private let server: ServerAddress
    private let loop: MainLoop
    private let number: Int
    /// The rows with the largest pictures.
    private let largest: [RowFacts.Row]
    private let viewers: [HTTPSession]
    private let lister: HTTPSession
    private var silent: [Int: Connection] = [:]
    private var next = 0
    private var isClosed = false
    /// The number of large views and of lists that it received.
    private(set) var viewsTaken = 0
    private(set) var listsTaken = 0

    init(
        _ number: Int, silent count: Int, of list: ServerList, at server: ServerAddress,
        on loop: MainLoop
    ) {
        self.server = server
        self.loop = loop
        largest = Array(list.rows.prefix(max(512, list.rows.count / 8)))
        self.number = number
        viewers = (0..<Self.views).map { _ in HTTPSession(server, from: number, on: loop) }
        lister = HTTPSession(server, from: number, on: loop)
        // Each address requests other pictures, if there are enough.
        next = number * Self.views
        for place in 0..<count { sayNothing(place) }
        for viewer in viewers { view(viewer) }
        self.list()
    }

    func close() {
        isClosed = true
        for viewer in viewers { viewer.close() }
        lister.close()
        for connection in silent.values { connection.close() }
        silent = [:]
    }

    private func view(_ viewer: HTTPSession) {
        guard !isClosed, !largest.isEmpty else { return }
        next += 1
        let key = largest[next % largest.count].key
        viewer.send("GET", "/pictures/\(key)") { [weak self] answer in
            guard let self else { return }
            if answer?.status == 200 { viewsTaken += 1 }
            // A refused client waits before it asks again.
            let pause = Duration.milliseconds(answer?.status == 200 ? 0 : 100)
            loop.schedule(after: pause) { [weak self, weak viewer] in
                if let viewer { self?.view(viewer) }
            }
        }
    }

    private func list() {
        guard !isClosed else { return }
        lister.send("GET", "/list") { [weak self] answer in
            guard let self else { return }
            if answer?.status == 200 { listsTaken += 1 }
            loop.schedule(after: .milliseconds(answer == nil ? 100 : 0)) { [weak self] in
                self?.list()
            }
        }
    }

    /// Connects and stays silent, and connects again when the server has closed the connection.
    private func sayNothing(_ place: Int) {
        guard !isClosed else { return }
        silent[place] = Connection(
            to: server, from: number, on: loop, onBytes: { _ in },
            onEnd: { [weak self] in
                self?.loop.schedule(after: .milliseconds(500)) { [weak self] in
                    self?.sayNothing(place)
                }
            })
    }
}
