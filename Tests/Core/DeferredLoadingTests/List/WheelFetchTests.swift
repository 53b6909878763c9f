import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// Fetches of a list that a wheel turns notch by notch.
struct WheelFetchTests {
    @Test(arguments: [(120, true), (4, false)])
    func `between two notches, a fetch goes on as long as there are places`(
        _ places: Int, goesOn: Bool
    ) throws {
        let bench = try LoaderBench(limit: 1_000, workers: places, byThemselves: true)
        bench.source.fetchCost = .milliseconds(80)
        let operations = try #require(bench.source.operations)
        let list = DeferredList(
            sharing: bench.loader,
            Viewport(rows: try RowHeights(count: 5_000, height: 100), height: 1_000),
            key: { $0 }, show: { _, _ in })
        var (frame, offset) = (60, 0.0)
        try bench.run(until: 16 * frame)
        for _ in 0..<4 {
            list.handle(.wheel)
            for step in 0..<8 {  // it moves for four frames, and rests for four
                frame += 1
                try bench.run(until: 16 * frame)
                if step < 4 { offset += 500 }
                list.scrolled(to: offset)
            }
        }
        #expect(operations.all.contains { $0.key > 60 })
        #expect(operations.cancelled.isEmpty == goesOn)
        list.close()
    }
}
