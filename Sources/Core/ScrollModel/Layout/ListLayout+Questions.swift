/// The vertical extent of an element in a list, in px from the top.
public struct Extent: Sendable, Hashable {
    /// The offset of its top edge.
    public var offset: Double
    /// The height.
    public var height: Double

    /// An extent with an offset and a height.
    package init(offset: Double, height: Double) {
        self.offset = offset
        self.height = height
    }

    /// The offset of its bottom edge.
    package var end: Double { offset + height }
}

// Queries for positions and elements.
extension ListLayout {
    // MARK: - Indexes and positions

    /// Returns a row's position in the whole list; O(log n).
    ///
    /// - Precondition: the list has this row.
    public func position(of row: RowIndex) -> Int {
        require(.row(row))
        return sums.position(of: row)
    }

    /// Returns the row at a position in the whole list; O(log n).
    ///
    /// - Precondition: `position` is below ``rowCount``.
    public func row(atPosition position: Int) -> RowIndex {
        requirePosition(position)
        return sums.row(atPosition: position)
    }

    // MARK: - Extents

    /// Returns the extent of an element; O(log n).
    ///
    /// - Precondition: the list has this element.
    public func extent(of element: ListElement) -> Extent {
        require(element)
        return extent(atPlace: sums.place(of: element))
    }

    /// Returns the extent of the row at a position in the whole list; O(log n).
    ///
    /// - Precondition: `position` is below ``rowCount``.
    public func extent(ofRowAt position: Int) -> Extent {
        requirePosition(position)
        return extent(atPlace: sums.place(ofRowAt: position))
    }

    private func extent(atPlace place: Int) -> Extent {
        let place = sums.values.place(at: place)
        return Extent(
            offset: HeightSteps.pixels(place.sum), height: HeightSteps.pixels(place.value))
    }

    // MARK: - Elements at offsets

    /// Returns the element at an offset, in px from the top; O(log n).
    ///
    /// An element includes its top edge, but not its bottom edge; elements of zero height are at no
    /// offset. Above the content, the result is the first element with a height; beyond the end,
    /// nil.
    ///
    /// - Precondition: `offset` is a number.
    public func element(at offset: Double) -> ListElement? {
        precondition(!offset.isNaN, "an offset is a number")
        return place(endingAfter: HeightSteps.atOrBefore(offset)).map {
            sums.element(at: $0.index)
        }
    }

    /// Returns the position of the row at an offset, in px from the top; nil if there's none.
    ///
    /// O(log n).
    ///
    /// - Precondition: the offset is a number.
    public func position(at offset: Double) -> Int? {
        if case .row(let row)? = element(at: offset) { sums.position(of: row) } else { nil }
    }

    /// Calls `body` with each header, row and footer in a viewport, from the top, and its extent.
    ///
    /// The viewport is given by its offset and height, in px. It leaves out elements of zero
    /// height. O(log n), and O(1) for each element.
    ///
    /// - Precondition: `offset` is a number; `height` is finite and not negative.
    public func forEachElement(
        offset: Double, height: Double, _ body: (ListElement, Extent) -> Void
    ) {
        precondition(height >= 0 && height.isFinite, "a window's height is finite, zero or more")
        precondition(!offset.isNaN, "an offset is a number")
        guard let first = place(endingAfter: HeightSteps.atOrBefore(offset)) else { return }
        let bottom = HeightSteps.atOrAfter(offset + height)
        var start = first.sum
        var element = sums.element(at: first.index)
        var rows = sums.rowCount(inSection: element.section)
        sums.values.forEach(from: first.index) { value in
            guard start < bottom else { return false }
            if value > 0 {
                let extent = Extent(
                    offset: HeightSteps.pixels(start), height: HeightSteps.pixels(value))
                body(element, extent)
            }
            start += value
            element = element.next(inSectionOf: rows)
            if case .header(let section) = element, section < sectionCount {
                rows = sums.rowCount(inSection: section)
            }
            return true
        }
    }

    /// Returns the positions of the rows seen through a window of the given height (px) at an offset.
    ///
    /// These are the rows that end below the viewport's top edge and begin above its bottom edge.
    /// Rows of zero height are never the first or the last, but may lie between. O(log n), and as
    /// much for each header and footer above the first row in view and below the last.
    ///
    /// - Precondition: the offset is a number; the height is finite and not negative.
    public func visibleRows(offset: Double, height: Double) -> Range<Int> {
        precondition(height >= 0 && height.isFinite, "a window's height is finite, zero or more")
        precondition(!offset.isNaN, "an offset is a number")
        let bottom = min(HeightSteps.atOrAfter(offset + height), sums.values.total)
        var next = place(endingAfter: HeightSteps.atOrBefore(offset))
        while let place = next, place.sum < bottom {
            let (first, isRow) = sums.rows(before: place.index)
            if isRow { return first..<lastRow(above: bottom) + 1 }
            next = self.place(endingAfter: place.end)
        }
        let position = next.map { sums.rows(before: $0.index).count } ?? rowCount
        return position..<position
    }

    /// Returns the position of the last row with a height that begins above an offset in steps;
    /// there must be one.
    private func lastRow(above bottom: Int64) -> Int {
        var limit = bottom
        while true {
            guard let place = place(endingAfter: limit - 1) else { return rowCount - 1 }
            let (row, isRow) = sums.rows(before: place.index)
            if isRow { return row }
            limit = place.sum
        }
    }

    /// Returns the first element whose end, in steps, is greater than `limit`.
    private func place(endingAfter limit: Int64) -> SumPlace? {
        sums.values.place(endingAfter: max(limit, 0))
    }

    // MARK: - Preconditions

    private func requirePosition(_ position: Int) {
        precondition(
            position >= 0 && position < rowCount, "a row's position is below the count of rows")
    }

    func require(_ section: Int) {
        precondition(
            section >= 0 && section < sectionCount,
            "a section's number is below the count of sections")
    }

    func require(_ element: ListElement) {
        switch element {
        case .header(let section), .footer(let section): require(section)
        case .row(let index):
            require(index.section)
            precondition(
                index.row >= 0 && index.row < sums.rowCount(inSection: index.section),
                "a row's number is below the count of its section's rows")
        }
    }
}
