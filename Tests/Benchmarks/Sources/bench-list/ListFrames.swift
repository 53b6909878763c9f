import CAllocations
import DeferredLoading
import IdleLoop
import ScrollModel
import Workloads

/// Rows that are never loaded: the loop doesn't run.
private struct Nothing: LoadSource {
    struct Unloadable: Error {}

    func load(_ key: Int, fetched: Never?) throws -> any Load<Int> { throw Unloadable() }
}

extension Rows {
    /// R6: a frame's work through a `DeferredList`, in a fling, from scrolling to reconciling.
    ///
    /// Some go so slowly that no row comes or goes.
    func playListFrames() throws {
        for (count, name) in Self.sizes {
            let rows = try RowHeights(heights(count))
            for (step, speed) in [(2.0, "slow"), (0.01, "still")] {
                try playListFrames(rows, .visible, step, "visible, \(speed) \(name)")
                try playListFrames(rows, .within(rows: 3), step, "within, \(speed) \(name)")
                try playListFrames(rows, .value, step, "value, \(speed) \(name)")
            }
        }
    }

    private func playListFrames(
        _ rows: RowHeights, _ rule: some LoadingPolicy, _ way: Double, _ name: String
    ) throws {
        let virtual = VirtualTime()
        let loop = try MainLoop(clock: .virtual(virtual))
        var viewport = Viewport(rows: rows, height: 1_080)
        viewport.scroll(to: rows.contentHeight / 3)
        let list = try DeferredList(
            on: loop, viewport, source: Nothing(), options: .init(rule: rule), key: { $0 },
            show: { _, _ in })
        let frames = 100_000
        var offset = viewport.offset
        var shown = 0
        /// A finger leaves the list, and that goes on as fast, as some scrollers have it.
        func lift() {
            list.handle(.down(y: 700))
            for step in 1...6 {
                virtual.charge(.milliseconds(16))
                offset += way
                list.handle(.moved(y: 700 - way * Double(step)), offset: offset)
            }
            list.handle(.up(y: 700 - 7 * way), offset: offset)
        }
        func frame(_ number: Int) {
            if number % 240 == 0 { lift() }
            virtual.charge(.milliseconds(16))
            offset += number / 4_000 % 2 == 0 ? way : -way
            list.scrolled(to: offset)
            shown &+= list.viewport.visibleRows.bounds.lowerBound
        }
        for number in 0..<8_000 { frame(number) }
        let allocations = allocation_count()
        let spent = time { for number in 0..<frames { frame(number) } }
        let more = allocation_count() - allocations
        keep(shown, offset)
        report("R6", name, "ns_per_frame", spent / Double(frames))
        report("R6", name, "allocations_per_frame", Double(more) / Double(frames))
    }
}
