import ImageLoading
import ScrollModel

/// The rows of a list in one order: their aspect ratios, and their lines in each flow in use.
struct ArrangedRows: Sendable {
    /// The aspect ratio of a picture whose size isn't known.
    static let usualRatio = 1.5
    /// The number of steps in which aspect ratios are counted.
    static let ratioSteps = 64.0

    /// The rows, measured by aspect ratios.
    private(set) var layout: ListLayout
    /// The rows in lines; always those of one row each.
    private(set) var flows: [ListArrangement.Flow: ListLayout] = [:]

    /// No rows.
    init() {
        let estimates = ListLayout.Estimates(
            row: Self.usualRatio, header: ListArrangement.Flow.headerHeight)
        layout = Self.valid { () throws(ListUpdateError) in
            try ListLayout(rowCounts: [], estimates: estimates)
        }
        arrange(.rows)
    }

    /// Returns the aspect ratio of a picture of a size, in whole steps; at most 1:16 or 16:1.
    static func ratio(of pixels: PixelSize) -> Double {
        let ratio = Double(max(1, pixels.width)) / Double(max(1, pixels.height))
        return (min(max(ratio, 1.0 / 16), 16) * ratioSteps).rounded() / ratioSteps
    }

    /// Adds the lines of a flow, unless they are there; O(n).
    mutating func arrange(_ flow: ListArrangement.Flow) {
        guard flows[flow] == nil else { return }
        var arranged = layout
        Self.valid { () throws(ListUpdateError) in try arranged.arrange(flow.lines) }
        flows[flow] = arranged
    }

    /// Removes the lines of flows that aren't among these.
    mutating func keep(_ used: Set<ListArrangement.Flow>) {
        guard flows.keys.contains(where: { $0 != .rows && !used.contains($0) }) else { return }
        flows = flows.filter { $0.key == .rows || used.contains($0.key) }
    }

    /// Performs updates, and sets the aspect ratios of some rows then.
    ///
    /// - Parameters:
    ///   - updates: The updates.
    ///   - ratios: The new ratios, by the indexes after the updates; nil for the usual one.
    /// - Returns: The mapping of rows, and the rows that stayed and have another ratio, ascending.
    mutating func perform(
        _ updates: [ListUpdate], ratios: [(row: RowIndex, ratio: Double?)]
    ) -> (mapping: IndexMapping, measured: [Int]) {
        let mapping = Self.valid { () throws(ListUpdateError) in try layout.perform(updates) }
        var elements: [ListElement] = []
        for case .insertSection(let section, _) in updates {
            let (header, footer) = (
                ListElement.header(section: section), ListElement.footer(section: section)
            )
            elements += [header, footer]
            Self.valid { () throws(ListUpdateError) in
                try layout.setHeight(ListArrangement.Flow.headerHeight, of: header)
                try layout.setHeight(0, of: footer)
            }
        }
        var measured: Set<Int> = []
        for (row, ratio) in ratios {
            let ratio = ratio ?? Self.usualRatio
            if layout.extent(of: .row(row)).height != ratio, mapping.oldIndex(of: row) != nil {
                measured.insert(layout.position(of: row))
            }
            elements.append(.row(row))
            Self.valid { () throws(ListUpdateError) in
                try layout.setHeight(ratio, of: .row(row))
            }
        }
        for flow in flows.keys {
            Self.valid { () throws(ListUpdateError) in
                try flows[flow]?.follow(layout, mapping, measured: elements)
            }
        }
        return (mapping, measured.sorted())
    }

    /// Checks that lines are those of the rows; O(n), for tests.
    func checkInvariants() {
        for (flow, arranged) in flows {
            var new = layout
            Self.valid { () throws(ListUpdateError) in try new.arrange(flow.lines) }
            precondition(arranged == new, "lines are those of the rows")
        }
    }

    private static func valid<Value>(_ body: () throws(ListUpdateError) -> Value) -> Value {
        do {
            return try body()
        } catch {
            preconditionFailure("what a list is told adds up: \(error)")
        }
    }
}
