internal import IdleLoop
internal import ScrollModel

/// A simulated user of a plain page, whose browser fetches the picture of each row that comes near
/// the viewport.
///
/// Pictures are fetched in the order in which their rows came near, and none is cancelled.
final class VirtualPlainUser: LoadUser {
    /// A page whose pictures the browser fetches by itself.
    struct Page {
        /// The path of a picture without the number of its row.
        let prefix: String
        /// The distance to the viewport within which a row's picture is fetched.
        let reach: Double
    }

    private let page: Page
    private var sessions: [HTTPSession] = []
    /// The rows that have come near.
    private var wanted: Set<Int> = []
    /// Those whose pictures have yet to be requested.
    private var waiting: ArraySlice<Int> = []

    /// The number of connections that browsers open.
    private static let connections = 6

    init(_ number: Int, of list: ServerList, on page: Page, in run: LoadRun) {
        self.page = page
        super.init(number, of: list, in: run)
        sessions = (0..<Self.connections).map { _ in session() }
    }

    override func open() {
        wantRows()
        rest()
    }

    override func close() {
        super.close()
        for session in sessions { session.close() }
    }

    override func follow() {
        scrolling.advance(to: run.loop.clock.now)
        wantRows()
    }

    private func wantRows() {
        waiting += scrolling.rows(within: page.reach).filter { wanted.insert($0).inserted }
        for session in sessions where session.count == 0 { fetchNext(over: session) }
    }

    private func fetchNext(over session: HTTPSession) {
        guard let row = waiting.popFirst() else { return }
        fetch(page.prefix + "\(row)", of: row, over: session) { [weak self] in
            self?.fetchNext(over: session)
        }
    }
}
