internal import IdleLoop
internal import ScrollModel

/// A simulated user of the gallery, whose reports and requests are those of the gallery's page.
final class VirtualUser: LoadUser {
    private lazy var reports = session()
    private lazy var pictures = session()
    private var stream: Connection?
    private var reader = EventReader()
    private var id: String?

    // MARK: - Opening and closing

    override func open() {
        reports.send("POST", "/clients") { [weak self] answer in
            guard let self else { return }
            guard let answer, answer.status == 201, let id = Self.client(in: answer.body) else {
                run.note(.refused)
                run.loop.schedule(after: .seconds(1)) { [weak self] in self?.open() }
                return
            }
            self.id = id
            openStream()
        }
    }

    override func close() {
        super.close()
        stream?.close()
        reports.close()
        pictures.close()
    }

    static func client(in body: [UInt8]) -> String? {
        let parts = String(decoding: body, as: UTF8.self).split(separator: "\"")
        return parts.firstIndex(of: "client").map { String(parts[$0 + 2]) }
    }

    private func openStream() {
        guard let id else { return }
        reader = EventReader()
        stream = Connection(
            to: run.server, from: number / LoadRun.clientsPerAddress, on: run.loop,
            onBytes: { [weak self] in self?.take($0) },
            onEnd: { [weak self] in self?.streamEnded() })
        stream?.send(Self.streamRequest(of: id, at: run.server))
    }

    static func streamRequest(of id: String, at server: ServerAddress) -> String {
        "GET /clients/\(id)/events HTTP/1.0\r\nHost: \(server.name)\r\n"
            + "Accept: text/event-stream\r\n\r\n"
    }

    /// Reconnects as pages do.
    private func streamEnded() {
        run.note(.streamLost)
        id = nil
        scrolling = run.scrolling(in: list, using: &random)
        timer?.cancel()
        timer = run.loop.schedule(after: .seconds(1)) { [weak self] in self?.open() }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for event in reader.take(bytes) {
            switch event.name {
            case "hello":
                if let id { report(of: id) }
                rest()
            case "thumbs":
                for row in (try? PictureEvent(json: event.data.utf8))?.t ?? [] {
                    fetch("/thumbnails/\(row.text)", of: row.row, over: pictures)
                }
            case "failed":
                for row in (try? PictureEvent(json: event.data.utf8))?.f ?? [] { show(row.row) }
            case "changed", "reload": run.note(.listChanged)
            default: break
            }
        }
    }

    // MARK: - Scrolling

    /// Reports the events since the last report, if that one has been answered.
    override func follow() {
        if reports.count == 0, let id { report(of: id) }
    }

    private func report(of id: String) {
        let start = run.loop.clock.now
        let events = scrolling.report(until: start)
        guard !events.isEmpty else { return }
        let path = "/clients/\(id)/reports?v=\(list.version)&f=\(ListFacts.width)&h=800&e=\(events)"
        reports.send("POST", path) { [weak self] answer in
            guard let self else { return }
            let time = start.duration(to: run.loop.clock.now)
            run.note(.reported(time, isAccepted: answer?.status == 204))
        }
    }
}
