internal import IdleLoop

/// A client that repeats a request and measures the time to the answer: for the server's health, or
/// for thumbnails that nobody has requested before.
final class Probe {
    private let loop: MainLoop
    private let session: HTTPSession
    private let pause: Duration
    private let path: () -> String?
    private var timer: LoopTimer?
    private(set) var answers = Figures()
    private(set) var failures = 0

    /// Creates a probe that pauses between an answer and the next request, and ends when `path`
    /// returns nil.
    init(
        _ server: ServerAddress, from address: Int, pausing pause: Duration, on loop: MainLoop,
        asking path: @escaping () -> String?
    ) {
        self.loop = loop
        self.pause = pause
        self.path = path
        session = HTTPSession(server, from: address, on: loop)
    }

    func ask() {
        guard let path = path() else { return }
        let start = loop.clock.now
        session.send("GET", path) { [weak self] answer in
            guard let self else { return }
            if answer?.status == 200 {
                answers.add(start.duration(to: loop.clock.now))
            } else {
                failures += 1
            }
            timer = loop.schedule(after: pause) { [weak self] in self?.ask() }
        }
    }

    /// Resets the measurements.
    func reset() {
        answers = Figures()
        failures = 0
    }

    func end() {
        timer?.cancel()
        session.close()
    }
}
