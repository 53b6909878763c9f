internal import IdleLoop
internal import ScrollModel

/// A simulated user of a plain page, whose browser fetches the picture of each row that comes near
/// the viewport.
///
/// It scrolls as `VirtualUser` does. Pictures are fetched in the order in which their rows came near,
/// and none is cancelled.
final class VirtualPlainUser: LoadUser {
    /// A page whose pictures the browser fetches by itself.
    struct Page {
        /// The path of a picture without the number of its row.
        let prefix: String
        /// The distance to the viewport within which a row's picture is fetched.
        let reach: Double
    }

    private let number: Int
    private let run: LoadRun
    private let page: Page
    private let sessions: [HTTPSession]
    private var random: SplitMix64
    private var scrolling: Scrolling
    /// The rows that have come near.
    private var wanted: Set<Int> = []
    /// Those whose pictures have yet to be requested.
    private var waiting: ArraySlice<Int> = []
    private var timer: LoopTimer?

    /// The number of connections that browsers open.
    private static let connections = 6

    init(_ number: Int, of list: ServerList, on page: Page, in run: LoadRun) {
        self.number = number
        self.run = run
        self.page = page
        var random = run.random(ofUser: number)
        scrolling = run.scrolling(in: list, using: &random)
        self.random = random
        sessions = (0..<Self.connections).map { _ in
            HTTPSession(run.server, from: number / run.clientsPerAddress, on: run.loop)
        }
    }

    /// Opens the page.
    func open() {
        wantRows()
        rest()
    }

    /// Closes the page.
    func close() {
        timer?.cancel()
        timer = nil
        for session in sessions { session.close() }
    }

    // MARK: - Scrolling

    private func rest() {
        let pause = Duration.random(0.5...1.5, of: run.pause, using: &random)
        timer = run.loop.schedule(after: pause) { [weak self] in self?.fling() }
    }

    private func fling() {
        scrolling.fling(at: run.loop.clock.now, using: &random)
        tick()
    }

    private func tick() {
        scrolling.advance(to: run.loop.clock.now)
        wantRows()
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

    private func wantRows() {
        waiting += scrolling.rows(within: page.reach).filter { wanted.insert($0).inserted }
        for session in sessions where session.count == 0 { fetchNext(over: session) }
    }

    private func fetchNext(over session: HTTPSession) {
        guard let row = waiting.popFirst() else { return }
        let start = run.loop.clock.now
        session.send("GET", page.prefix + "\(row)") { [weak self] answer in
            guard let self else { return }
            let time = start.duration(to: run.loop.clock.now)
            let bytes = answer?.body.count ?? 0
            run.note(.fetched(time, byteCount: bytes, isFound: answer?.status == 200))
            scrolling.show(row)
            checkView()
            fetchNext(over: session)
        }
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
