internal import IdleLoop
internal import ReplayReport
internal import ScrollModel

/// The events since a view was last told; times are in seconds since it began.
struct LiveMoments {
    /// The events of a row's load.
    enum Kind: String, CaseIterable { case asked, begun, done, dropped, failed }

    /// The most of each kind that are told at once; what is more is left out.
    private static let most = 500

    private var views: [JSON] = []
    private var loads: [Kind: [JSON]] = [:]
    private var landing = JSON.null
    /// The longest turn of each twentieth of a second.
    private var turns: [(slot: Int, milliseconds: Double)] = []

    /// Takes in where a page's list is, by what it reported last, and where it will rest.
    mutating func note(_ scroll: PageScroll, at now: Double, last: Double) {
        let viewport = scroll.viewport
        let ends = [viewport.offset, viewport.offset + viewport.height]
        views.append(.numbers([last] + ends.map { Self.place($0, viewport) }))
        landing =
            scroll.landing.map {
                .list([.number(now), .whole($0.lowerBound), .whole($0.upperBound)])
            } ?? .null
    }

    /// Takes in what has happened to a row's load.
    mutating func note(_ kind: Kind, _ row: Int, at time: Double, _ detail: JSON...) {
        loads[kind, default: []].append(.list([.whole(row), .number(time)] + detail))
    }

    /// Takes in how long a turn of the loop was.
    mutating func noteTurn(_ milliseconds: Double, at time: Double) {
        let slot = Int(time * 20)
        if let last = turns.last, last.slot == slot {
            turns[turns.count - 1].milliseconds = max(last.milliseconds, milliseconds)
        } else {
            turns.append((slot, milliseconds))
        }
    }

    /// Returns the row at an offset, and the part of it that lies above.
    private static func place(_ offset: Double, _ viewport: Viewport) -> Double {
        guard let row = viewport.list.position(at: offset) else {
            // Above all rows, below them, or in a section's header.
            return Double(viewport.list.visibleRows(offset: offset, height: 0).lowerBound)
        }
        let extent = viewport.list.extent(ofRowAt: row)
        guard extent.height > 0 else { return Double(row) }
        return Double(row) + max(0, min(1, (offset - extent.offset) / extent.height))
    }

    /// Returns all of it as pages read it, with how many jobs and pages there are now.
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
    /// A number with no more digits than are of use.
    static func number(_ value: Double) -> JSON {
        .digits("\((value * 10_000).rounded() / 10_000)")
    }

    /// A list of such numbers.
    static func numbers(_ values: [Double]) -> JSON { .list(values.map(number)) }
}
