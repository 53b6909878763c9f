/// The part of a list that keeps its position on screen when rows change.
public enum ScrollAnchor: Sendable, Equatable {
    /// No row: the offset stays, whatever it shows.
    case offset
    /// The first row in view that still exists afterwards.
    case top
    /// A given row, if it exists before and after; otherwise like `top`.
    case row(RowIndex)
    /// The end of the list if it is at most `threshold` px away, as in a chat; otherwise like
    /// `top`.
    case end(threshold: Double)
}

// Changes that keep rows in view in place.
extension Viewport {
    /// Sets the measured height of an element, in px, without moving the rows in view.
    ///
    /// With the anchor `top`, changes above the top of the viewport move the offset: of an element
    /// measured for the first time if it begins there; of one that was measured before only if it
    /// also ends there and the list isn't being scrolled up, since the list would otherwise move
    /// away under the finger. While the list is animated to a target, nothing else moves it.
    /// (TanStack Virtual's rule, in virtual-core's resizeItem.) If it is a row that flows in lines, the
    /// first line in view stays where it is. O(log n), and as much as lines change.
    ///
    /// - Precondition: the list has this element.
    /// - Throws: ``ListUpdateError/height(_:_:)``; the viewport is then unchanged.
    /// - Returns: the change of the offset, in px.
    @discardableResult
    public mutating func measure(
        _ height: Double, of element: ListElement, anchor: ScrollAnchor = .top
    ) throws(ListUpdateError) -> Double {
        if list.flow != nil, case .row = element {
            return try change(anchor) { list throws(ListUpdateError) in
                try list.setHeight(height, of: element)
            }
        }
        let (old, wasMeasured) = (list.extent(of: element), list.isMeasured(element))
        let (before, isAtEnd) = (offset, isAtEnd(anchor))
        try list.setHeight(height, of: element)
        let difference = list.extent(of: element).height - old.height
        var isAbove = old.offset < before
        if wasMeasured { isAbove = isAbove && old.end <= before && direction >= 0 }
        switch anchor {
        case .offset: isAbove = false
        case .row(let row):
            if list.contains(row) { isAbove = list.isAbove(element, row) }
        case .top, .end: break
        }
        if case .animating = phase { isAbove = false }
        return shift(
            from: before, by: isAtEnd ? maximumOffset - before : isAbove ? difference : 0)
    }

    /// Changes rows and sections in one batch, without moving the rows in view.
    ///
    /// See ``ListLayout/perform(_:measure:)``.
    ///
    /// - Throws: ``ListUpdateError``; the viewport is then unchanged.
    /// - Returns: the new indexes of rows and sections.
    @discardableResult
    public mutating func perform(
        _ updates: [ListUpdate], anchor: ScrollAnchor = .top,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        var changed = list
        let mapping = try changed.perform(updates, measure: measure)
        replace(changed, mapping: mapping, anchor: anchor)
        return mapping
    }

    /// Replaces the list with the result of a batch that was performed on a copy of it, without moving
    /// what is seen.
    ///
    /// For several viewports of one list: the batch is performed once, by
    /// ``ListLayout/perform(_:measure:)``, and each viewport is given what came of it.
    /// O(rows in view · log n).
    ///
    /// Without a mapping, the rows are the same, at other offsets.
    ///
    /// - Returns: the distance, in px, by which the offset moved to keep the rows in view in their
    ///   places.
    @discardableResult
    public mutating func replace(
        _ changed: ListLayout, mapping: IndexMapping? = nil, anchor: ScrollAnchor = .top
    ) -> Double {
        let mapping = mapping ?? .none
        let (before, isAtEnd) = (offset, isAtEnd(anchor))
        var distance = 0.0
        if !isAtEnd, let (then, now) = anchorRow(anchor, visibleRows, mapping) {
            let (old, new) = (list.extent(of: .row(then)), changed.extent(of: .row(now)))
            distance = new.offset - old.offset
            if list.flow != changed.flow, old.height > 0 {
                // The line is of another height now: the same part of it is above the top.
                let part = min(max((offset - old.offset) / old.height, 0), 1)
                distance += part * (new.height - old.height)
            }
            keptRow = changed.flow == nil ? nil : now
        }
        list = changed
        return shift(from: before, by: isAtEnd ? maximumOffset - before : distance)
    }

    /// Arranges the rows in lines, or in lines of another width, without moving what is seen: the
    /// first row in view stays at the top.
    ///
    /// See ``ListLayout/arrange(_:)``.
    ///
    /// - Throws: ``ListUpdateError``; the viewport is then unchanged.
    /// - Returns: the distance, in px, by which the offset moved.
    @discardableResult
    public mutating func arrange(
        _ flow: LineFlow?, anchor: ScrollAnchor = .top
    ) throws(ListUpdateError) -> Double {
        try change(anchor) { list throws(ListUpdateError) in try list.arrange(flow) }
    }

    /// Changes the measures or lines of rows, without moving what is seen.
    private mutating func change(
        _ anchor: ScrollAnchor, _ body: (inout ListLayout) throws(ListUpdateError) -> Void
    ) throws(ListUpdateError) -> Double {
        var changed = list
        try body(&changed)
        return replace(changed, anchor: anchor)
    }

    private func isAtEnd(_ anchor: ScrollAnchor) -> Bool {
        guard case .end(let threshold) = anchor, !phase.isFlying else { return false }
        return maximumOffset - offset <= threshold
    }

    /// Returns the row that keeps its position, by its old index and its new one.
    private func anchorRow(
        _ anchor: ScrollAnchor, _ seen: RowSet, _ mapping: IndexMapping
    ) -> (then: RowIndex, now: RowIndex)? {
        if case .animating = phase { return nil }
        if case .offset = anchor { return nil }
        if case .row(let row) = anchor, list.contains(row), let now = mapping.newIndex(of: row) {
            return (row, now)
        }
        if let row = keptRow, list.contains(row), seen.contains(list.position(of: row)),
            let now = mapping.newIndex(of: row)
        {
            return (row, now)
        }
        for position in seen {
            let row = list.row(atPosition: position)
            // A row that was reloaded in its place is as good.
            if let now = mapping.newIndex(of: row) ?? mapping.newPlace(of: row) {
                return (row, now)
            }
        }
        return nil
    }
}
