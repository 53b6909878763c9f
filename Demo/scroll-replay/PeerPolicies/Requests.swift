internal import DeferredLoading
internal import IdleLoop

/// Requested rows, numbered in the order of their requests.
struct Requests {
    private var numbers: [Int: Int] = [:]
    private var next = 0

    /// Requests a row; one that is already requested keeps its place.
    mutating func ask(for row: Int) {
        guard numbers[row] == nil else { return }
        numbers[row] = next
        next += 1
    }

    mutating func ask(for rows: some Sequence<Int>) {
        for row in rows { ask(for: row) }
    }

    /// Cancels every request that matches.
    mutating func drop(where fits: (Int) -> Bool) {
        numbers = numbers.filter { !fits($0.key) }
    }

    /// Cancels every request whose row is loaded or failed.
    mutating func dropSettled(_ loads: any LoadStatus) {
        drop { loads.progress(ofRow: $0) == .settled }
    }

    /// Returns the requests as wanted rows of one urgency, in their order.
    func wanted(_ urgency: Urgency = .visible) -> [Wanted<Int>] {
        wanted { _ in urgency }
    }

    /// Returns the requests as wanted rows, each with its own urgency.
    func wanted(by urgency: (Int) -> Urgency) -> [Wanted<Int>] {
        numbers.map { Wanted($0.key, urgency: urgency($0.key), rank: $0.value) }
            .sorted { ($1.urgency, $0.rank) < ($0.urgency, $1.rank) }
    }
}
