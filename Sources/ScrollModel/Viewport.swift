/// The window through which a list is seen: its height, and how far it is scrolled.
///
/// The offset is that of the window's top edge within the content. It always lies between
/// ``minimumOffset`` and ``maximumOffset``, so that code downstream never meets a list scrolled
/// past its end.
///
/// ```swift
/// var viewport = Viewport(rows: heights, height: 800)
/// let change = viewport.scroll(to: 1_200)
/// for row in change.entered { … }
/// viewport.scroll(to: viewport.offset(showing: RowIndex(section: 2, row: 0), at: .top))
/// ```
///
/// When rows change, what is seen stays where it is, see ``measure(_:of:anchor:)`` and
/// ``perform(_:expecting:anchor:measure:)``.
public struct Viewport: Sendable, Equatable {
    /// The covered parts of the window, such as those below bars: the list rests inside of them.
    public struct Insets: Sendable, Equatable {
        /// At the top edge, in px.
        package var top: Double
        /// At the bottom edge, in px.
        package var bottom: Double

        /// These heights.
        public init(top: Double = 0, bottom: Double = 0) {
            self.top = top
            self.bottom = bottom
        }
    }

    /// The list that is looked at.
    ///
    /// Changing it clamps the offset again. Whoever needs to know what that did to the visible rows
    /// compares ``visibleRows`` before and after, with ``VisibleChange/init(from:to:)``.
    public var list: ListLayout {
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

    /// The covered parts of the window; changing them clamps the offset again.
    ///
    /// - Precondition: finite.
    public var insets: Insets {
        didSet {
            requireInsets()
            offset = clamped(offset)
        }
    }

    /// The cause of the list's motion.
    package var phase = ScrollPhase.resting

    /// The content offset at the window's top edge, in px.
    public private(set) var offset: Double

    /// The last direction: 1 when the offset grew, -1 when it fell, 0 before the first move.
    package private(set) var direction = 0

    /// A window of the given height (px) on a list, at an offset that is clamped if need be.
    ///
    /// - Precondition: the height is finite and not negative, the insets are finite; the offset is a
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

    /// The same on a list of nothing but rows; O(n).
    public init(rows: RowHeights, height: Double, offset: Double = 0) {
        self.init(ListLayout(rows), height: height, offset: offset)
    }

    /// The offset, in px, at which the content begins below the window's top inset.
    public var minimumOffset: Double { -insets.top }

    /// The offset, in px, at which the content ends at the window's bottom inset; the minimum if
    /// all of it fits into the window.
    public var maximumOffset: Double {
        max(minimumOffset, list.contentHeight + insets.bottom - height)
    }

    /// The nearest offset, in px, at which the list can rest.
    ///
    /// - Precondition: the offset is a number; it may be infinite.
    public func clamped(_ offset: Double) -> Double {
        precondition(!offset.isNaN, "an offset is a number")
        return min(max(offset, minimumOffset), maximumOffset)
    }

    /// The positions of the rows in view, those behind the insets too; O(log n).
    ///
    /// See ``ListLayout/visibleRows(offset:height:)``.
    public var visibleRows: Range<Int> { list.visibleRows(offset: offset, height: height) }

    /// The rows that would be in view at another offset in px, which is clamped first; O(log n).
    ///
    /// - Precondition: the offset is a number.
    public func visibleRows(at offset: Double) -> Range<Int> {
        list.visibleRows(offset: clamped(offset), height: height)
    }

    /// Moves to an offset in px, clamped, and tells what came into view and what went; O(log n).
    ///
    /// - Precondition: the offset is a number.
    @discardableResult
    public mutating func scroll(to offset: Double) -> VisibleChange {
        let old = visibleRows
        move(to: offset)
        return VisibleChange(from: old, to: visibleRows)
    }

    /// Moves to an offset in px, clamped; O(1).
    mutating func move(to offset: Double) {
        let target = clamped(offset)
        if target != self.offset { direction = target > self.offset ? 1 : -1 }
        self.offset = target
    }

    /// Moves what is seen along with what changed above it, which is no motion.
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
