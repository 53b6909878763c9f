internal import LullLibC

/// The viewport of a list: its height, and the offset to which it is scrolled.
///
/// The offset is that of the viewport's top edge within the content. It is always between
/// zero and ``maximumOffset``, so other code never gets a list that is scrolled beyond its end.
///
/// ```swift
/// var viewport = Viewport(rows: heights, height: 800)
/// viewport.scroll(to: 1_200)
/// for row in viewport.visibleRows { … }
/// viewport.scroll(to: viewport.list.extent(of: .row(RowIndex(section: 2, row: 0))).offset)
/// ```
///
/// When rows change, the rows in view keep their position; see ``measure(_:of:anchor:)`` and
/// ``perform(_:anchor:measure:)``.
public struct Viewport: Sendable, Equatable {
    /// The list in the viewport.
    ///
    /// Changing it clamps the offset again. To find the effect on the visible rows, compare
    /// ``visibleRows`` before and after.
    public var list: ListLayout {
        didSet { offset = clamped(offset) }
    }

    /// The height of the viewport in px; changing it clamps the offset again.
    ///
    /// A height that isn't from 0 to 2²⁰ is ignored.
    public var height: Double {
        didSet {
            if !Self.isHeight(height) { (height, ignored) = (oldValue, ignored + 1) }
            offset = clamped(offset)
        }
    }

    /// The number of offsets and heights that were ignored, since they were no numbers, or none that
    /// such a measure can have.
    package private(set) var ignored = 0

    /// The cause of the list's motion.
    package var phase = ScrollPhase.resting

    /// The content offset at the viewport's top edge, in px.
    public private(set) var offset: Double {
        didSet { visibleRows = list.visibleRows(offset: offset, height: height) }
    }

    /// The positions of the rows in view; see ``ListLayout/visibleRows(offset:height:)``.
    public private(set) var visibleRows: RowSet

    /// The distance, in px, by which the offset has moved with changes above the viewport, since the
    /// tracker that it belongs to has taken it into account.
    package internal(set) var pendingShift = 0.0

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
    /// In place of a height that isn't from 0 to 2²⁰, and of an offset that isn't a number, it has
    /// zero.
    public init(_ list: ListLayout, height: Double, offset: Double = 0) {
        self.list = list
        self.height = Self.isHeight(height) ? height : 0
        self.offset = 0
        visibleRows = RowSet(0..<0)
        ignored = [Self.isHeight(height), !offset.isNaN].count { !$0 }
        self.offset = clamped(offset)
        visibleRows = list.visibleRows(offset: self.offset, height: self.height)
    }

    /// A viewport on a list of rows only; O(n).
    public init(rows: RowHeights, height: Double, offset: Double = 0) {
        self.init(ListLayout(rows), height: height, offset: offset)
    }

    /// The offset, in px, at which the content ends at the viewport's bottom edge; zero if all of the
    /// content fits into the viewport.
    public var maximumOffset: Double { max(0, list.contentHeight - height) }

    /// Returns the nearest offset, in px, at which the list can rest; the present one for what isn't
    /// a number.
    ///
    /// The result is never −0.
    public func clamped(_ offset: Double) -> Double {
        min(max(offset.isNaN ? self.offset : offset, 0), maximumOffset) + 0
    }

    /// The section whose header floats at the top of the viewport, as those of a plain table do, and
    /// the offset, in px from the viewport's top, at which the header stands there; O(log n).
    ///
    /// The offset is 0, or less while the end of the section pushes the header out of the viewport.
    /// Draw this header there, above the rows, and the others where they are in the list. It is nil
    /// if the section at the top has no header with a height, and on the list's own header or footer.
    ///
    /// ```swift
    /// if let (section, offset) = viewport.floatingHeader { draw(.header(section: section), at: offset) }
    /// ```
    public var floatingHeader: (section: Int, offset: Double)? {
        guard let section = list.element(at: offset)?.section else { return nil }
        let header = list.extent(of: .header(section: section)).height
        guard header > 0 else { return nil }
        return (section, min(0, list.extent(ofSection: section).end - offset - header))
    }

    /// Returns the rows that would be in view at another offset in px, clamped.
    public func visibleRows(at offset: Double) -> RowSet {
        list.visibleRows(offset: clamped(offset), height: height)
    }

    /// Scrolls to an offset in px, clamped; an offset that isn't a number is ignored.
    public mutating func scroll(to offset: Double) {
        if offset.isNaN { ignored += 1 }
        let target = clamped(offset)
        if target != self.offset {
            direction = target > self.offset ? 1 : -1
            keptRow = nil
        }
        self.offset = target
    }

    /// Shifts the offset, which was `before`, along with changes above the viewport, which is no
    /// motion, and returns the distance in px.
    mutating func shift(from before: Double, by distance: Double) -> Double {
        offset = clamped(before + distance)
        let shift = offset == before + distance ? distance : offset - before
        pendingShift += shift
        return shift
    }

    /// The greatest height, in px; above it, more rows would be in view than anybody sees.
    private static let greatestHeight = 1_048_576.0

    private static func isHeight(_ height: Double) -> Bool { 0...greatestHeight ~= height }
}
