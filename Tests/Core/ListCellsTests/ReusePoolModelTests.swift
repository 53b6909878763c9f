import TestSupport
import Testing

@testable import ListCells

/// A reuse pool against arrays: the same cells for the same rows, after any operations.
struct ReusePoolModelTests {
    private final class Cell {
        let id: Int
        var isClear = true

        init(id: Int) { self.id = id }
    }

    @Test(arguments: seeds(0..<1500))
    func `dequeues, keeps and drops what arrays would`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let capacities = (0..<3).map { _ in Int.random(in: 0...6, using: &random) }
        let age = [nil, 0, 1, 2, 5].randomElement(using: &random) ?? nil
        var plain = PlainPool(capacities: capacities, age: age)
        var pool = ReusePool<Int, Int, Cell>(
            capacity: capacities[2], capacities: [0: capacities[0], 1: capacities[1]], age: age)
        var names = Array(0..<Int.random(in: 0...40, using: &random))
        var (made, dequeues) = (0, 0)
        var numbers: Set<Int> = []
        for _ in 0..<30 {
            let old = names
            edit(&names, using: &random)
            let isReload = Int.random(in: 0..<8, using: &random) == 0
            let edit: (Int) -> Int? = { isReload ? nil : names.firstIndex(of: old[$0]) }
            let rows = window(in: names.count, using: &random)
            let requests = Dictionary(
                uniqueKeysWithValues: rows.map { ($0, request(using: &random)) })
            let position = rows.first ?? 0

            var given: [Int: [Int]] = [:]
            let removed = pool.layout(rows, at: position, following: edit) { cell in
                #expect(!cell.isClear, "a cell is prepared once between two uses")
                cell.isClear = true
            } cell: { row, pass in
                let dequeued = (requests[row]?.kinds ?? []).map { kind in
                    dequeues += 1
                    let one = pass.dequeue(kind) {
                        made += 1
                        return Cell(id: made)
                    }
                    #expect(one.cell.isClear, "a cell that is dequeued is new or prepared")
                    one.cell.isClear = false
                    #expect(numbers.insert(one.number).inserted, "each use has its own number")
                    return one
                }
                given[row] = dequeued.map(\.cell.id)
                #expect(
                    Set(dequeued.map(\.cell.id)).count == dequeued.count,
                    "no cell is dequeued twice")
                return dequeued[requests[row]?.shown ?? 0]
            }
            let expected = plain.layout(rows, at: position, following: edit, requests: requests)

            #expect(given == expected.given)
            #expect(removed.hidden.map(\.id) == expected.hidden)
            #expect(removed.dropped.map(\.id).sorted() == expected.dropped.sorted())
            check(pool, against: plain, rows: rows)
            #expect(made == plain.created)
            #expect(pool.statistics.created == made)
            #expect(pool.statistics.reused == dequeues - made)
        }
    }

    private func check(_ pool: ReusePool<Int, Int, Cell>, against plain: PlainPool, rows: [Int]) {
        pool.checkInvariants()
        #expect(plain.screen.map(\.row) == rows)
        #expect(pool.store.screen.count == rows.count)
        for item in plain.screen { #expect(pool[item.row]?.id == item.id) }
        #expect(pool.store.reserve.map(\.cell.id).sorted() == plain.reserve.map(\.id).sorted())
    }

    /// Rows come, go and move, in one list of three.
    private func edit(_ names: inout [Int], using random: inout SplitMix64) {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...names.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: names.insert((names.max() ?? 0) + 1, at: place)
            case 1 where place < names.count: names.remove(at: place)
            case 2 where place < names.count:
                let name = names.remove(at: place)
                names.insert(name, at: Int.random(in: 0...names.count, using: &random))
            default: break
            }
        }
    }

    /// Some rows one behind the other, sometimes with gaps where rows have no height.
    private func window(in count: Int, using random: inout SplitMix64) -> [Int] {
        let first = Int.random(in: 0...count, using: &random)
        let last = min(count, first + Int.random(in: 0...12, using: &random))
        let gaps = Int.random(in: 0..<4, using: &random) == 0
        return (first..<last).filter { _ in !gaps || Bool.random(using: &random) }
    }

    /// Mostly one cell of any kind; sometimes up to three, of which one is shown.
    private func request(using random: inout SplitMix64) -> PlainPool.Request {
        let count = max(1, Int.random(in: -3...3, using: &random))
        return PlainPool.Request(
            kinds: (0..<count).map { _ in Int.random(in: 0..<3, using: &random) },
            shown: Int.random(in: 0..<count, using: &random))
    }
}
