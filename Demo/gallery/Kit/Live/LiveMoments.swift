internal import IdleLoop
internal import ReplayText
internal import ScrollModel

/// The events since the last message to a view; times are since the view's start.
struct LiveMoments {
    /// The events of a row's load.
    enum Kind: String, CaseIterable { case asked, begun, done, dropped, failed }

    /// The maximum number of events of each kind in a message; others are left out.
    private static let most = 500

    private var views: [JSON] = []
    private var loads: [Kind: [JSON]] = [:]
    private var landing = JSON.null
    /// The longest turn in each twentieth of a second.
    private var turns: [(slot: Int, awake: Duration)] = []

    /// Records a page's last reported position, and where it will rest.
    mutating func note(_ scroll: PageScroll, at now: Duration, last: Duration) {
        let viewport = scroll.viewport
        let ends = [viewport.offset, viewport.offset + viewport.height]
        views.append(.list([.seconds(last)] + ends.map { .number(Self.place($0, viewport)) }))
        landing =
            scroll.landing.map {
                .list([.seconds(now), .whole($0.lowerBound), .whole($0.upperBound)])
            } ?? .null
    }

    /// Records an event of a row's load.
    mutating func note(_ kind: Kind, _ row: Int, at time: Duration, _ detail: JSON...) {
        loads[kind, default: []].append(.list([.whole(row), .seconds(time)] + detail))
    }

    /// Records for how long the loop was awake in a turn.
    mutating func noteTurn(_ awake: Duration, at time: Duration) {
        let slot = Int(time / .milliseconds(50))
        if let last = turns.last, last.slot == slot {
            turns[turns.count - 1].awake = max(last.awake, awake)
        } else {
            turns.append((slot, awake))
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

    /// Returns the events as a message for pages, with the current numbers of jobs and pages, and the
    /// price of work.
    func text(now: Duration, jobs: Int, clients: Int, price: Double) -> String {
        func list(_ values: [JSON]) -> JSON { .list(Array(values.prefix(Self.most))) }
        let turns = turns.map {
            JSON.list([.number(Double($0.slot) / 20), .milliseconds($0.awake)])
        }
        return JSON.members(
            [("now", .seconds(now)), ("view", list(views))]
                + Kind.allCases.map { ($0.rawValue, list(loads[$0, default: []])) }
                + [
                    ("landing", landing), ("turns", list(turns)),
                    ("queue", .list([.list([.seconds(now), .whole(jobs)])])),
                    ("clients", .whole(clients)), ("price", .number(price)),
                ]
        ).rendered
    }
}
