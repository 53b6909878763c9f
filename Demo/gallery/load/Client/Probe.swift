internal import IdleLoop

/// A client that asks for the server's health again and again, and measures the time to the answer.
final class Probe {
    private let loop: MainLoop
    private let session: HTTPSession
    private var timer: LoopTimer?
    private(set) var answers = Figures()
    private(set) var failures = 0

    init(_ server: ServerAddress, on loop: MainLoop) {
        self.loop = loop
        session = HTTPSession(server, from: 0, on: loop)
    }

    func ask() {
        let start = loop.clock.now
        session.send("GET", "/healthz") { [weak self] answer in
            guard let self else { return }
            if answer?.status == 200 {
                answers.add(start.duration(to: loop.clock.now))
            } else {
                failures += 1
            }
            timer = loop.schedule(after: .milliseconds(2)) { [weak self] in self?.ask() }
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
