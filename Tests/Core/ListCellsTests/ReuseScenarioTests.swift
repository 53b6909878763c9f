import Testing

@testable import ListCells

/// Three sections of 1, 3 and 2 rows; a source that asks for a "Cell" first, whatever the row needs.
///
/// A pool that forgets what it dequeued makes four cells for nothing on the first load and strands two
/// more with each reload.
struct ReuseScenarioTests {
    private struct Row: Hashable {
        let section: Int
        let row: Int

        var identifier: String { ["Cell0", "Custom", "Cell"][section] }
    }

    private struct Cell {
        let identifier: String
        var row: Row?
    }

    private let rows = [1, 3, 2].enumerated().flatMap { section, count in
        (0..<count).map { Row(section: section, row: $0) }
    }
    private var pool = ReusePool<String, Row, Cell>()

    /// One load or reload; `asksTwice` asks for the right kind also where it was right at first.
    private mutating func load(asksTwice: Bool = false) {
        let removed = pool.layout(rows, at: 0, following: { _ in nil }) {
            $0.row = nil
        } cell: { row, pass in
            var dequeued = pass.dequeue("Cell") { Cell(identifier: "Cell") }
            if asksTwice || dequeued.cell.identifier != row.identifier {
                dequeued = pass.dequeue(row.identifier) { Cell(identifier: row.identifier) }
            }
            dequeued.cell.row = row
            return dequeued
        }
        #expect(removed.dropped.isEmpty)
        pool.checkInvariants()
    }

    private func expectAllShown() {
        #expect(pool.onScreen == 6)
        for row in rows {
            #expect(pool[row]?.identifier == row.identifier)
            #expect(pool[row]?.row == row)
        }
    }

    @Test mutating func `the first load makes what is shown and nothing else`() {
        load()
        expectAllShown()
        #expect(pool.statistics.created == 6)
        // The one Cell of the first row is dequeued for each row until the fifth shows it.
        #expect(pool.statistics.reused == 4)
        #expect(pool.inReserve == 0)
    }

    @Test(arguments: [1, 2, 10])
    func `reloads strand nothing and make nothing`(count: Int) {
        var scenario = self
        scenario.load()
        for _ in 0..<count { scenario.load() }
        scenario.expectAllShown()
        let statistics = scenario.pool.statistics
        #expect(statistics.created == 6)
        // Ten cells are dequeued in a reload: two to each row of the first sections, one to the others.
        #expect(statistics.reused == 4 + 10 * count)
        #expect(statistics.dropped == 0)
        #expect(scenario.pool.inReserve == 0)
    }

    @Test(arguments: [1, 2, 10])
    func `a source that always asks twice makes one more, once`(count: Int) {
        var scenario = self
        scenario.load(asksTwice: true)
        for _ in 0..<count { scenario.load(asksTwice: true) }
        scenario.expectAllShown()
        #expect(scenario.pool.statistics.created == 7)
        #expect(scenario.pool.inReserve("Cell") == 1)
        #expect(scenario.pool.inReserve == 1)
    }
}
