import Testing

@testable import ListCells

/// What ``ReusePoolModelTests`` doesn't compare.
struct ReusePoolTests {
    private var pool = ReusePool<Int, Int, String>()

    @discardableResult
    private mutating func layout(
        _ rows: Range<Int>
    ) -> (hidden: [String], dropped: [String]) {
        pool.layout(rows, prepare: { _ in }) { _, pass in pass.dequeue(0) { "new" } }
    }

    @Test mutating func `a cell on screen can be changed, another can't`() {
        layout(0..<1)
        #expect(pool.update(0) { $0 = "changed" })
        #expect(pool[0] == "changed")
        #expect(!pool.update(1) { _ in Issue.record("there is no such cell") })
    }

    @Test mutating func `five cells of a kind are in reserve by default`() {
        layout(0..<7)
        #expect(layout(0..<0).dropped.count == 2)
        #expect(pool.store.reserve.count == 5)
    }
}
