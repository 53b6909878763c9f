internal import IdleLoop
internal import ReplayReport
internal import ScrollModel

/// What has happened since a view was last told; times are in seconds since it began.
struct LiveMoments {
    /// How many of each are told at once; what is more is left out.
    private static let most = 500

    var view: [(time: Double, first: Double, last: Double, velocity: Double)] = []
    var asked: [(row: Int, time: Double, urgency: String)] = []
    var begun: [(row: Int, time: Double)] = []
    var done: [(row: Int, time: Double, cost: Double)] = []
    var dropped: [(row: Int, time: Double)] = []
    var failed: [(row: Int, time: Double)] = []
    var queue: [(time: Double, count: Double)] = []
    private var landing: (time: Double, rows: Range<Int>)?
    /// The longest turn of each twentieth of a second.
    private var turns: [(slot: Int, milliseconds: Double)] = []

    /// Where a page's list is.
    mutating func note(_ scroll: PageScroll, at now: Double, last: Double) {
        let viewport = scroll.viewport
        let (first, end) = (
            Self.place(viewport.offset, viewport),
            Self.place(viewport.offset + viewport.height, viewport)
        )
        let before = view.last
        let velocity =
            before.map { last > $0.time ? (first - $0.first) / (last - $0.time) : $0.velocity }
            ?? 0
        view.append((last, first, end, velocity))
        landing = scroll.landing.map { (now, $0) }
    }

    /// A loop's turn took so long.
    mutating func noteTurn(_ milliseconds: Double, at time: Double) {
        let slot = Int(time * 20)
        if let last = turns.last, last.slot == slot {
            turns[turns.count - 1].milliseconds = max(last.milliseconds, milliseconds)
        } else {
            turns.append((slot, milliseconds))
        }
    }

    /// The row at an offset, and the part of it that lies above.
    private static func place(_ offset: Double, _ viewport: Viewport) -> Double {
        guard let row = viewport.list.position(at: offset) else {
            // Above all rows, below them, or in a section's header.
            return Double(viewport.list.visibleRows(offset: offset, height: 0).lowerBound)
        }
        let extent = viewport.list.extent(ofRowAt: row)
        guard extent.height > 0 else { return Double(row) }
        return Double(row) + max(0, min(1, (offset - extent.offset) / extent.height))
    }

    // MARK: - As pages read it

    /// A number with no more digits than are of use.
    static func number(_ value: Double) -> JSON {
        .digits("\((value * 10_000).rounded() / 10_000)")
    }

    func text(now: Double, clients: Int) -> String {
        func list<Element>(_ elements: [Element], _ members: (Element) -> [JSON]) -> JSON {
            .list(elements.prefix(Self.most).map { .list(members($0)) })
        }
        let number = Self.number
        return JSON.members([
            ("now", number(now)),
            (
                "view",
                list(view) {
                    [number($0.time), number($0.first), number($0.last), number($0.velocity)]
                }
            ),
            ("asked", list(asked) { [.whole($0.row), number($0.time), .text($0.urgency)] }),
            ("begun", list(begun) { [.whole($0.row), number($0.time)] }),
            ("done", list(done) { [.whole($0.row), number($0.time), number($0.cost)] }),
            ("dropped", list(dropped) { [.whole($0.row), number($0.time)] }),
            ("failed", list(failed) { [.whole($0.row), number($0.time)] }),
            (
                "landing",
                landing.map {
                    .list([
                        number($0.time), .whole($0.rows.lowerBound), .whole($0.rows.upperBound),
                    ])
                } ?? .digits("null")
            ),
            ("turns", list(turns) { [number(Double($0.slot) / 20), number($0.milliseconds)] }),
            ("queue", list(queue) { [number($0.time), number($0.count)] }),
            ("clients", .whole(clients)),
        ]).rendered
    }
}
