/// The layout of a list: sections one below the other, each with a header, rows and a footer.
///
/// It answers the queries of a scrolling list in O(log n), for any number of rows: the position of
/// a row, the element at an offset, the rows in view. Rows are inserted, deleted and moved in
/// batches, see ``perform(_:expecting:measure:)``, and get their real heights when they are
/// measured; until then estimates are used.
///
/// ```swift
/// var list = try ListLayout(rowCounts: [3, 10_000_000], estimates: .init(row: 44, header: 22))
/// list.extent(of: .row(RowIndex(section: 1, row: 0)))    // from 176 on: two headers, three rows
/// try list.setHeight(120, of: .row(RowIndex(section: 0, row: 2)))
/// list.element(at: 150)                                  // .row(0.2)
/// ```
///
/// Besides its index, each row has a position: its number in the whole list, from 0 up to, but not
/// including, ``rowCount``, without headers and footers. The rows in view are a range of positions,
/// in any list.
///
/// Heights are stored in steps of 1/1024 px, so that sums are exact, up to 2⁴³ px in all: with a
/// thousand million rows of eight thousand pixels, queries still find the right row.
public struct ListLayout: Sendable, Equatable {
    /// Estimates of heights that aren't known, in px.
    public struct Estimates: Sendable, Equatable {
        /// The estimated height of a row.
        package var row: Double
        /// The estimated height of a header.
        package var header: Double
        /// The estimated height of a footer.
        package var footer: Double

        /// Estimates with these heights.
        public init(row: Double = 44, header: Double = 0, footer: Double = 0) {
            self.row = row
            self.header = header
            self.footer = footer
        }
    }

    /// The estimates for the heights of new rows, and of those whose heights were discarded.
    package let estimates: Estimates
    var sums: SectionedSums

    /// A layout of sections with these numbers of rows, none of them measured; O(number of
    /// sections).
    ///
    /// - Precondition: no number of rows is negative, and the total is at most ``maximumCount``.
    /// - Throws: ``ListUpdateError/height(_:_:)`` if an estimate is not finite, is negative, or
    ///   makes the content larger than ``RowHeights/maximumContentHeight``.
    public init(
        rowCounts: some Sequence<Int>, estimates: Estimates = .init()
    ) throws(ListUpdateError) {
        self.estimates = estimates
        let steps = try Steps(estimates)
        var total: Int64 = 0
        var counts: [Int] = []
        for (section, count) in rowCounts.enumerated() {
            let row = ListElement.row(RowIndex(section: section, row: 0))
            total = try Self.sum(total, steps.header, of: .header(section: section))
            total = try Self.sum(total, steps.row, times: count, of: row)
            total = try Self.sum(total, steps.footer, of: .footer(section: section))
            counts.append(count)
        }
        Self.require(rowCounts: counts)
        sums = SectionedSums(
            rowCounts: counts, header: steps.header, row: steps.row, footer: steps.footer)
    }

    /// A layout of sections with these heights, all of them measured; O(n).
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if a header's or footer's height is invalid, or
    ///   the content is larger than ``RowHeights/maximumContentHeight``.
    public init(
        _ sections: some Sequence<SectionHeights>, estimates: Estimates = .init()
    ) throws(ListUpdateError) {
        self.estimates = estimates
        _ = try Steps(estimates)
        sums = SectionedSums()
        var total: Int64 = 0
        for (section, heights) in sections.enumerated() {
            let header = try Self.steps(heights.header, of: .header(section: section))
            let footer = try Self.steps(heights.footer, of: .footer(section: section))
            total = try Self.sum(total, header, of: .header(section: section))
            let rows = ListElement.row(RowIndex(section: section, row: 0))
            total = try Self.sum(total, heights.rows.sums.total, of: rows)
            total = try Self.sum(total, footer, of: .footer(section: section))
            sums.append(heights.rows.sums, header: header, footer: footer)
        }
    }

    /// A layout of one section of rows, without header and footer; O(n).
    public init(_ rows: RowHeights) {
        estimates = .init()
        sums = SectionedSums()
        sums.append(rows.sums, header: 0, footer: 0)
    }

    /// The maximum number of sections and rows of a list in all: 2⁴⁰.
    package static var maximumCount: Int { 1 << 40 }

    static func require(rowCounts: [Int]) {
        var room = maximumCount - rowCounts.count
        for count in rowCounts {
            precondition(count <= room, "a list has no more than 2^40 sections and rows")
            room -= count
        }
    }

    /// The number of sections, including those without rows.
    public var sectionCount: Int { sums.sectionCount }

    /// The number of rows in all sections.
    public var rowCount: Int { sums.rowCount }

    /// The sum of all heights, in px.
    public var contentHeight: Double { HeightSteps.pixels(sums.values.total) }

    /// Returns the number of a section's rows; O(log n).
    ///
    /// - Precondition: the list has this section.
    public func rowCount(inSection section: Int) -> Int {
        require(section)
        return sums.rowCount(inSection: section)
    }

    /// Checks that the sums are consistent; O(n), for tests.
    func checkInvariants() {
        sums.checkInvariants()
        precondition(
            (0...HeightSteps.maximumTotal).contains(sums.values.total),
            "the content is within its limit")
    }
}
