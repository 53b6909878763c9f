internal import IdleLoop
internal import ScrollModel

/// A simulated user of the gallery, who flings the list, waits until all rows in view are loaded,
/// looks at them for a while, and flings again.
///
/// Reports and requests are those of the gallery's page.
final class VirtualUser: LoadUser {
    private let number: Int
    private let run: LoadRun
    private let list: ServerList
    private let reports: HTTPSession
    private let pictures: HTTPSession
    private var stream: Connection?
    private var reader = EventReader()
    private var id: String?
    private var random: SplitMix64
    private var scrolling: Scrolling
    private var timer: LoopTimer?

    init(_ number: Int, of list: ServerList, in run: LoadRun) {
        self.number = number
        self.run = run
        self.list = list
        var random = run.random(ofUser: number)
        scrolling = run.scrolling(in: list, using: &random)
        self.random = random
        let address = number / run.clientsPerAddress
        reports = HTTPSession(run.server, from: address, on: run.loop)
        pictures = HTTPSession(run.server, from: address, on: run.loop)
    }

    // MARK: - Opening and closing

    /// Opens the page.
    func open() {
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

    /// Closes the page.
    func close() {
        timer?.cancel()
        timer = nil
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
            to: run.server, from: number / run.clientsPerAddress, on: run.loop,
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
                for row in (try? PictureEvent(json: event.data.utf8))?.t ?? [] { fetch(row) }
            case "failed":
                for row in (try? PictureEvent(json: event.data.utf8))?.f ?? [] { show(row.row) }
            case "changed", "reload": run.note(.listChanged)
            default: break
            }
        }
    }

    // MARK: - Scrolling

    /// Looks at the rows in view, and continues.
    private func rest() {
        let pause = Duration.random(0.5...1.5, of: run.pause, using: &random)
        timer = run.loop.schedule(after: pause) { [weak self] in self?.fling() }
    }

    private func fling() {
        scrolling.fling(at: run.loop.clock.now, using: &random)
        tick()
    }

    /// Reports the events since the last report, if that one has been answered.
    private func tick() {
        if reports.count == 0, let id { report(of: id) }
        guard !scrolling.isMoving else {
            timer = run.loop.schedule(after: .milliseconds(50)) { [weak self] in self?.tick() }
            return
        }
        timer = nil
        run.note(.fling)
        scrolling.beginWait()
        checkView()
    }

    private func report(of id: String) {
        let start = run.loop.clock.now
        let events = scrolling.report(until: start)
        guard !events.isEmpty else { return }
        let path = "/clients/\(id)/reports?v=\(list.version)&h=800&e=\(events)"
        reports.send("POST", path) { [weak self] answer in
            guard let self else { return }
            let time = start.duration(to: run.loop.clock.now)
            run.note(.reported(time, isAccepted: answer?.status == 204))
        }
    }

    // MARK: - Pictures

    private func fetch(_ row: PictureEvent.Row) {
        let start = run.loop.clock.now
        pictures.send("GET", "/thumbnails/\(row.text)") { [weak self] answer in
            guard let self else { return }
            let time = start.duration(to: run.loop.clock.now)
            let bytes = answer?.body.count ?? 0
            run.note(.fetched(time, byteCount: bytes, isFound: answer?.status == 200))
            show(row.row)
        }
    }

    private func show(_ row: Int) {
        scrolling.show(row)
        checkView()
    }

    /// Checks whether all rows in view are loaded, and continues if they are.
    private func checkView() {
        guard let wait = scrolling.endWait(at: run.loop.clock.now) else { return }
        run.note(.settled(wait, user: number))
        rest()
    }

    /// Returns the time for which it has waited for the rows in view; nil if it doesn't wait.
    func wait(at now: Instant) -> Duration? {
        scrolling.wait(at: now)
    }
}
