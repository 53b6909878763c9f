internal import IdleLoop

/// A page that sends as many reports as its tokens permit, each the most expensive valid one.
final class HostilePage {
    /// The text of each of 256 events, by its number and its time in ms.
    private static let worst: [@Sendable (Int, String) -> String] = [
        { $0 == 0 ? "d,\($1),700,0" : "m,\($1),\($0 * 40 % 700)" },
        { "f,\($1),\($0 * 40_000)" },
        { "f,\($1),\($0 % 2 == 0 ? 0 : 1_000_000_000)" },
        { $0 % 2 == 0 ? "d,\($1),700,\($0 * 9)" : "u,\($1),0" },
        { $0 % 2 == 0 ? "m,\($1),\($0 * 10 % 700)" : "f,\($1),\($0 * 70_000)" },
    ]
    /// The widths that its pages seem to have, one after the other.
    private static let widths = [320, 512, 1024, 1152]
    /// The pause between reports, a little longer than the refill of a token.
    private static let pause = Duration.milliseconds(15)
    private static let events = 256

    private let server: ServerAddress
    private let loop: MainLoop
    private let version: Int
    private let sessions: [HTTPSession]
    private var stream: Connection?
    private var id: String?
    private var timer: LoopTimer?
    private var count = 0
    /// The number of its reports that were accepted.
    private(set) var taken = 0

    /// Its address, which no user has.
    private static let address = 50_000

    init(of list: ServerList, at server: ServerAddress, on loop: MainLoop) {
        self.server = server
        self.loop = loop
        version = list.version
        sessions = (0..<8).map { _ in HTTPSession(server, from: Self.address, on: loop) }
        sessions[0].send("POST", "/clients") { [weak self] answer in
            guard let self, let answer, answer.status == 201 else { return }
            id = VirtualUser.client(in: answer.body)
            openStream()
            report()
        }
    }

    func close() {
        timer?.cancel()
        timer = nil
        stream?.close()
        for session in sessions { session.close() }
    }

    private func openStream() {
        guard let id else { return }
        stream = Connection(
            to: server, from: Self.address, on: loop, onBytes: { _ in }, onEnd: {})
        stream?.send(VirtualUser.streamRequest(of: id, at: server))
    }

    /// Sends a report on each free connection: many at first, and then as tokens are refilled.
    private func report() {
        guard let id else { return }
        for session in sessions where session.count == 0 {
            let now = loop.clock.now.nanoseconds / 1_000_000
            let kind = Self.worst[count % Self.worst.count]
            let events = (0..<Self.events).map { kind($0, "\(now + Int64($0 / 64))") }
            count += 1
            let text = events.joined(separator: ";")
            let flow = Self.widths[count / 16 % Self.widths.count]
            let query = "v=\(version)&f=\(flow)&h=99999&e=\(text)"
            session.send("POST", "/clients/\(id)/reports?\(query)") { [weak self] answer in
                if answer?.status == 204 { self?.taken += 1 }
            }
            if count > 120 { break }
        }
        timer = loop.schedule(after: Self.pause) { [weak self] in self?.report() }
    }
}
