internal import IdleLoop
internal import LullTesting
internal import ScrollModel

/// A simulated user of a load test, who flings the list, waits until all rows in view are loaded,
/// looks at them for a while, and flings again.
///
/// Subclasses are its pages: they report motions and fetch pictures.
class LoadUser {
    final let number: Int
    final let run: LoadRun
    final let list: ServerList
    final var random: SeededGenerator
    final var scrolling: Scrolling
    final var timer: LoopTimer?

    init(_ number: Int, of list: ServerList, in run: LoadRun) {
        self.number = number
        self.run = run
        self.list = list
        var random = run.random(ofUser: number)
        scrolling = run.scrolling(in: list, using: &random)
        self.random = random
    }

    /// Opens the page.
    func open() {}

    /// Closes the page.
    func close() {
        timer?.cancel()
        timer = nil
    }

    /// Takes the motions until now to the page.
    func follow() {}

    /// Returns a connection to the server, from the user's address.
    final func session() -> HTTPSession {
        HTTPSession(run.server, from: number / LoadRun.clientsPerAddress, on: run.loop)
    }

    // MARK: - Scrolling

    /// Looks at the rows in view, and continues.
    final func rest() {
        let pause = Duration.random(0.5...1.5, of: run.pause, using: &random)
        timer = run.loop.schedule(after: pause) { [weak self] in self?.fling() }
    }

    private func fling() {
        scrolling.fling(at: run.loop.clock.now, using: &random)
        tick()
    }

    private func tick() {
        follow()
        guard !scrolling.isMoving else {
            timer = run.loop.schedule(after: .milliseconds(50)) { [weak self] in self?.tick() }
            return
        }
        timer = nil
        run.note(.fling)
        scrolling.beginWait()
        checkView()
    }

    // MARK: - Pictures

    /// Fetches the picture of a row; `then` is called when it was shown.
    final func fetch(
        _ path: String, of row: Int, over session: HTTPSession, then: @escaping () -> Void = {}
    ) {
        let start = run.loop.clock.now
        session.send("GET", path) { [weak self] answer in
            guard let self else { return }
            let time = start.duration(to: run.loop.clock.now)
            let bytes = answer?.body.count ?? 0
            run.note(.fetched(time, byteCount: bytes, isFound: answer?.status == 200))
            show(row)
            then()
        }
    }

    /// Records that a row's picture is there, or never will be.
    final func show(_ row: Int) {
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
    final func wait(at now: Instant) -> Duration? { scrolling.wait(at: now) }
}
