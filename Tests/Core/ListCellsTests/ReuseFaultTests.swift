import Testing

@testable import ListCells

/// What went wrong with reuse in Chameleon's table view and in VVeboTableView.
struct ReuseFaultTests {
    private final class Cell {
        var shows: String?
        var request: String?
        var timesCleared = 0

        func clear() {
            (shows, request) = (nil, nil)
            timesCleared += 1
        }
    }

    private var pool = ReusePool<String, Int, Cell>()

    @discardableResult
    private mutating func layout(
        _ rows: Range<Int>, as identifier: String = "row", following edit: (Int) -> Int? = { $0 }
    ) -> ReusePool<String, Int, Cell>.RemovedCells {
        let removed = pool.layout(rows, following: edit) {
            $0.clear()
        } cell: { row, pass in
            let dequeued = pass.dequeue(identifier) { Cell() }
            dequeued.cell.shows = "row \(row)"
            dequeued.cell.request = "image \(row)"
            return dequeued
        }
        pool.checkInvariants()
        return removed
    }

    @Test mutating func `Chameleon: the reusable set has no bound`() {
        for kind in 0..<100 { layout(0..<20, as: "kind \(kind)") { _ in nil } }
        for kind in 0..<100 { #expect(pool.inReserve("kind \(kind)") <= 5) }
        for _ in 0..<300 { layout(0..<20) }
        #expect(pool.inReserve == 0, "what nobody asks for any more doesn't stay for ever")
    }

    @Test mutating func `Chameleon: the reusable set has no order`() throws {
        layout(0..<3)
        let cells = try (0..<3).map { try #require(pool[$0]) }
        layout(3..<3)
        layout(0..<3)
        for row in 0..<3 { #expect(pool[row] === cells[2 - row], "the newest in reserve first") }
    }

    @Test mutating func `Chameleon: every update throws the reserve away`() {
        layout(0..<6)
        layout(0..<3)
        layout(0..<3) { $0 == 0 ? nil : $0 - 1 }
        #expect(pool.inReserve == 3)
        layout(0..<6)
        #expect(pool.statistics.created == 6)
    }

    @Test mutating func `Chameleon: begin and end of updates do nothing`() throws {
        layout(0..<3)
        let cell = try #require(pool[1])
        layout(0..<4) { $0 + 1 }
        #expect(pool[2] === cell)
        #expect(
            cell.shows == "row 1" && cell.timesCleared == 0, "it's the same row under a new name")
    }

    @Test mutating func `Chameleon: cells that stay on screen mustn't be touched`() throws {
        layout(0..<5)
        let cells = try (2..<5).map { try #require(pool[$0]) }
        for offset in [1, 2, 0, 2] { layout(offset..<offset + 5) }
        for (row, cell) in zip(2..<5, cells) {
            #expect(pool[row] === cell)
            #expect(cell.timesCleared == 0)
        }
    }

    @Test mutating func `Chameleon: a cell without a kind to reuse is dropped at once`() {
        pool = ReusePool(limits: ReuseLimits(capacities: ["": 0]))
        layout(0..<2, as: "")
        #expect(layout(2..<2, as: "").dropped.count == 2)
        #expect(pool.inReserve == 0)
    }

    @Test mutating func `VVebo: a cell that isn't drawn shows what it showed before`() throws {
        layout(0..<1)
        let cell = try #require(pool[0])
        pool.layout(7..<8) {
            $0.clear()
        } cell: { _, pass in
            // The gate is closed: this row isn't to be drawn.
            pass.dequeue("row") { Cell() }
        }
        #expect(pool[7] === cell)
        #expect(cell.shows == nil && cell.request == nil)
    }

    @Test mutating func `VVebo: the number that tells uses of a cell apart can repeat`() {
        var numbers: Set<Int> = []
        for pass in 0..<100 {
            pool.layout(pass..<pass + 1) { _ in
            } cell: { _, pass in
                let dequeued = pass.dequeue("row") { Cell() }
                #expect(numbers.insert(dequeued.number).inserted)
                return dequeued
            }
        }
        #expect(pool.statistics.created == 1)
    }
}
