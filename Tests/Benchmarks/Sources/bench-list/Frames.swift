import CAllocations
import ScrollModel
import Workloads

extension Rows {
    /// R5: a frame's work in a fling: scroll, go through the rows in view, and ask where each element
    /// lies.
    func playFrames() throws {
        for (count, name) in Self.sizes {
            try play(ListLayout(RowHeights(heights(count))), name)
        }
        try play(ListLayout(rowCounts: [1_000_000_000]), "10^9 equal")
        // As many rows in sections of ten, each with a header.
        let sections = Array(repeating: 10, count: 100_000)
        try play(ListLayout(rowCounts: sections, estimates: .init(header: 22)), "10^5 sections")
    }

    private func play(_ list: ListLayout, _ name: String) {
        var viewport = Viewport(list, height: 1_080)
        viewport.scroll(to: list.contentHeight / 3)
        let frames = 200_000
        var (sum, passed) = (0.0, 0)
        // Up and down within a hundred screens, as people do; where the memory is that it needs
        // doesn't depend on the list.
        let start = viewport.offset
        func frame(_ number: Int) {
            let swing = Double(abs(number % 4_000 - 2_000)) * min(50, list.contentHeight / 8_000)
            viewport.scroll(to: start + swing)
            for row in viewport.visibleRows { passed &+= row }
            viewport.list.forEachElement(offset: viewport.offset, height: viewport.height) {
                sum += $1.offset
            }
        }
        for number in 0..<4_000 { frame(number) }
        let allocations = allocation_count()
        let time = time { for number in 0..<frames { frame(number) } }
        let more = allocation_count() - allocations
        keep(passed, sum)
        report("R5", name, "ns_per_frame", time / Double(frames))
        report("R5", name, "allocations", Double(more))
    }
}
