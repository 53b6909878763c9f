/// The obvious model of a reuse pool: arrays, searched from end to end.
struct PlainPool {
    struct Item {
        let id: Int
        let kind: Int
        var row = 0
        var position = 0
        var since = 0
    }

    /// What a row asks for, and which of its cells it shows.
    struct Request {
        let kinds: [Int]
        let shown: Int
    }

    let capacities: [Int]
    let age: Int?
    var screen: [Item] = []
    /// The oldest first.
    var reserve: [Item] = []
    var created = 0
    private var pass = 0

    init(capacities: [Int], age: Int?) {
        self.capacities = capacities
        self.age = age
    }

    mutating func layout(
        _ rows: [Int], at position: Int, following edit: (Int) -> Int?, requests: [Int: Request]
    ) -> (given: [Int: [Int]], hidden: [Int], dropped: [Int]) {
        pass += 1
        let before = screen.map { (item: $0, row: edit($0.row)) }
        var left = before.filter { $0.row.map { !rows.contains($0) } ?? true }.map(\.item)
        var given: [Int: [Int]] = [:]
        screen = []
        for (position, row) in zip(position..., rows) {
            if var kept = before.first(where: { $0.row == row })?.item {
                (kept.row, kept.position) = (row, position)
                screen.append(kept)
                continue
            }
            guard let request = requests[row] else { continue }
            var back: [Item] = []
            for (number, kind) in request.kinds.enumerated() {
                let (item, home) = take(kind, position, &left)
                given[row, default: []].append(item.id)
                if number == request.shown {
                    screen.append(
                        Item(id: item.id, kind: kind, row: row, position: position))
                } else if home {
                    back.append(item)
                } else {
                    unused.append(item)
                }
            }
            left = (left + back).sorted { $0.position < $1.position }
            for item in unused { putAway(item) }
            unused = []
        }
        for item in left { putAway(item) }
        return (given, left.map(\.id), trim().map(\.id))
    }

    private var unused: [Item] = []

    private mutating func take(_ kind: Int, _ position: Int, _ left: inout [Item]) -> (Item, Bool) {
        // Of two equally near, the first is the one before.
        let near = left.indices.filter { left[$0].kind == kind }
            .min { abs(left[$0].position - position) < abs(left[$1].position - position) }
        if let near {
            return (left.remove(at: near), true)
        }
        if let newest = reserve.lastIndex(where: { $0.kind == kind }) {
            return (reserve.remove(at: newest), false)
        }
        created += 1
        return (Item(id: created, kind: kind), false)
    }

    private mutating func putAway(_ item: Item) {
        var item = item
        item.since = pass
        reserve.append(item)
    }

    private mutating func trim() -> [Item] {
        var dropped = reserve.filter { item in age.map { pass - item.since >= $0 } ?? false }
        reserve.removeAll { item in dropped.contains { $0.id == item.id } }
        for (kind, capacity) in capacities.enumerated() {
            let excess = reserve.filter { $0.kind == kind }.dropLast(capacity)
            dropped += excess
            reserve.removeAll { item in excess.contains { $0.id == item.id } }
        }
        return dropped
    }
}
