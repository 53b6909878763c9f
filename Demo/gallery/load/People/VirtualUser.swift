internal import IdleLoop
internal import ScrollModel

/// A simulated user of the gallery, who flings the list, waits until all rows in view are loaded,
/// looks at them for a while, and flings again.
///
/// Reports and requests are those of the gallery's page.
final class VirtualUser {
    private let number: Int
    private let run: LoadRun
    private let reports: Asker
    private let pictures: Asker
    private var stream: Connection?
    private var reader = EventReader()
    private var id: String?
    private var random: SplitMix64
    private var scrolling: Scrolling
    private var version = -1
    private var timer: LoopTimer?
    /// The time since which the list has been at rest with a row in view missing.
    private var waitingSince: Instant?

    init(_ number: Int, in run: LoadRun) {
        self.number = number
        self.run = run
        random = SplitMix64(seed: run.seed &* 1_000_000 &+ UInt64(number))
        scrolling = Scrolling(run.layout)
        let address = number / run.clientsPerAddress
        reports = Asker(run.server, from: address, on: run.loop)
        pictures = Asker(run.server, from: address, on: run.loop)
    }

    // MARK: - Opening and closing

    /// Opens the page.
    func come() {
        reports.ask("POST", "/clients") { [weak self] answer in
            guard let self else { return }
            guard let answer, answer.status == 201, let id = Self.client(in: answer.body) else {
                run.refused += 1
                run.loop.schedule(after: .seconds(1)) { [weak self] in self?.come() }
                return
            }
            self.id = id
            openStream()
        }
    }

    /// Closes the page.
    func leave() {
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
        run.streamsLost += 1
        id = nil
        scrolling = Scrolling(run.layout)
        waitingSince = nil
        timer?.cancel()
        timer = run.loop.schedule(after: .seconds(1)) { [weak self] in self?.come() }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for event in reader.take(bytes) {
            switch event.name {
            case "hello":
                version = run.version
                rest()
            case "thumbs":
                for row in (try? PictureNews(json: event.data.utf8))?.t ?? [] { fetch(row) }
            case "failed":
                for row in (try? PictureNews(json: event.data.utf8))?.f ?? [] { show(row.row) }
            case "changed", "reload": run.listChanged = true
            default: break
            }
        }
    }

    // MARK: - Scrolling

    /// Looks at the rows in view, and continues.
    private func rest() {
        let pause = Double.random(in: 0.5...1.5, using: &random) * run.pause
        timer = run.loop.schedule(after: .nanoseconds(Int64(pause * 1e9))) { [weak self] in
            self?.fling()
        }
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
        run.flings += 1
        waitingSince = scrolling.lastMoved
        checkView()
    }

    private func report(of id: String) {
        let start = run.loop.clock.now
        let events = scrolling.report(until: start)
        guard !events.isEmpty else { return }
        let path = "/clients/\(id)/reports?v=\(version)&h=800&e=\(events)"
        reports.ask("POST", path) { [weak self] answer in
            guard let self else { return }
            run.reports.add(start.duration(to: run.loop.clock.now))
            if answer?.status != 204 { run.failures += 1 }
        }
    }

    // MARK: - Pictures

    private func fetch(_ row: PictureNews.Row) {
        let start = run.loop.clock.now
        pictures.ask("GET", "/thumbnails/\(row.text)") { [weak self] answer in
            guard let self else { return }
            run.pictures.add(start.duration(to: run.loop.clock.now))
            if answer?.status != 200 { run.failures += 1 }
            run.bytes += answer?.body.count ?? 0
            show(row.row)
        }
    }

    private func show(_ row: Int) {
        scrolling.show(row)
        checkView()
    }

    /// Checks whether all rows in view are loaded, and continues if they are.
    private func checkView() {
        guard let since = waitingSince, scrolling.isWhole else { return }
        waitingSince = nil
        run.settled.add(since.duration(to: run.loop.clock.now), of: number)
        rest()
    }

    /// Returns the time for which it has waited for the rows in view; nil if it doesn't wait.
    func wait(at now: Instant) -> Duration? {
        waitingSince.map { $0.duration(to: now) }
    }
}
