internal import ScrollModel

/// The index by which the functions of a list tell what is in view: a row's position, its section and
/// row, or an element.
protocol ListIndex: Hashable {
    /// Whether headers and footers have indexes, too.
    static var hasOthers: Bool { get }

    /// The index of the row at a position; nil if there is no such row.
    init?(row position: Int, in list: ListLayout)

    /// The index of an element; nil if it has none.
    init?(_ element: ListElement, in list: ListLayout)

    /// Returns the indexes of all that is in view, from the top.
    static func visible(in viewport: Viewport) -> [Self]

    /// Returns the indexes of the headers and footers in view, from the top.
    static func others(in viewport: Viewport) -> [Self]
}

extension ListIndex {
    static var hasOthers: Bool { false }

    static func visible(in viewport: Viewport) -> [Self] {
        viewport.visibleRows.compactMap { Self(row: $0, in: viewport.list) }
    }

    static func others(in viewport: Viewport) -> [Self] { [] }
}

extension Int: ListIndex {
    init?(row position: Int, in list: ListLayout) {
        self = position
    }

    init?(_ element: ListElement, in list: ListLayout) {
        guard case .row(let row) = element, list.contains(row) else { return nil }
        self = list.position(of: row)
    }
}

extension RowIndex: ListIndex {
    init?(row position: Int, in list: ListLayout) {
        guard position >= 0, position < list.rowCount else { return nil }
        self = list.row(atPosition: position)
    }

    init?(_ element: ListElement, in list: ListLayout) {
        guard case .row(let row) = element else { return nil }
        self = row
    }
}

extension ListElement: ListIndex {
    static var hasOthers: Bool { true }

    init?(row position: Int, in list: ListLayout) {
        guard let row = RowIndex(row: position, in: list) else { return nil }
        self = .row(row)
    }

    init?(_ element: ListElement, in list: ListLayout) {
        self = element
    }

    static func visible(in viewport: Viewport) -> [ListElement] {
        var elements: [ListElement] = []
        viewport.list.forEachElement(offset: viewport.offset, height: viewport.height) {
            element, _ in elements.append(element)
        }
        return elements
    }

    static func others(in viewport: Viewport) -> [ListElement] {
        visible(in: viewport).filter { if case .row = $0 { false } else { true } }
    }
}
