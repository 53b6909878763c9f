import Testing

@testable import ListCells

/// Laws that a pool's state breaks; `LawTests` has an example of each other one.
struct ReuseLawTests {
    private typealias Pool = ReusePool<String, Int, Int>

    @Test func `a row that has a cell is laid out once in a pass`() async {
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            pool.layout(0..<5, prepare: { _ in }) { _, pass in pass.dequeue("row") { 0 } }
            pool.layout([4, 4], at: 4, prepare: { _ in }) { _, pass in pass.dequeue("row") { 0 } }
        }
    }

    @Test func `a cell that is dequeued again isn't shown by its earlier use`() async {
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            var unused: Pool.DequeuedCell?
            pool.layout(0..<2, prepare: { _ in }) { row, pass in
                let dequeued = pass.dequeue("row") { 0 }
                defer { unused = unused ?? dequeued }
                return row == 0 ? pass.dequeue("row") { 1 } : unused ?? dequeued
            }
        }
    }

    @Test func `a pool that is being laid out can't be used`() async {
        await #expect(processExitsWith: .failure) {
            final class List {
                var pool = Pool()

                func layout() {
                    pool.layout(0..<1, prepare: { _ in }) { _, pass in
                        layout()
                        return pass.dequeue("row") { 0 }
                    }
                }
            }
            List().layout()
        }
    }
}
