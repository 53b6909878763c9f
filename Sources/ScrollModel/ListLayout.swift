/// The layout of a list: sections one below the other, each a header, rows and a footer.
///
/// It answers what a scrolling list asks at every frame, for any number of rows, in O(log n): where
/// is this row, what is at this offset, which rows are in view. Rows come, go and move in batches,
/// see ``perform(_:expecting:measure:)``, and are given their true heights when they are measured;
/// until then an estimate stands for them.
///
/// ```swift
/// var list = try ListLayout(rowCounts: [3, 10_000_000], estimates: .init(row: 44, header: 22))
/// list.extent(of: .row(RowIndex(section: 1, row: 0)))    // from 176 on: two headers, three rows
/// try list.setHeight(120, of: .row(RowIndex(section: 0, row: 2)))
/// list.element(at: 150)                                  // .row(0.2)
/// ```
///
/// Beside their indexes rows have positions: their numbers in the whole list, from 0 to
/// ``rowCount``, without headers and footers. Rows in view are a range of positions, in any list.
///
/// Heights are kept in steps of 1/1024 px, so that sums are exact, up to 2⁴³ px in all: a thousand
/// million rows of eight thousand pixels land on the right row.
public struct ListLayout: Sendable, Equatable {
    /// Estimates for heights that aren't known, in px.
    public struct Estimates: Sendable, Equatable {
        /// A row's.
        package var row: Double
        /// A header's.
        package var header: Double
        /// A footer's.
        package var footer: Double

        /// These heights.
        public init(row: Double = 44, header: Double = 0, footer: Double = 0) {
            self.row = row
            self.header = header
            self.footer = footer
        }
    }

    /// The estimates for the heights of new rows, and for those that were forgotten.
    package let estimates: Estimates
    var sums: SectionedSums

    /// Sections of so many rows each, none of them measured; O(number of sections).
    ///
    /// - Precondition: no number of rows is negative, and all come to ``maximumCount`` at most.
    /// - Throws: ``ListUpdateError/height(_:_:)`` when an estimate is not finite, negative, or makes
    ///   the content larger than ``RowHeights/maximumContentHeight``.
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

    /// Sections of these heights, all of them measured; O(n).
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` when a header's or footer's height cannot be, or
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

    /// One section without header and footer: nothing but rows; O(n).
    public init(_ rows: RowHeights) {
        estimates = .init()
        sums = SectionedSums()
        sums.append(rows.sums, header: 0, footer: 0)
    }

    /// The most sections and rows that a list may have in all: 2⁴⁰.
    package static var maximumCount: Int { 1 << 40 }

    static func require(rowCounts: [Int]) {
        var room = maximumCount - rowCounts.count
        for count in rowCounts {
            precondition(count <= room, "a list has no more than 2^40 sections and rows")
            room -= count
        }
    }

    /// The number of sections, those without rows included.
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

    /// Checks that sums are sums; O(n), for tests.
    func checkInvariants() {
        sums.checkInvariants()
        precondition(
            (0...HeightSteps.maximumTotal).contains(sums.values.total),
            "the content is within its limit")
    }
}
