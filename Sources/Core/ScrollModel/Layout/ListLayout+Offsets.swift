internal import LullLibC

// Elements at offsets, and rows in view.
extension ListLayout {
    /// Returns the element at an offset, in px from the top; O(log n).
    ///
    /// An element includes its top edge, but not its bottom edge; elements of zero height are at no
    /// offset. Above the content, the result is the first element with a height; beyond the end,
    /// nil. In lines, it's the first row of the line.
    public func element(at offset: Double) -> ListElement? {
        guard let place = place(endingAfter: HeightSteps.atOrBefore(offset))?.index else {
            return nil
        }
        guard let grid else { return sums.element(at: place) }
        guard let row = grid.rows(at: place).first else { return grid.lines.element(at: place) }
        return .row(sums.row(atPosition: row))
    }

    /// Returns the position of the row at an offset, in px from the top; nil if there's none.
    ///
    /// O(log n).
    public func position(at offset: Double) -> Int? {
        if case .row(let row)? = element(at: offset) { sums.position(of: row) } else { nil }
    }

    /// Calls `body` with each header, row and footer in a viewport, from the top, and its extent; the
    /// list's own header and footer are among them.
    ///
    /// The viewport is given by its offset and height, in px. It leaves out elements without pixels,
    /// see ``visibleRows(offset:height:)``. O(log n), and O(1) for each element.
    public func forEachElement(
        offset: Double, height: Double, _ body: (ListElement, Extent) -> Void
    ) {
        let window = window(offset: offset, height: height)
        var next = place(endingAfter: window.top)
        while let first = next, first.sum < window.bottom {
            let end: Int64
            if let grid {
                forEachElement(in: grid, at: first, body)
                end = first.end
            } else {
                end = forEachElement(from: first, above: window.bottom, body)
            }
            next = self.next(after: end, in: window)
        }
    }

    /// Calls `body` with each element that has pixels, from a place to an offset in steps or to a
    /// number of neighbours without pixels, and returns where it stopped.
    private func forEachElement(
        from first: SumPlace, above bottom: Int64, _ body: (ListElement, Extent) -> Void
    ) -> Int64 {
        var (start, empty) = (first.sum, 0)
        var element = sums.element(at: first.index)
        var rows = element.section.map { sums.rowCount(inSection: $0) } ?? 0
        sums.values.forEach(from: first.index) { value in
            // To jump over a few elements would cost more than to visit them.
            guard start < bottom, empty < 8 else { return false }
            if HeightSteps.hasPixels(value, at: start) {
                let extent = Extent(
                    offset: HeightSteps.pixels(start), height: HeightSteps.pixels(value))
                body(element, extent)
                empty = 0
            } else {
                empty += 1
            }
            start += value
            element = element.next(inSectionOf: rows, of: sectionCount)
            if case .header(let section) = element {
                rows = sums.rowCount(inSection: section)
            }
            return true
        }
        return start
    }

    /// Returns the positions of the rows seen through a window of the given height (px) at an offset.
    ///
    /// These are the rows that end below the viewport's top edge and begin above its bottom edge,
    /// without those that have no pixels: rows of no height, rows in lines of no height, and, of
    /// rows lower than a quarter of a pixel, those that lie between two quarters. O(log n) if the
    /// list has had no such rows; otherwise as much for each gap between the rows in view, O(1) for
    /// other lines, and less for equal ones.
    public func visibleRows(offset: Double, height: Double) -> RowSet {
        let (window, spacing) = (window(offset: offset, height: height), spacing)
        var visible = RowSet(0..<0)
        var next = place(endingAfter: window.top)
        if let first = next, first.sum < window.bottom, isEachRowThick,
            let last = place(endingAfter: window.bottom - 1)
        {
            return RowSet(rows(at: first.index).lowerBound..<rows(at: last.index).upperBound)
        }
        while let first = next, first.sum < window.bottom {
            var (count, end) = (0, first.sum)
            heights.forEachRun(from: first.index) { value, times in
                let height = value - spacing
                guard end < window.bottom, HeightSteps.hasPixels(height, at: end) else {
                    return false
                }
                let rest = window.bottom - end - 1
                let most = HeightSteps.isThick(height) ? Int(rest / value) + 1 : 1
                count += min(times, most)
                end += value * Int64(min(times, most))
                return times <= most
            }
            if count > 0 {
                let start = rows(at: first.index)
                let end = count == 1 ? start : rows(at: first.index + count - 1)
                visible.append(start.lowerBound..<end.upperBound)
            }
            next = self.next(after: max(end, first.end), in: window)
        }
        guard visible.isEmpty else { return visible }
        let after = place(endingAfter: window.bottom).map { rows(at: $0.index).lowerBound }
        return RowSet((after ?? rowCount)..<(after ?? rowCount))
    }

    /// Returns whether the row at a position has pixels, see ``visibleRows(offset:height:)``;
    /// O(log n).
    ///
    /// - Precondition: `position` is below ``rowCount``.
    package func hasPixels(rowAt position: Int) -> Bool {
        requirePosition(position)
        return hasPixels(heights.place(at: place(ofRowAt: position)))
    }

    func hasPixels(_ place: SumPlace) -> Bool {
        HeightSteps.hasPixels(place.value - spacing, at: place.sum)
    }

    /// Whether all rows, or lines of rows, have pixels wherever they are, as far as is known.
    private var isEachRowThick: Bool {
        HeightSteps.isThick((grid?.lines.leastRow ?? sums.leastRow) - spacing)
    }

    /// The space after each line, in steps, which shows nothing of its rows.
    private var spacing: Int64 { grid.map { HeightSteps.nearest($0.flow.spacing) } ?? 0 }

    /// Returns the edges of a viewport in steps; the bottom one is within the content.
    private func window(offset: Double, height: Double) -> (top: Int64, bottom: Int64) {
        (
            HeightSteps.atOrBefore(offset),
            min(HeightSteps.atOrAfter(offset + height), heights.total)
        )
    }

    /// Returns the first place in a window that has more pixels than those up to `end`, the end of
    /// places with pixels or of one without; nil if there is none.
    ///
    /// Whatever has no pixels is jumped over. O(log n), and O(1) at the window's bottom edge.
    private func next(after end: Int64, in window: (top: Int64, bottom: Int64)) -> SumPlace? {
        guard end < window.bottom else { return nil }
        return place(endingAfter: HeightSteps.point(atOrAfter: end))
    }

    /// Returns the positions of the rows at a place: none for a header or footer, and several for a
    /// line.
    private func rows(at place: Int) -> Range<Int> {
        grid?.rows(at: place) ?? sums.rows(at: place)
    }

    /// Returns the rows of a set, and so many lines with pixels before and after them.
    ///
    /// O(log n) for each; it passes over up to 64 others with pixels, such as headers whose sections
    /// show no rows.
    package func rows(_ rows: RowSet, before: Int, after: Int) -> RowSet {
        var all = rows
        forEachLine(before, from: rows.lowerBound, isDown: false) { all.prepend($0) }
        forEachLine(after, from: rows.upperBound, isDown: true) { all.append($0) }
        return all
    }

    /// Calls `body` with the rows of so many lines with pixels before or from a row, the nearest
    /// first.
    private func forEachLine(
        _ count: Int, from row: Int, isDown: Bool, _ body: (Range<Int>) -> Void
    ) {
        guard count > 0 else { return }
        var (edge, lines, others) = (top(ofRowAt: row), 0, 0)
        while lines < count, others < 64, isDown || edge > 0 {
            let point =
                isDown ? HeightSteps.point(atOrAfter: edge) : HeightSteps.point(before: edge)
            guard let place = place(endingAfter: point) else { break }
            let rows = rows(at: place.index)
            if !rows.isEmpty, hasPixels(place) {
                lines += 1
                body(rows)
            } else {
                others += 1
            }
            edge = isDown ? place.end : place.sum
        }
    }

    private func top(ofRowAt position: Int) -> Int64 {
        position < rowCount ? heights.sum(ofFirst: place(ofRowAt: position)) : heights.total
    }

    /// Returns the place of the row at a position, or of its line.
    func place(ofRowAt position: Int) -> Int {
        grid?.place(ofRowAt: position) ?? sums.place(ofRowAt: position)
    }

    /// Returns the first element whose end, in steps, is greater than `limit`.
    private func place(endingAfter limit: Int64) -> SumPlace? {
        heights.place(endingAfter: max(limit, 0))
    }
}
