import Testing

@testable import ListCells

struct ReusePoolTests {
    private struct Cell: Equatable {
        let id: Int
        var row: Int?
        var cleared = 0
    }

    private enum Kind { case photo, text }

    private var pool = ReusePool<Kind, Int, Cell>(limits: ReuseLimits(capacity: 3))

    /// Lays out rows of one kind; the cells are numbered from 1 as they're made.
    @discardableResult
    private mutating func layout(
        _ rows: Range<Int>, as kind: Kind = .photo, following edit: (Int) -> Int? = { $0 }
    ) -> ReusePool<Kind, Int, Cell>.RemovedCells {
        let before = pool.statistics.created
        var made = 0
        let removed = pool.layout(rows, following: edit) {
            $0.row = nil
            $0.cleared += 1
        } cell: { row, pass in
            var dequeued = pass.dequeue(kind) {
                made += 1
                return Cell(id: before + made)
            }
            #expect(dequeued.cell.row == nil)
            dequeued.cell.row = row
            return dequeued
        }
        pool.checkInvariants()
        return removed
    }

    private func ids(_ rows: Range<Int>) -> [Int?] { rows.map { pool[$0]?.id } }

    @Test mutating func `scrolling hands the cells that left to the rows that come`() {
        layout(0..<4)
        #expect(ids(0..<4) == [1, 2, 3, 4])
        let removed = layout(2..<6)
        #expect(ids(2..<6) == [3, 4, 2, 1], "nearest first")
        #expect(removed.hidden.isEmpty)
        #expect(pool[0] == nil)
        layout(1..<5)
        #expect(ids(1..<5) == [1, 3, 4, 2])
        #expect(pool.statistics.created == 4)
        #expect(pool.statistics.reused == 3)
    }

    @Test mutating func `a reload gives each row its own cell again`() {
        layout(0..<4)
        let removed = layout(0..<4) { _ in nil }
        #expect(ids(0..<4) == [1, 2, 3, 4])
        #expect((0..<4).allSatisfy { pool[$0]?.cleared == 1 })
        #expect(removed.hidden.isEmpty && removed.dropped.isEmpty)
        #expect(pool.inReserve == 0)
    }

    @Test mutating func `a full reserve drops the oldest and gives them back`() {
        layout(0..<5)
        let removed = layout(5..<5)
        #expect(removed.hidden.map(\.id) == [1, 2, 3, 4, 5])
        #expect(removed.dropped.map(\.id) == [1, 2])
        #expect(pool.inReserve(.photo) == 3)
        #expect(pool.inReserve(.text) == 0)
        #expect(pool.statistics.droppedByCapacity == 2)
        layout(0..<1)
        #expect(pool[0]?.id == 5, "the newest in reserve goes first")
    }

    @Test mutating func `limits are each kind's own`() {
        pool = ReusePool(limits: ReuseLimits(capacities: [.text: 0]))
        layout(0..<6)
        layout(0..<6, as: .text) { _ in nil }
        #expect(pool.inReserve(.photo) == 5, "five each by default")
        #expect(layout(0..<0).dropped.count == 6, "a reserve of none keeps none")
        #expect(pool.inReserve == 5)
        #expect(pool.statistics.droppedByCapacity == 7)
    }

    @Test mutating func `a cell that waited its passes is dropped`() {
        pool = ReusePool(limits: ReuseLimits(age: 3))
        layout(0..<2)
        layout(0..<1)
        #expect(layout(0..<1).dropped.isEmpty)
        #expect(layout(0..<1).dropped.isEmpty)
        #expect(layout(0..<1).dropped.map(\.id) == [2])
        #expect(pool.statistics.droppedByAge == 1)
        #expect(pool[0]?.id == 1, "a cell on screen doesn't age")
        layout(0..<2)
        #expect(pool[1]?.id == 3)
    }

    @Test mutating func `a cell on screen can be changed, another can't`() {
        layout(0..<1)
        #expect(pool.update(0) { $0.cleared = 7 })
        #expect(pool[0]?.cleared == 7)
        #expect(!pool.update(1) { _ in Issue.record("there is no such cell") })
    }

    @Test mutating func `emptying the reserve leaves the screen`() {
        layout(0..<3)
        layout(0..<1)
        #expect(pool.emptyReserve().map(\.id) == [2, 3])
        pool.checkInvariants()
        #expect(pool.inReserve == 0)
        #expect(pool.statistics.droppedByRequest == 2)
        #expect(ids(0..<1) == [1])
        layout(0..<2)
        #expect(ids(0..<2) == [1, 4])
    }
}
