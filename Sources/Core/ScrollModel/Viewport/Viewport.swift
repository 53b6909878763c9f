internal import LullLibC

/// The viewport of a list: its height, and the offset to which it is scrolled.
///
/// The offset is that of the viewport's top edge within the content. It is always between
/// ``minimumOffset`` and ``maximumOffset``, so other code never gets a list that is scrolled beyond
/// its end.
///
/// ```swift
/// var viewport = Viewport(rows: heights, height: 800)
/// let change = viewport.scroll(to: 1_200)
/// for row in change.entered { … }
/// viewport.scroll(to: viewport.offset(showing: RowIndex(section: 2, row: 0), at: .top))
/// ```
///
/// When rows change, the rows in view keep their position; see ``measure(_:of:anchor:)`` and
/// ``perform(_:expecting:anchor:measure:)``.
public struct Viewport: Sendable, Equatable {
    /// The covered parts of the viewport, such as those below bars: the list rests inside them.
    public struct Insets: Sendable, Equatable {
        /// The height at the top edge, in px.
        package var top: Double
        /// The height at the bottom edge, in px.
        package var bottom: Double

        /// Insets with these heights.
        public init(top: Double = 0, bottom: Double = 0) {
            self.top = top
            self.bottom = bottom
        }
    }

    /// The list in the viewport.
    ///
    /// Changing it clamps the offset again. To find the effect on the visible rows, compare
    /// ``visibleRows`` before and after.
    public var list: ListLayout {
        didSet { offset = clamped(offset) }
    }

    /// The height of the viewport in px; changing it clamps the offset again.
    ///
    /// - Precondition: the height is finite and not negative.
    public var height: Double {
        didSet {
            requireHeight()
            offset = clamped(offset)
        }
    }

    /// The covered parts of the viewport; changing them clamps the offset again.
    ///
    /// - Precondition: the insets are finite.
    public var insets: Insets {
        didSet {
            requireInsets()
            offset = clamped(offset)
        }
    }

    /// The cause of the list's motion.
    package var phase = ScrollPhase.resting

    /// The content offset at the viewport's top edge, in px.
    public private(set) var offset: Double

    /// The last direction: 1 if the offset grew, -1 if it fell, 0 before the first move.
    package private(set) var direction = 0

    /// The row that keeps its place when lines change, since the list moved last; nil for the first
    /// in view.
    ///
    /// A row may come to the line before or after. If the first of its line were kept next, many
    /// small changes would move what is seen.
    var keptRow: RowIndex?

    /// A viewport with a height (px) on a list, at an offset that is clamped if necessary.
    ///
    /// - Precondition: `height` is finite and not negative, the insets are finite; `offset` is a
    ///   number.
    public init(
        _ list: ListLayout, height: Double, insets: Insets = .init(), offset: Double = 0
    ) {
        self.list = list
        self.height = height
        self.insets = insets
        self.offset = 0
        requireHeight()
        requireInsets()
        self.offset = clamped(offset)
    }

    /// A viewport on a list of rows only; O(n).
    public init(rows: RowHeights, height: Double, offset: Double = 0) {
        self.init(ListLayout(rows), height: height, offset: offset)
    }

    /// The offset, in px, at which the content begins below the viewport's top inset.
    public var minimumOffset: Double { -insets.top }

    /// The offset, in px, at which the content ends at the viewport's bottom inset; the minimum if
    /// all of the content fits into the viewport.
    public var maximumOffset: Double {
        max(minimumOffset, list.contentHeight + insets.bottom - height)
    }

    /// Returns the nearest offset, in px, at which the list can rest.
    ///
    /// - Precondition: `offset` is a number; it may be infinite.
    public func clamped(_ offset: Double) -> Double {
        precondition(!offset.isNaN, "an offset is a number")
        return min(max(offset, minimumOffset), maximumOffset)
    }

    /// The positions of the rows in view, including those behind the insets; O(log n).
    ///
    /// See ``ListLayout/visibleRows(offset:height:)``.
    public var visibleRows: Range<Int> { list.visibleRows(offset: offset, height: height) }

    /// Returns the rows that would be in view at another offset in px, clamped; O(log n).
    ///
    /// - Precondition: `offset` is a number.
    public func visibleRows(at offset: Double) -> Range<Int> {
        list.visibleRows(offset: clamped(offset), height: height)
    }

    /// Scrolls to an offset in px, clamped, and returns the rows that came into view and left it;
    /// O(log n).
    ///
    /// - Precondition: `offset` is a number.
    @discardableResult
    public mutating func scroll(to offset: Double) -> VisibleChange {
        let old = visibleRows
        move(to: offset)
        return VisibleChange(from: old, to: visibleRows)
    }

    /// Scrolls to an offset in px, clamped; O(1).
    mutating func move(to offset: Double) {
        let target = clamped(offset)
        if target != self.offset {
            direction = target > self.offset ? 1 : -1
            keptRow = nil
        }
        self.offset = target
    }

    /// Shifts the offset along with changes above the viewport, which is no motion.
    mutating func shift(to offset: Double) {
        self.offset = clamped(offset)
    }

    private func requireHeight() {
        precondition(height >= 0 && height.isFinite, "a viewport's height is finite, zero or more")
    }

    private func requireInsets() {
        precondition(
            insets.top.isFinite && insets.bottom.isFinite, "a viewport's insets are finite")
    }
}
