import Testing

@testable import ListCells

struct ReuseLawTests {
    private typealias Pool = ReusePool<String, Int, Int>

    @Test func `limits aren't negative`() async {
        await #expect(processExitsWith: .failure) { _ = ReuseLimits<String>(capacity: -1) }
        await #expect(processExitsWith: .failure) {
            _ = ReuseLimits(capacities: ["row": -1])
        }
        await #expect(processExitsWith: .failure) { _ = ReuseLimits<String>(age: -1) }
    }

    @Test func `a row is laid out once in a pass`() async {
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            pool.layout([4, 4], at: 4, prepare: { _ in }) { _, pass in pass.lend("row") { 0 } }
        }
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            pool.layout(0..<5, prepare: { _ in }) { _, pass in pass.lend("row") { 0 } }
            pool.layout([4, 4], at: 4, prepare: { _ in }) { _, pass in pass.lend("row") { 0 } }
        }
    }

    @Test func `two rows don't become one, and none lies before the first`() async {
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            pool.layout(0..<2, prepare: { _ in }) { _, pass in pass.lend("row") { 0 } }
            pool.layout(0..<2, following: { _ in 1 }, prepare: { _ in }) { _, pass in
                pass.lend("row") { 0 }
            }
        }
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            pool.layout([0], at: -1, prepare: { _ in }) { _, pass in pass.lend("row") { 0 } }
        }
    }

    @Test func `a row shows a cell that was lent for it`() async {
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            var first: Pool.Lease?
            pool.layout(0..<2, prepare: { _ in }) { _, pass in
                let lease = first ?? pass.lend("row") { 0 }
                first = lease
                return lease
            }
        }
        await #expect(processExitsWith: .failure) {
            var pool = Pool()
            var unused: Pool.Lease?
            pool.layout(0..<2, prepare: { _ in }) { row, pass in
                // The second row is lent the same cell again, and shows it by the old lease.
                let lease = pass.lend("row") { 0 }
                defer { unused = unused ?? lease }
                return row == 0 ? pass.lend("row") { 1 } : unused ?? lease
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
                        return pass.lend("row") { 0 }
                    }
                }
            }
            List().layout()
        }
    }
}
