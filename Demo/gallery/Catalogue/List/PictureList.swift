import GalleryFiles
import ScrollModel

/// All pictures in order: sections by folder, and in each the pictures by name; and once more by
/// date.
///
/// It is a value, so that a worker can make the next list while the loop still uses this one. Each
/// query is O(log n).
struct PictureList: Sendable {
    /// The maximum number of pictures.
    let limit: Int
    var version = 0
    var sections: [CatalogueSection] = []
    /// The rows by name; a row is measured when its header has been read.
    var rows = ArrangedRows()
    var dates = DateList()
    var index: PictureIndex

    init(limit: Int, numbering number: @escaping @Sendable (FilePath) -> PictureID) {
        self.limit = limit
        index = PictureIndex(numbering: number)
    }

    subscript(row: RowIndex) -> CatalogueEntry { sections[row.section].entries[row.row] }

    /// Returns the row by name of the picture at a position in an order.
    func row(atPosition position: Int, in order: ListOrder) -> RowIndex {
        switch order {
        case .name: return rows.layout.row(atPosition: position)
        case .date:
            guard let row = row(of: dates.key(atPosition: position).id) else {
                preconditionFailure("a picture by date is in the list")
            }
            return row
        }
    }

    /// Returns the position in an order of a picture that is in the list.
    func position(of row: RowIndex, in order: ListOrder) -> Int {
        switch order {
        case .name: return rows.layout.position(of: row)
        case .date:
            guard let dated = dates.row(of: DateList.Picture(self[row])) else {
                preconditionFailure("each picture has a date")
            }
            return dates.rows.layout.position(of: dated)
        }
    }

    /// Returns the rows in an order.
    func rows(in order: ListOrder) -> ArrangedRows { order == .name ? rows : dates.rows }

    /// Adds the lines of an arrangement; O(n).
    mutating func arrange(_ arrangement: ListArrangement) {
        switch arrangement.order {
        case .name: rows.arrange(arrangement.flow)
        case .date: dates.rows.arrange(arrangement.flow)
        }
    }

    /// Removes the lines of arrangements that aren't among these.
    mutating func keep(_ used: Set<ListArrangement>) {
        func flows(_ order: ListOrder) -> Set<ListArrangement.Flow> {
            Set(used.filter { $0.order == order }.map(\.flow))
        }
        rows.keep(flows(.name))
        dates.rows.keep(flows(.date))
    }

    func row(of id: PictureID) -> RowIndex? {
        guard let path = index[id], let folder = path.parent else { return nil }
        let section = firstSection(notBefore: folder)
        guard section < sections.count, sections[section].folder == folder else { return nil }
        let (row, isThere) = sections[section].row(of: path)
        return isThere ? RowIndex(section: section, row: row) : nil
    }

    /// Returns the section of a folder, or the one at which it would be inserted.
    func firstSection(notBefore folder: FilePath, from start: Int = 0) -> Int {
        (start..<sections.count).partitionPoint {
            NaturalOrder.compare(sections[$0].folder.bytes, folder.bytes) >= 0
        }
    }

    /// Checks that the list's parts agree and that it is in order; O(n log n), for tests.
    func checkInvariants() {
        let layout = rows.layout
        precondition(layout.rowCount <= limit, "there are no more rows than there may be")
        precondition(layout.sectionCount == sections.count, "each section lies somewhere")
        for (number, section) in sections.enumerated() {
            precondition(section.rowCount > 0, "a section has rows")
            precondition(
                layout.rowCount(inSection: number) == section.rowCount, "each row lies somewhere")
            if number > 0 {
                let order = NaturalOrder.compare(
                    sections[number - 1].folder.bytes, section.folder.bytes)
                precondition(order < 0, "sections are in order")
            }
            for (row, entry) in section.entries.enumerated() {
                let place = RowIndex(section: number, row: row)
                precondition(self.row(of: entry.key.id) == place, "a number leads to its row")
                precondition(
                    layout.extent(of: .row(place)).height == entry.ratio ?? ArrangedRows.usualRatio,
                    "a row has its picture's shape")
            }
        }
        checkDates()
        rows.checkInvariants()
        dates.rows.checkInvariants()
    }

    private func checkDates() {
        precondition(
            dates.rows.layout.sectionCount == dates.sections.count
                && dates.rows.layout.rowCount == rows.layout.rowCount,
            "each picture has a date")
        var last: DateList.Picture?
        for (number, section) in dates.sections.enumerated() {
            precondition(!section.pictures.isEmpty, "a month has pictures")
            for (row, picture) in section.pictures.enumerated() {
                let place = RowIndex(section: number, row: row)
                guard let named = self.row(of: picture.key.id) else {
                    preconditionFailure("a picture by date is in the list")
                }
                let entry = self[named]
                precondition(
                    DateList.Picture(entry) == picture && dates.row(of: picture) == place
                        && section.month == Month(ofTime: picture.date),
                    "a picture is at its date")
                precondition(
                    dates.rows.layout.extent(of: .row(place)).height
                        == entry.ratio ?? ArrangedRows.usualRatio,
                    "a row by date has its picture's shape")
                if let last {
                    precondition(DateList.Picture.order(last, picture) < 0, "dates are in order")
                }
                last = picture
            }
        }
    }
}
