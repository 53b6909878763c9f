internal import LullLibC

// Rows in lines.
extension ListLayout {
    /// The flow of the rows in lines; nil if each row is below the one before.
    package var flow: LineFlow? { grid?.flow }

    /// Returns the positions of the rows in the line of the row at a position; O(log n).
    ///
    /// - Precondition: the list has a row at this position.
    package func line(ofRowAt position: Int) -> Range<Int> {
        requirePosition(position)
        return grid.map { $0.rows(at: $0.place(ofRowAt: position)) } ?? position..<position + 1
    }

    /// Calls `body` with each element in the line at a place; with no row if only the spacing has
    /// pixels.
    func forEachElement(
        in grid: LineGrid, at place: SumPlace, _ body: (ListElement, Extent) -> Void
    ) {
        let rows = grid.rows(at: place.index)
        guard rows.isEmpty ? HeightSteps.hasPixels(place.value, at: place.sum) : hasPixels(place)
        else { return }
        let extent = Extent(place)
        if rows.isEmpty { body(grid.lines.element(at: place.index), extent) }
        for row in rows { body(.row(sums.row(atPosition: row)), extent) }
    }

    /// Checks that the content can't be larger than it may be, whatever lines come of its rows.
    static func requireRoom(
        for sums: SectionedSums, adding value: Int64 = 0, in flow: LineFlow
    ) throws(ListUpdateError) {
        let (lines, isTooLarge) = Int64(sums.rowCount)
            .multipliedReportingOverflow(by: flow.mostOwnHeight)
        let room = HeightSteps.maximumTotal - sums.values.total - value
        guard isTooLarge || lines > room else { return }
        let height = HeightSteps.pixels(flow.mostOwnHeight)
        let row = Int(max(0, room) / flow.mostOwnHeight)
        throw .height(.row(sums.row(atPosition: row)), .tooLarge(row: row, height: height))
    }

    // MARK: - Frames

    /// Returns the frame of the row at a position, without the spacing; O(log n), and O(rows in its
    /// line).
    ///
    /// - Precondition: the list has a row at this position, and rows flow in lines.
    public func frame(ofRowAt position: Int) -> RowFrame {
        guard let grid else { preconditionFailure("rows that flow in lines have frames") }
        let (flow, line) = (grid.flow, line(ofRowAt: position))
        let extent = extent(ofRowAt: position)
        let height = max(0, extent.height - flow.spacing)
        var (start, width) = (0.0, 0.0)
        if let columns = flow.columns {
            width = max(0, (flow.width + flow.spacing) / Double(columns) - flow.spacing)
            start = Double(position - line.lowerBound) * (width + flow.spacing)
        } else {
            var rest = position - line.lowerBound
            sums.values.forEach(from: sums.place(ofRowAt: line.lowerBound)) { value in
                width = HeightSteps.pixels(LineBreaker.ratio(value)) * height
                guard rest > 0 else { return false }
                rest -= 1
                start += width + flow.spacing
                return true
            }
        }
        return flow.isHorizontal
            ? RowFrame(x: extent.offset, y: start, width: height, height: width)
            : RowFrame(x: start, y: extent.offset, width: width, height: height)
    }
}
