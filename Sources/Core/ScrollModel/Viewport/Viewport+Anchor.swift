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
    /// (TanStack Virtual's rule, in virtual-core's resizeItem.) If rows flow in lines, the first
    /// line in view stays where it is. O(log n), and as much as lines change.
    ///
    /// - Precondition: the list has this element.
    /// - Throws: ``ListUpdateError/height(_:_:)``; the viewport is then unchanged.
    /// - Returns: the change of the offset, in px.
    @discardableResult
    public mutating func measure(
        _ height: Double, of element: ListElement, anchor: ScrollAnchor = .top
    ) throws(ListUpdateError) -> Double {
        if list.flow != nil {
            return try change(anchor) { list throws(ListUpdateError) in
                try list.setHeight(height, of: element)
            }
        }
        let (old, wasMeasured) = (list.extent(of: element), list.isMeasured(element))
        let (before, isAtEnd) = (offset, isAtEnd(anchor))
        try list.setHeight(height, of: element)
        let difference = list.extent(of: element).height - old.height
        let fold = before + insets.top
        var isAbove = wasMeasured ? old.end <= fold && direction >= 0 : old.offset < fold
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

    /// Inserts, deletes and moves rows and sections, without moving the rows in view.
    ///
    /// See ``ListLayout/perform(_:expecting:measure:)``.
    ///
    /// - Throws: ``ListUpdateError``; the viewport is then unchanged.
    /// - Returns: the new indexes of rows, the distance by which the offset moved, and the rows that
    ///   came into view and left it.
    @discardableResult
    public mutating func perform(
        _ updates: [ListUpdate], expecting counts: [Int]? = nil, anchor: ScrollAnchor = .top,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> ViewportUpdate {
        let (old, seen) = (list, visibleRows)
        var changed = list
        let mapping = try changed.perform(updates, expecting: counts, measure: measure)
        let shift = replace(changed, mapping: mapping, anchor: anchor)
        return ViewportUpdate(
            mapping: mapping, shift: shift,
            rows: seen.lazy.map { old.row(atPosition: $0) }, in: self)
    }

    /// Replaces the list with the result of a batch that was performed on a copy of it, without moving
    /// what is seen.
    ///
    /// For several viewports of one list: the batch is performed once, by
    /// ``ListLayout/perform(_:expecting:measure:)``, and each viewport is given what came of it.
    /// O(rows in view · log n).
    ///
    /// - Returns: the distance, in px, by which the offset moved to keep the rows in view in their
    ///   places.
    @discardableResult
    public mutating func replace(
        _ changed: ListLayout, mapping: IndexMapping, anchor: ScrollAnchor = .top
    ) -> Double {
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
        return replace(changed, mapping: .none, anchor: anchor)
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

/// The result of a batch update of a viewport's list.
public struct ViewportUpdate: Sendable {
    /// The new indexes of rows and sections.
    public let mapping: IndexMapping
    /// The distance, in px, by which the offset moved to keep the rows in view in their places.
    ///
    /// A host that moves the list along a path of its own, such as that of a fling, shifts the path
    /// by it.
    public let shift: Double
    /// The rows that came into view, by their indexes after the batch; reloaded rows included.
    public let entered: [RowIndex]
    /// The rows that left the view, by their indexes before the batch; reloaded rows included.
    public let left: [RowIndex]

    init(
        mapping: IndexMapping, shift: Double, rows seen: some Sequence<RowIndex>,
        in viewport: Viewport
    ) {
        let visible = viewport.visibleRows
        var (stayed, left): (Set<Int>, [RowIndex]) = ([], [])
        for row in seen {
            let now = mapping.newIndex(of: row).map { viewport.list.position(of: $0) }
            if let now, visible.contains(now) { stayed.insert(now) } else { left.append(row) }
        }
        self.mapping = mapping
        self.shift = shift
        self.left = left
        entered = visible.filter { !stayed.contains($0) }
            .map { viewport.list.row(atPosition: $0) }
    }
}
