// Measured and estimated heights.
extension ListLayout {
    /// The estimates in steps.
    struct Steps {
        let header: Int64
        let row: Int64
        let footer: Int64

        init(_ estimates: Estimates) throws(ListUpdateError) {
            header = try ListLayout.steps(estimates.header, of: .header(section: 0))
            row = try ListLayout.steps(estimates.row, of: .row(RowIndex(section: 0, row: 0)))
            footer = try ListLayout.steps(estimates.footer, of: .footer(section: 0))
        }

        func estimate(of element: ListElement) -> Int64 {
            switch element {
            case .header: header
            case .row: row
            case .footer: footer
            }
        }
    }

    static func steps(
        _ height: Double, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        do {
            return try HeightSteps.round(height, row: element.row, others: 0)
        } catch {
            throw .height(element, error)
        }
    }

    static func sum(
        _ total: Int64, _ value: Int64, times count: Int = 1, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        let room = HeightSteps.maximumTotal - total
        precondition(count >= 0, "a section has no fewer than zero rows")
        let fitting = value == 0 ? Int64.max : room / value
        guard count <= fitting else {
            let height = HeightSteps.pixels(value)
            throw .height(element, .tooLarge(row: element.row + Int(fitting), height: height))
        }
        return total + value * Int64(count)
    }

    /// Returns whether an element's height was measured, rather than estimated; O(log n).
    ///
    /// - Precondition: the list has this element.
    public func isMeasured(_ element: ListElement) -> Bool {
        require(element)
        return !sums.isGuess(at: sums.place(of: element))
    }

    /// The number of headers, rows and footers that have only an estimate for their height.
    public var unmeasuredCount: Int { sums.guessCount }

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
        sums.set(value, isGuess: false, at: place)
    }

    /// Replaces all heights by estimates, for a change of the list's width, for example.
    ///
    /// O(number of sections).
    ///
    /// - Throws: ``ListUpdateError/height(_:_:)`` if the content would be too large; the list is
    ///   then unchanged.
    public mutating func forgetHeights() throws(ListUpdateError) {
        self = try ListLayout(
            rowCounts: (0..<sectionCount).map { rowCount(inSection: $0) }, estimates: estimates)
    }
}

extension ListElement {
    /// The row number in its section; 0 for a header or footer.
    var row: Int {
        if case .row(let index) = self { index.row } else { 0 }
    }
}
