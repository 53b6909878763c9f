internal import IdleLoop
internal import ReplayReport
internal import ScrollModel

/// The events since the last message to a view; times are in seconds since the view's start.
struct LiveMoments {
    /// The events of a row's load.
    enum Kind: String, CaseIterable { case asked, begun, done, dropped, failed }

    /// The maximum number of events of each kind in a message; others are left out.
    private static let most = 500

    private var views: [JSON] = []
    private var loads: [Kind: [JSON]] = [:]
    private var landing = JSON.null
    /// The longest turn in each twentieth of a second.
    private var turns: [(slot: Int, milliseconds: Double)] = []

    /// Records a page's last reported position, and where it will rest.
    mutating func note(_ scroll: PageScroll, at now: Double, last: Double) {
        let viewport = scroll.viewport
        let ends = [viewport.offset, viewport.offset + viewport.height]
        views.append(.numbers([last] + ends.map { Self.place($0, viewport) }))
        landing =
            scroll.landing.map {
                .list([.number(now), .whole($0.lowerBound), .whole($0.upperBound)])
            } ?? .null
    }

    /// Records an event of a row's load.
    mutating func note(_ kind: Kind, _ row: Int, at time: Double, _ detail: JSON...) {
        loads[kind, default: []].append(.list([.whole(row), .number(time)] + detail))
    }

    /// Records the duration of a turn of the loop.
    mutating func noteTurn(_ milliseconds: Double, at time: Double) {
        let slot = Int(time * 20)
        if let last = turns.last, last.slot == slot {
            turns[turns.count - 1].milliseconds = max(last.milliseconds, milliseconds)
        } else {
            turns.append((slot, milliseconds))
        }
    }

    /// Returns the row at an offset, plus the fraction of it that is above the offset.
    private static func place(_ offset: Double, _ viewport: Viewport) -> Double {
        guard let row = viewport.list.position(at: offset) else {
            // The offset is above all rows, below them, or in a section's header.
            return Double(viewport.list.visibleRows(offset: offset, height: 0).lowerBound)
        }
        let extent = viewport.list.extent(ofRowAt: row)
        guard extent.height > 0 else { return Double(row) }
        return Double(row) + max(0, min(1, (offset - extent.offset) / extent.height))
    }

    /// Returns the events as a message for pages, with the current numbers of jobs and pages.
    func text(now: Double, jobs: Int, clients: Int) -> String {
        func list(_ values: [JSON]) -> JSON { .list(Array(values.prefix(Self.most))) }
        let turns = turns.map { JSON.numbers([Double($0.slot) / 20, $0.milliseconds]) }
        return JSON.members(
            [("now", .number(now)), ("view", list(views))]
                + Kind.allCases.map { ($0.rawValue, list(loads[$0, default: []])) }
                + [
                    ("landing", landing), ("turns", list(turns)),
                    ("queue", .list([.list([.number(now), .whole(jobs)])])),
                    ("clients", .whole(clients)),
                ]
        ).rendered
    }
}

extension JSON {
    /// Returns a number with only as many digits as are useful.
    static func number(_ value: Double) -> JSON {
        .digits("\((value * 10_000).rounded() / 10_000)")
    }

    /// Returns a list of such numbers.
    static func numbers(_ values: [Double]) -> JSON { .list(values.map(number)) }
}
