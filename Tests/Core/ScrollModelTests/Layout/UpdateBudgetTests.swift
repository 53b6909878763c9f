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
        let mapping = try list.perform(updates(times), expecting: [count]) { element in
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

    @Test(arguments: [10, 300], [10, 100_000])
    func `sections that move are not measured, and those that come are each once`(
        times: Int, rows: Int
    ) throws {
        var list = try ListLayout(
            rowCounts: Array(repeating: rows, count: 2 * times), estimates: .init(header: 22))
        var asked = 0
        var moves = [ListUpdate]()
        for place in 0..<times {
            moves.append(.moveSection(2 * place, to: 2 * (times - place) - 1))
        }
        try list.perform(moves) { _ in
            asked += 1
            return 50
        }
        #expect(asked == 0)
        // Three runs a section: a header, its rows, a footer; or leaves of them.
        #expect(runs(of: list) <= 2 * times * 3 * 128)
        var comes = [ListUpdate]()
        for place in 0..<times { comes.append(.insertSection(2 * place, rows: 7)) }
        try list.perform(comes) { _ in
            asked += 1
            return 50
        }
        #expect(asked == times * (7 + 2))
        list.checkInvariants()
    }

    @Test func `rows that are not measured come in any number at once`() throws {
        var list = try ListLayout(rowCounts: [3])
        var updates = [ListUpdate]()
        for place in 0..<100 { updates.append(.insertSection(place, rows: 1_000_000_000)) }
        try list.perform(updates)
        #expect(list.rowCount == 100_000_000_003)
        #expect(runs(of: list) <= 101 * 3 * 128)
    }

    @Test(arguments: [10, 1_000], [10_000, 1_000_000_000])
    func `a viewport tells of the rows in view, however many there are`(
        times: Int, count: Int
    ) throws {
        var viewport = Viewport(
            try ListLayout(rowCounts: [count]), height: 880, offset: 44 * Double(count / 2))
        let seen = viewport.visibleRows.count
        var asked = 0
        let change = try viewport.perform(updates(times)) { _ in
            asked += 1
            return nil
        }
        #expect(asked == 2 * times)
        #expect(change.entered.count <= seen + 1)
        #expect(change.left.count <= seen)
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
