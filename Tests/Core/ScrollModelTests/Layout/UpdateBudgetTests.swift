import Testing

@testable import ScrollModel

/// What a batch of updates may cost at most, by the rows that are measured and the runs of heights
/// that a list is kept in.
@Suite struct UpdateBudgetTests {
    private func row(_ section: Int, _ row: Int) -> RowIndex {
        RowIndex(section: section, row: row)
    }

    /// Each kind of call, so many times, in one section.
    private func updates(_ times: Int) -> [ListUpdate] {
        var updates = [ListUpdate]()
        for place in 0..<times {
            updates.append(.deleteRow(row(0, 5 * place)))
            updates.append(.moveRow(row(0, 5 * place + 1), to: row(0, 5 * place)))
            updates.append(.reloadRow(row(0, 5 * place + 2)))
            updates.append(.insertRow(row(0, 5 * place + 3)))
        }
        return updates
    }

    private func runs(of list: ListLayout) -> Int {
        var runs = 0
        list.sums.values.forEachRun(from: 0) { _, _ in
            runs += 1
            return true
        }
        return runs
    }

    @Test(arguments: [10, 1_000], [10_000, 1_000_000_000])
    func `a batch measures what comes and what is reloaded, each once`(
        times: Int, count: Int
    ) throws {
        var list = try ListLayout(rowCounts: [count])
        var asked: [ListElement] = []
        let mapping = try list.perform(updates(times)) { element in
            asked.append(element)
            return 50
        }
        #expect(asked.count == 2 * times)
        #expect(Set(asked).count == 2 * times)
        #expect(mapping.reloaded.count == times)
        // Four calls, each of which takes one leaf of up to 128 numbers apart.
        #expect(runs(of: list) <= 4 * times * 2 * 128)
        list.checkInvariants()
    }

    @Test func `sections that stay are not measured, and one that comes is once`() throws {
        var list = try ListLayout(rowCounts: [3, 1_000_000_000, 5])
        var asked: [ListElement] = []
        try list.perform([.deleteSection(0), .insertSection(2, rows: 7)]) { element in
            asked.append(element)
            return 50
        }
        let rows = (0..<7).map { ListElement.row(row(2, $0)) }
        #expect(asked == [.header(section: 2)] + rows + [.footer(section: 2)])
    }

    @Test(arguments: [10, 1_000])
    func `a batch that is wrong at its end measures nothing`(times: Int) throws {
        var list = try ListLayout(rowCounts: [10_000])
        let before = list
        var wrong = updates(times)
        wrong.append(.deleteRow(row(0, 10_000)))
        var asked = 0
        #expect(throws: ListUpdateError.self) {
            try list.perform(wrong) { _ in
                asked += 1
                return nil
            }
        }
        #expect(asked == 0)
        #expect(list == before)
    }
}
