internal import LullLibC

/// The layout of a list: sections one below the other, each with a header, rows and a footer, and
/// above and below all of them a header and a footer of the list.
///
/// It answers the queries of a scrolling list in O(log n), for any number of rows: the position of
/// a row, the element at an offset, the rows in view. Rows are inserted, deleted and moved in
/// batches, see ``perform(_:measure:)``, and get their real heights when they are
/// measured; until then estimates are used.
///
/// ```swift
/// var list = try ListLayout(rowCounts: [3, 10_000_000], estimates: .init(row: 44, header: 22))
/// list.extent(of: .row(RowIndex(section: 1, row: 0)))    // from 176 on: two headers, three rows
/// try list.setHeight(120, of: .row(RowIndex(section: 0, row: 2)))
/// list.position(at: 150)                                 // 2
/// list.estimates.row                                     // 44
/// ```
///
/// Besides its index, each row has a position: its number in the whole list, from 0 up to, but not
/// including, ``rowCount``, without headers and footers. The rows in view are a set of positions
/// without those that have no pixels: these cost nothing, however many there are.
///
/// Heights are stored in steps of 1/1024 px, so that sums are exact, up to 2⁴³ px in all: with a
/// thousand million rows of eight thousand pixels, queries still find the right row.
public struct ListLayout: Sendable, Equatable {
    /// Estimates of heights that aren't known, in px.
    public struct Estimates: Sendable, Equatable {
        /// The estimated height of a row.
        public var row: Double
        /// The estimated height of a header.
        public var header: Double
        /// The estimated height of a footer.
        public var footer: Double

        /// Estimates with these heights.
        public init(row: Double = 44, header: Double = 0, footer: Double = 0) {
            self.row = row
            self.header = header
            self.footer = footer
        }

        fileprivate func height(of element: ListElement) -> Double {
            switch element {
            case .header: header
            case .row: row
            case .footer: footer
            case .listHeader, .listFooter: 0
            }
        }

        /// Returns the heights in steps.
        fileprivate func steps() throws(ListUpdateError) -> (
            header: Int64, row: Int64, footer: Int64
        ) {
            (
                try HeightSteps.round(header, of: .header(section: 0)),
                try HeightSteps.round(row, of: .row(RowIndex(section: 0, row: 0))),
                try HeightSteps.round(footer, of: .footer(section: 0))
            )
        }
    }

    /// The estimates for the heights of new rows, and of those whose heights were discarded.
    public let estimates: Estimates
    /// The heights of the elements, or the aspect ratios of rows in justified lines.
    private(set) var sums: SectionedSums
    /// The lines, if rows flow in lines.
    private(set) var grid: LineGrid?

    /// A layout of sections with these numbers of rows, none of them measured; O(number of
    /// sections).
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if a number of rows is negative, there are more than
    ///   2⁴⁰ sections and rows, or an estimate is not finite, is negative, or makes the content
    ///   larger than 2⁴³ px.
    public init(
        rowCounts: some Sequence<Int>, estimates: Estimates = .init(), flow: LineFlow? = nil
    ) throws(ListUpdateError) {
        self.estimates = estimates
        let steps = try estimates.steps()
        var total: Int64 = 0
        var counts: [Int] = []
        var room = HeightSteps.maximumCount
        for (section, count) in rowCounts.enumerated() {
            let row = ListElement.row(RowIndex(section: section, row: 0))
            room -= 1
            guard count >= 0, count <= room else { throw .height(row, .count(count)) }
            room -= count
            total = try HeightSteps.sum(total, steps.header, of: .header(section: section))
            total = try HeightSteps.sum(total, steps.row, times: count, of: row)
            total = try HeightSteps.sum(total, steps.footer, of: .footer(section: section))
            counts.append(count)
        }
        sums = SectionedSums(
            rowCounts: counts, header: steps.header, row: steps.row, footer: steps.footer)
        try arrange(flow)
    }

    /// A layout of sections with these heights, all of them measured; O(n).
    ///
    /// New elements are estimated by the means of these if there are no `estimates`: in a list of
    /// equal heights, new rows have the same.
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if a header's or footer's height is invalid, there
    ///   are more than 2⁴⁰ sections and rows, or the content is larger than 2⁴³ px.
    public init(
        _ sections: some Sequence<SectionHeights>, estimates: Estimates? = nil,
        flow: LineFlow? = nil
    ) throws(ListUpdateError) {
        if let estimates { _ = try estimates.steps() }
        sums = SectionedSums()
        var total: Int64 = 0
        var room = HeightSteps.maximumCount
        var rowTotal: Int64 = 0
        var means = Estimates()
        for (section, heights) in sections.enumerated() {
            let header = try HeightSteps.round(heights.header, of: .header(section: section))
            let footer = try HeightSteps.round(heights.footer, of: .footer(section: section))
            total = try HeightSteps.sum(total, header, of: .header(section: section))
            let rows = ListElement.row(RowIndex(section: section, row: 0))
            room -= 1
            guard heights.rows.count <= room else {
                throw .height(rows, .count(heights.rows.count))
            }
            room -= heights.rows.count
            total = try HeightSteps.sum(total, heights.rows.sums.total, of: rows)
            total = try HeightSteps.sum(total, footer, of: .footer(section: section))
            sums.insert(heights.rows.sums, header: header, footer: footer, at: section)
            rowTotal += heights.rows.sums.total
            means.row = heights.rows.mean ?? means.row
            means.header += (heights.header - means.header) / Double(section + 1)
            means.footer += (heights.footer - means.footer) / Double(section + 1)
        }
        if sums.rowCount > 0 { means.row = HeightSteps.pixels(rowTotal) / Double(sums.rowCount) }
        self.estimates = estimates ?? means
        try arrange(flow)
    }

    /// A layout of one section of rows, without header and footer; O(n).
    ///
    /// New rows are estimated by the mean of these: in a list of equal heights, they have the same.
    package init(_ rows: RowHeights) {
        estimates = .init(row: rows.mean ?? Estimates().row)
        sums = SectionedSums()
        sums.insert(rows.sums, header: 0, footer: 0, at: 0)
    }

    /// The maximum number of sections and rows of a list in all: 2⁴⁰.
    package static var maximumCount: Int { HeightSteps.maximumCount }

    /// The number of sections, including those without rows.
    public var sectionCount: Int { sums.sectionCount }

    /// The number of rows in all sections.
    public var rowCount: Int { sums.rowCount }

    /// The sum of all heights, in px.
    public var contentHeight: Double { HeightSteps.pixels(heights.total) }

    /// The heights of all headers, lines and footers; without lines, each row is one.
    var heights: SumTree { grid?.lines.values ?? sums.values }

    /// Returns the number of a section's rows; O(log n).
    ///
    /// - Precondition: the list has this section.
    public func rowCount(inSection section: Int) -> Int {
        require(section)
        return sums.rowCount(inSection: section)
    }
}

// Queries for positions and elements.
extension ListLayout {
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

    /// Returns whether the list has this row; O(log n).
    package func contains(_ row: RowIndex) -> Bool {
        row.section >= 0 && row.section < sectionCount && row.row >= 0
            && row.row < rowCount(inSection: row.section)
    }

    /// Returns whether an element comes before a row; O(log n).
    func isAbove(_ element: ListElement, _ row: RowIndex) -> Bool {
        sums.place(of: element) < sums.place(of: row)
    }

    /// Returns the extent of an element; O(log n).
    ///
    /// - Precondition: the list has this element.
    public func extent(of element: ListElement) -> Extent {
        require(element)
        let place = grid?.place(of: element, in: sums) ?? sums.place(of: element)
        return Extent(heights.place(at: place))
    }

    /// Returns the extent of a section, from the top of its header to the end of its footer; O(log n).
    ///
    /// - Precondition: the list has this section.
    public func extent(ofSection section: Int) -> Extent {
        require(section)
        let places = grid?.lines ?? sums
        let start = heights.sum(ofFirst: places.header(ofSection: section))
        let end = heights.sum(ofFirst: places.header(ofSection: section + 1))
        return Extent(offset: HeightSteps.pixels(start), height: HeightSteps.pixels(end - start))
    }

    /// Returns the extent of the row at a position in the whole list; O(log n).
    ///
    /// - Precondition: `position` is below ``rowCount``.
    public func extent(ofRowAt position: Int) -> Extent {
        requirePosition(position)
        return Extent(heights.place(at: place(ofRowAt: position)))
    }
}

// Measured and estimated heights.
extension ListLayout {
    /// Returns whether an element's height was measured, rather than estimated; O(log n).
    ///
    /// The list's own header and footer are never estimated.
    ///
    /// - Precondition: the list has this element.
    public func isMeasured(_ element: ListElement) -> Bool {
        require(element)
        return !sums.isGuess(at: sums.place(of: element))
    }

    /// Returns the first element, from a given one on, whose height isn't measured; O(log n).
    ///
    /// - Precondition: the list has this element.
    public func firstUnmeasured(from element: ListElement) -> ListElement? {
        require(element)
        return sums.nextGuess(from: sums.place(of: element)).map { sums.element(at: $0) }
    }

    /// Sets the measured height of an element, in px; O(log n).
    ///
    /// - Precondition: the list has this element.
    /// - Throws: ``ListUpdateError/height(_:_:)``; the list is then unchanged.
    public mutating func setHeight(
        _ height: Double, of element: ListElement
    ) throws(ListUpdateError) {
        require(element)
        let value = try HeightSteps.round(height, of: element)
        let place = sums.place(of: element)
        _ = try HeightSteps.sum(sums.values.total - sums.values[place], value, of: element)
        if let flow {
            try Self.requireRoom(for: sums, adding: value - sums.values[place], in: flow)
        }
        sums.set(value, isGuess: false, at: place)
        guard let grid else { return }
        if case .row(let row) = element {
            self.grid?.flow(row.section, LineChange(row.row), of: sums)
        } else {
            self.grid?.set(value, at: grid.place(of: element, in: sums))
        }
    }
}

// Batch updates.
extension ListLayout {
    /// Inserts, deletes, moves and reloads rows, and inserts and deletes sections, in one batch; if
    /// one update is invalid, nothing changes.
    ///
    /// `measure` returns the heights of new elements, by their indexes after the batch, or nil to
    /// use the estimate; without `measure`, all new elements have estimates. O(k log n), for k
    /// updates, and O(rows) for inserted sections if they are measured.
    ///
    /// - Returns: the new indexes of rows and sections.
    /// - Throws: ``ListUpdateError``, which says which update is invalid and what would be valid.
    @discardableResult
    public mutating func perform(
        _ updates: [ListUpdate], measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        let plan = try UpdatePlan(updates, of: sums)
        // The copy shares what doesn't change; an invalid height leaves the list unchanged.
        var changed = sums
        var problem: ListUpdateError?
        var total: Int64 = 0
        changed.apply(plan, alike: measure == nil) { [estimates] element in
            guard problem == nil else { return (0, true) }
            do throws(ListUpdateError) {
                let height = measure?(element)
                let value = try HeightSteps.round(
                    height ?? estimates.height(of: element), of: element)
                total = try HeightSteps.sum(total, value, of: element)
                return (value, height == nil)
            } catch {
                problem = error
                return (0, true)
            }
        }
        if let problem { throw problem }
        if changed.values.total > HeightSteps.maximumTotal {
            let first = plan.insertedRows.first ?? RowIndex(section: 0, row: 0)
            let height = HeightSteps.pixels(total)
            throw .height(.row(first), .tooLarge(row: first.row, height: height))
        }
        if let flow { try Self.requireRoom(for: changed, in: flow) }
        sums = changed
        grid?.follow(plan.mapping, sums)
        return plan.mapping
    }
}

// Lines.
extension ListLayout {
    /// Arranges the rows in lines, or below each other; O(n), and O(1) for equal rows in a row.
    ///
    /// In justified lines, rows are measured by their aspect ratios, otherwise by their heights: the
    /// measures stay as they are.
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if the content would be too large; the list is
    ///   then unchanged.
    public mutating func arrange(_ flow: LineFlow?) throws(ListUpdateError) {
        if let flow { try Self.requireRoom(for: sums, in: flow) }
        grid = flow.map { LineGrid($0, of: sums) }
    }

    /// Takes over the elements of another layout on which a batch was performed, and of which some
    /// were measured then, with lines of its own.
    ///
    /// For several layouts of one list, in different widths: they share what they have of the
    /// elements. O(k log n) for k updates if rows are equal; otherwise as much as lines change. In
    /// each section, all lines from the first change to the last are made anew.
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if the content would be too large; the list is
    ///   then unchanged.
    public mutating func follow(
        _ changed: ListLayout, _ mapping: IndexMapping,
        measured: some Sequence<ListElement> = EmptyCollection()
    ) throws(ListUpdateError) {
        if let flow { try Self.requireRoom(for: changed.sums, in: flow) }
        sums = changed.sums
        grid?.follow(mapping, measured: measured, sums)
    }
}

// Preconditions.
extension ListLayout {
    func requirePosition(_ position: Int) {
        precondition(
            position >= 0 && position < rowCount, "a row's position is below the count of rows")
    }

    private func require(_ section: Int) {
        precondition(
            section >= 0 && section < sectionCount,
            "a section's number is below the count of sections")
    }

    private func require(_ element: ListElement) {
        switch element {
        case .header(let section), .footer(let section): require(section)
        case .row(let index):
            require(index.section)
            precondition(
                index.row >= 0 && index.row < sums.rowCount(inSection: index.section),
                "a row's number is below the count of its section's rows")
        case .listHeader, .listFooter: break
        }
    }

    /// Checks that the sums are consistent; O(n), for tests.
    func checkInvariants() {
        sums.checkInvariants()
        precondition(
            (0...HeightSteps.maximumTotal).contains(sums.values.total),
            "the content is within its limit")
        grid?.checkInvariants(sums)
    }
}
