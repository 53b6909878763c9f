internal import IdleLoop

/// Asks whether the server is well, again and again, and how long it takes to say so.
final class Probe {
    private let run: LoadRun
    private let asker: Asker
    private var timer: TimerID?
    private(set) var answers = Figures()
    private(set) var failures = 0

    /// How long it waits between an answer and the next question.
    private static let pause = Duration.milliseconds(2)

    init(in run: LoadRun) {
        self.run = run
        asker = Asker(run.server, from: 0, on: run.loop)
    }

    func ask() {
        let start = run.loop.clock.now
        asker.ask("GET", "/healthz") { [weak self] answer in
            guard let self else { return }
            if answer?.status == 200 {
                answers.add(start.duration(to: run.loop.clock.now))
            } else {
                failures += 1
            }
            timer = run.loop.schedule(after: Self.pause) { [weak self] in self?.ask() }
        }
    }

    /// Begins to count anew.
    func reset() {
        answers = Figures()
        failures = 0
    }

    func end() {
        if let timer { run.loop.cancel(timer) }
        asker.close()
    }
}
