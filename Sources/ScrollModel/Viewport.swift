/// The window through which a list is seen: its height, and how far it is scrolled.
///
/// The offset is that of the window's top edge within the content. It always lies between 0 and
/// ``maximumOffset``, so that code downstream never meets a list scrolled past its end.
///
///     var viewport = Viewport(rows: heights, height: 800)
///     let change = viewport.scroll(to: 1_200)
///     for row in change.entered { … }
public struct Viewport: Sendable, Equatable {
    /// The list that is looked at.
    ///
    /// Changing it clamps the offset again. Whoever needs to know what that did to the visible rows compares
    /// ``visibleRows`` before and after, with ``VisibleChange/init(from:to:)``.
    public var rows: RowHeights {
        didSet { offset = clamped(offset) }
    }

    /// The window's height in px; changing it clamps the offset again.
    ///
    /// - Precondition: finite, and not negative.
    public var height: Double {
        didSet {
            requireHeight()
            offset = clamped(offset)
        }
    }

    /// The content offset at the window's top edge, in px.
    public private(set) var offset: Double

    /// A window of the given height (px) on a list, at an offset that is clamped if need be.
    ///
    /// - Precondition: the height is finite and not negative; the offset is a number.
    public init(rows: RowHeights, height: Double, offset: Double = 0) {
        self.rows = rows
        self.height = height
        self.offset = 0
        requireHeight()
        self.offset = clamped(offset)
    }

    /// The offset, in px, at which the last row ends at the window's bottom edge; 0 if all rows
    /// fit into the window.
    public var maximumOffset: Double { max(0, rows.contentHeight - height) }

    /// The nearest offset, in px, at which the list can rest.
    ///
    /// - Precondition: the offset is a number; it may be infinite.
    public func clamped(_ offset: Double) -> Double {
        precondition(!offset.isNaN, "an offset is a number")
        return min(max(offset, 0), maximumOffset)
    }

    /// The rows in view, by the rule of ``RowHeights/visibleRows(offset:height:)``; O(log n).
    public var visibleRows: Range<Int> { rows.visibleRows(offset: offset, height: height) }

    /// The rows that would be in view at another offset in px, which is clamped first; O(log n).
    ///
    /// - Precondition: the offset is a number.
    public func visibleRows(at offset: Double) -> Range<Int> {
        rows.visibleRows(offset: clamped(offset), height: height)
    }

    /// Moves to an offset in px, clamped, and tells what came into view and what went.
    ///
    /// O(log n + rows in view before and after).
    ///
    /// - Precondition: the offset is a number.
    @discardableResult
    public mutating func scroll(to offset: Double) -> VisibleChange {
        let old = visibleRows
        self.offset = clamped(offset)
        return VisibleChange(from: old, to: visibleRows)
    }

    private func requireHeight() {
        precondition(height >= 0 && height.isFinite, "a viewport's height is finite, zero or more")
    }
}
