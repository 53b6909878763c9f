import ListCells
import ScrollModel
import SourceChecks

extension Law {
    static let scrollModel: [Law] = [
        Law("ListCells/CellStore.swift", "a row is laid out once in a pass") {
            var pool = ReusePool<Int, Int, Int>()
            pool.layout([4, 4], at: 4, prepare: { _ in }) { _, pass in pass.dequeue(0) { 0 } }
        },
        Law("ListCells/CellStore.swift", "a row shows a cell that was dequeued for it") {
            var pool = ReusePool<Int, Int, Int>()
            var first: ReusePool<Int, Int, Int>.DequeuedCell?
            pool.layout(0..<2, prepare: { _ in }) { _, pass in
                let dequeued = first ?? pass.dequeue(0) { 0 }
                first = dequeued
                return dequeued
            }
        },
        Law("ListCells/CellStore.swift", "two rows don't become one") {
            var pool = ReusePool<Int, Int, Int>()
            pool.layout(0..<2, prepare: { _ in }) { _, pass in pass.dequeue(0) { 0 } }
            pool.layout(0..<2, following: { _ in 1 }, prepare: { _ in }) { _, pass in
                pass.dequeue(0) { 0 }
            }
        },
        Law("ScrollModel/ExponentialFling.swift", "a share of the speed is lost") {
            _ = ExponentialFling(keptPerSecond: 1)
        },
        Law("ScrollModel/FlingModelName.swift", "a brake is positive and finite") {
            _ = Scroller(.gtk, brake: .nan)
        },
        Law("ScrollModel/FlingPredictor.swift", "a lead is finite, zero or more") {
            _ = FlingPredictor(model: LinearFling(), lead: -0.5)
        },
        Law("ScrollModel/FlingPredictor.swift", "a minimum velocity is finite, zero or more") {
            _ = FlingPredictor(model: LinearFling(), minimumVelocity: .nan)
        },
        Law("ScrollModel/FlingPredictor.swift", "a slop is finite, zero or more") {
            _ = FlingPredictor(model: LinearFling(), slop: -1)
        },
        Law("ScrollModel/Flywheel.swift", "a fling that runs comes of a stroke") {
            _ = Flywheel(fling: fling, elapsed: .zero, strokes: 0)
        },
        Law("ScrollModel/Flywheel.swift", "content is no shorter than nothing") {
            _ = Flywheel(fling: fling, elapsed: .zero, pages: .nan)
        },
        Law("ScrollModel/GTKFling.swift", "a fling's constants are positive") {
            _ = GTKFling(ticksPerSecond: 0)
        },
        Law("ListCells/KeyedHeightCache.swift", "a height cache holds at least one key") {
            _ = KeyedHeightCache<Int>(limit: 0)
        },
        Law("ListCells/KeyedHeightCache.swift", "a height cache holds at least one width") {
            _ = KeyedHeightCache<Int>(widths: 0)
        },
        Law(
            "ScrollModel/ListLayout.swift",
            "a row's number is below the count of its section's rows"
        ) { _ = try ListLayout(rowCounts: [2]).extent(of: .row(RowIndex(section: 0, row: 2))) },
        Law(
            "ScrollModel/ListLayout.swift",
            "a row's position is below the count of rows"
        ) { _ = try ListLayout(rowCounts: [2]).row(atPosition: 2) },
        Law(
            "ScrollModel/ListLayout.swift",
            "a section's number is below the count of sections"
        ) { _ = try ListLayout(rowCounts: [2]).rowCount(inSection: 1) },
        Law(
            "ScrollModel/LineFlow.swift",
            "a flow has columns or a height, of at most 2^20"
        ) { _ = LineFlow(.columns(0), width: 100) },
        Law("ScrollModel/ListLayout+Lines.swift", "rows that flow in lines have frames") {
            _ = try ListLayout(rowCounts: [2]).frame(ofRowAt: 0)
        },
        Law("ScrollModel/ObservedFling.swift", "a fling that was seen has an end") {
            _ = ObservedFling(velocities: [], start: 0, offsets: [], viewportHeight: 1)
        },
        Law("ScrollModel/ObservedFling.swift", "an offset is finite") {
            _ = ObservedFling(
                velocities: [], start: 0, offsets: [(time: .zero, offset: .nan)], viewportHeight: 1)
        },
        Law(
            "ScrollModel/SectionedSums.swift", "a place is that of an element",
            never: "lists ask it for places that they got from it"),
        Law(
            "ScrollModel/SectionedSums.swift", "a position is that of a row",
            never: "lists ask it for positions that they have checked"),
        Law("ScrollModel/RowSet.swift", "a row of the set") { _ = RowSet(3..<5)[2] },
        Law("ScrollModel/VisibleChange.swift", "a row that was passed") {
            var viewport = try list
            _ = viewport.scroll(to: 1).entered[-1]
        },
        Law("ListCells/ReuseLimits.swift", "a cell waits no fewer than zero passes") {
            _ = ReuseLimits<String>(age: -1)
        },
        Law("ListCells/ReuseLimits.swift", "a reserve holds no fewer than zero cells") {
            _ = ReuseLimits<String>(capacity: -1)
        },
        Law("ListCells/ReuseLimits.swift", "a reserve holds no fewer than zero cells") {
            _ = ReuseLimits(capacities: ["row": -1])
        },
        Law("ListCells/ReusePool.swift", "rows are counted from zero") {
            var pool = ReusePool<Int, Int, Int>()
            pool.layout([0], at: -1, prepare: { _ in }) { _, pass in pass.dequeue(0) { 0 } }
        },
        Law("ScrollModel/RowHeights.swift", "a row's number is below the count of rows") {
            _ = try RowHeights([44])[1]
        },
        Law("ScrollModel/RowHeights.swift", "a row's number is from 0 to the count of rows") {
            _ = try RowHeights([44]).offset(ofRow: 2)
        },
        Law("ScrollModel/RowHeights.swift", "only rows that are there can go") {
            var rows = try RowHeights(count: 2, height: 1)
            rows.remove(1..<3)
        },
        Law("ScrollModel/VelocityTracker+Configuration.swift", "a span of time is positive") {
            _ = VelocityTracker.Configuration(horizon: .zero)
        },
        Law("ScrollModel/VelocityTracker+Configuration.swift", "a speed is zero or more") {
            _ = VelocityTracker.Configuration(limits: -1...1)
        },
        Law(
            "ScrollModel/VelocityTracker+Configuration.swift",
            "a velocity takes at least two samples"
        ) { _ = VelocityTracker.Configuration(capacity: 1) },
    ]

    private static var list: Viewport {
        get throws { Viewport(rows: try RowHeights([9]), height: 5) }
    }

    private static var fling: Fling {
        LinearFling().fling(from: 0, velocity: 1, bounds: 0...9, viewportHeight: 1)
    }
}
