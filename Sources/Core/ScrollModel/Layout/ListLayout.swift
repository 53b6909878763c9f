internal import LullLibC

/// The layout of a list: sections one below the other, each with a header, rows and a footer.
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
/// list.element(at: 150)                                  // .row(0.2)
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

        fileprivate func height(of element: ListElement) -> Double {
            switch element {
            case .header: header
            case .row: row
            case .footer: footer
            }
        }
    }

    /// The estimates for the heights of new rows, and of those whose heights were discarded.
    package let estimates: Estimates
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
        let steps = try Self.steps(estimates)
        var total: Int64 = 0
        var counts: [Int] = []
        var room = Self.maximumCount
        for (section, count) in rowCounts.enumerated() {
            let row = ListElement.row(RowIndex(section: section, row: 0))
            room -= 1
            guard count >= 0, count <= room else { throw .height(row, .count(count)) }
            room -= count
            total = try Self.sum(total, steps.header, of: .header(section: section))
            total = try Self.sum(total, steps.row, times: count, of: row)
            total = try Self.sum(total, steps.footer, of: .footer(section: section))
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
        if let estimates { _ = try Self.steps(estimates) }
        sums = SectionedSums()
        var total: Int64 = 0
        var room = Self.maximumCount
        var rowTotal: Int64 = 0
        var means = Estimates()
        for (section, heights) in sections.enumerated() {
            let header = try Self.steps(heights.header, of: .header(section: section))
            let footer = try Self.steps(heights.footer, of: .footer(section: section))
            total = try Self.sum(total, header, of: .header(section: section))
            let rows = ListElement.row(RowIndex(section: section, row: 0))
            room -= 1
            guard heights.rows.count <= room else {
                throw .height(rows, .count(heights.rows.count))
            }
            room -= heights.rows.count
            total = try Self.sum(total, heights.rows.sums.total, of: rows)
            total = try Self.sum(total, footer, of: .footer(section: section))
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
    public init(_ rows: RowHeights) {
        estimates = .init(row: rows.mean ?? Estimates().row)
        sums = SectionedSums()
        sums.insert(rows.sums, header: 0, footer: 0, at: 0)
    }

    /// The maximum number of sections and rows of a list in all: 2⁴⁰.
    package static var maximumCount: Int { 1 << 40 }

    /// The number of sections, including those without rows.
    public var sectionCount: Int { sums.sectionCount }

    /// The number of rows in all sections.
    public var rowCount: Int { sums.rowCount }

    /// The sum of all heights, in px.
    public var contentHeight: Double { HeightSteps.pixels(heights.total) }

    /// The heights of headers, lines and footers; without lines, each row is one.
    private var heights: SumTree { grid?.lines.values ?? sums.values }

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
    // MARK: - Indexes and positions

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

    // MARK: - Extents

    /// Returns the extent of an element; O(log n).
    ///
    /// - Precondition: the list has this element.
    public func extent(of element: ListElement) -> Extent {
        require(element)
        return extent(atPlace: grid?.place(of: element, in: sums) ?? sums.place(of: element))
    }

    /// Returns the extent of the row at a position in the whole list; O(log n).
    ///
    /// - Precondition: `position` is below ``rowCount``.
    public func extent(ofRowAt position: Int) -> Extent {
        requirePosition(position)
        return extent(atPlace: place(ofRowAt: position))
    }

    private func extent(atPlace place: Int) -> Extent {
        let place = heights.place(at: place)
        return Extent(
            offset: HeightSteps.pixels(place.sum), height: HeightSteps.pixels(place.value))
    }

    // MARK: - Elements at offsets

    /// Returns the element at an offset, in px from the top; O(log n).
    ///
    /// An element includes its top edge, but not its bottom edge; elements of zero height are at no
    /// offset. Above the content, the result is the first element with a height; beyond the end,
    /// nil.
    ///
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

    /// Calls `body` with each header, row and footer in a viewport, from the top, and its extent.
    ///
    /// The viewport is given by its offset and height, in px. It leaves out elements without pixels,
    /// see ``visibleRows(offset:height:)``. O(log n), and O(1) for each element.
    public func forEachElement(
        offset: Double, height: Double, _ body: (ListElement, Extent) -> Void
    ) {
        let grid = grid
        forEachRun(of: window(offset: offset, height: height), besides: 0) { first, count in
            var (place, start) = (first.index, first.sum)
            var element = grid == nil ? sums.element(at: place) : nil
            var rows = element.map { sums.rowCount(inSection: $0.section) } ?? 0
            heights.forEach(from: place) { value in
                guard place < first.index + count else { return false }
                let extent = Extent(
                    offset: HeightSteps.pixels(start), height: HeightSteps.pixels(value))
                if let grid {
                    let line = SumPlace(index: place, sum: start, value: value)
                    forEachElement(in: grid, at: line) { body($0, extent) }
                } else if let here = element {
                    body(here, extent)
                    let next = here.next(inSectionOf: rows)
                    if case .header(let section) = next, section < sectionCount {
                        rows = sums.rowCount(inSection: section)
                    }
                    element = next
                }
                start += value
                place += 1
                return true
            }
        }
    }

    /// Returns the positions of the rows seen through a window of the given height (px) at an offset.
    ///
    /// These are the rows that end below the viewport's top edge and begin above its bottom edge,
    /// without those that have no pixels: rows of no height, rows in lines of no height, and, of
    /// rows lower than a quarter of a pixel, those that lie between two quarters. O(log n), and as
    /// much for each gap between the rows in view; O(1) for other lines, and less for equal ones.
    public func visibleRows(offset: Double, height: Double) -> RowSet {
        let window = window(offset: offset, height: height)
        var visible = RowSet(0..<0)
        forEachRun(of: window, besides: spacing) { first, count in
            let start = rows(at: first.index)
            let end = count == 1 ? start : rows(at: first.index + count - 1)
            visible.append(start.lowerBound..<end.upperBound)
        }
        guard visible.isEmpty else { return visible }
        let next = place(endingAfter: window.bottom).map { rows(at: $0.index).lowerBound }
        return RowSet((next ?? rowCount)..<(next ?? rowCount))
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

    /// The space after each line, in steps, which shows nothing of its rows.
    private var spacing: Int64 { grid.map { HeightSteps.nearest($0.flow.spacing) } ?? 0 }

    /// Returns the edges of a viewport in steps; the bottom one is within the content.
    private func window(offset: Double, height: Double) -> (top: Int64, bottom: Int64) {
        (
            HeightSteps.atOrBefore(offset),
            min(HeightSteps.atOrAfter(offset + height), heights.total)
        )
    }

    /// Calls `body` with each run of places one after the other that have pixels, besides `spacing`
    /// steps of each, in a window.
    ///
    /// Whatever has no pixels is jumped over. O(log n) for each run; inside, O(1) for equal heights
    /// or for each height.
    private func forEachRun(
        of window: (top: Int64, bottom: Int64), besides spacing: Int64,
        _ body: (_ first: SumPlace, _ count: Int) -> Void
    ) {
        let bottom = window.bottom
        var next = place(endingAfter: window.top)
        while let first = next, first.sum < bottom {
            var (count, end) = (0, first.sum)
            heights.forEachRun(from: first.index) { value, times in
                let height = value - spacing
                guard end < bottom, HeightSteps.hasPixels(height, at: end) else { return false }
                let most = HeightSteps.isThick(height) ? Int((bottom - end - 1) / value) + 1 : 1
                count += min(times, most)
                end += value * Int64(min(times, most))
                return times <= most
            }
            if count > 0 { body(first, count) }
            next = place(endingAfter: HeightSteps.point(atOrAfter: max(end, first.end)))
        }
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
        let above = lines(before, from: top(ofRowAt: rows.lowerBound), isDown: false)
        let below = lines(after, from: top(ofRowAt: rows.upperBound), isDown: true)
        return RowSet(above.reversed() + rows.runs + below)
    }

    /// Returns the rows of so many lines with pixels above or below an edge in steps, the nearest
    /// first.
    private func lines(_ count: Int, from edge: Int64, isDown: Bool) -> [Range<Int>] {
        var (lines, others, edge): ([Range<Int>], Int, Int64) = ([], 0, edge)
        while lines.count < count, others < 64, isDown || edge > 0 {
            let point =
                isDown ? HeightSteps.point(atOrAfter: edge) : HeightSteps.point(before: edge)
            guard let place = place(endingAfter: point) else { break }
            let rows = rows(at: place.index)
            if !rows.isEmpty, hasPixels(place) { lines.append(rows) } else { others += 1 }
            edge = isDown ? place.end : place.sum
        }
        return lines
    }

    private func top(ofRowAt position: Int) -> Int64 {
        position < rowCount ? heights.sum(ofFirst: place(ofRowAt: position)) : heights.total
    }

    /// Returns the place of the row at a position, or of its line.
    private func place(ofRowAt position: Int) -> Int {
        grid?.place(ofRowAt: position) ?? sums.place(ofRowAt: position)
    }

    /// Returns the first element whose end, in steps, is greater than `limit`.
    private func place(endingAfter limit: Int64) -> SumPlace? {
        heights.place(endingAfter: max(limit, 0))
    }
}

// Measured and estimated heights.
extension ListLayout {
    /// Returns whether an element's height was measured, rather than estimated; O(log n).
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
        let value = try Self.steps(height, of: element)
        let place = sums.place(of: element)
        _ = try Self.sum(sums.values.total - sums.values[place], value, of: element)
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
    /// Inserts, deletes, moves and reloads rows and sections in one batch; if one update is
    /// invalid, nothing changes.
    ///
    /// `measure` returns the heights of new elements, by their indexes after the batch, or nil to
    /// use the estimate; without `measure`, all new elements have estimates. O(k log n), for k
    /// updates, and O(rows) for sections that move, and for inserted sections if they are measured.
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
                let value = try Self.steps(
                    height ?? estimates.height(of: element), of: element)
                total = try Self.sum(total, value, of: element)
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

// Preconditions and arithmetic.
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
        }
    }

    /// Returns the estimates in steps.
    private static func steps(
        _ estimates: Estimates
    ) throws(ListUpdateError) -> (header: Int64, row: Int64, footer: Int64) {
        let row = ListElement.row(RowIndex(section: 0, row: 0))
        return (
            try steps(estimates.header, of: .header(section: 0)), try steps(estimates.row, of: row),
            try steps(estimates.footer, of: .footer(section: 0))
        )
    }

    private static func steps(
        _ height: Double, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        do {
            return try HeightSteps.round(height, row: element.row, others: 0)
        } catch {
            throw .height(element, error)
        }
    }

    private static func sum(
        _ total: Int64, _ value: Int64, times count: Int = 1, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        let room = HeightSteps.maximumTotal - total
        let fitting = value == 0 ? Int64.max : room / value
        guard count <= fitting else {
            let height = HeightSteps.pixels(value)
            throw .height(element, .tooLarge(row: element.row + Int(fitting), height: height))
        }
        return total + value * Int64(count)
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
