import GalleryFiles
import ScrollModel

/// All pictures in order: sections by folder, and in each the pictures by name.
///
/// It is a value, so that a worker can make the next list while the loop still uses this one. Each
/// query is O(log n).
struct PictureList: Sendable {
    let geometry: RowGeometry
    /// The maximum number of pictures.
    let limit: Int
    var version = 0
    var sections: [CatalogueSection] = []
    var layout: ListLayout
    var index: PictureIndex

    init(
        geometry: RowGeometry, limit: Int,
        numbering number: @escaping @Sendable (FilePath) -> PictureID
    ) {
        self.geometry = geometry
        self.limit = limit
        index = PictureIndex(numbering: number)
        let estimates = ListLayout.Estimates(row: geometry.estimate, header: geometry.header)
        do {
            layout = try ListLayout(rowCounts: [], estimates: estimates)
        } catch {
            preconditionFailure("a row's estimated height can be: \(error)")
        }
    }

    subscript(row: RowIndex) -> CatalogueEntry { sections[row.section].entries[row.row] }

    func entry(atPosition position: Int) -> CatalogueEntry {
        self[layout.row(atPosition: position)]
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
        var (low, high) = (start, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if NaturalOrder.compare(sections[middle].folder.bytes, folder.bytes) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Checks that the list's parts agree and that it is in order; O(n log n), for tests.
    func checkInvariants() {
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
                let height = entry.pixels.map(geometry.height) ?? geometry.estimate
                precondition(
                    layout.extent(of: .row(place)).height == height,
                    "a row is as high as its picture")
            }
        }
    }
}
