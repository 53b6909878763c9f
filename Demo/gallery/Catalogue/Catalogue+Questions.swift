public import GalleryFiles
public import ScrollModel

// Queries on the list, O(log n) each.
extension Catalogue {
    /// The version of the list: 0 before the first pictures, incremented with each change.
    public var version: Int { list.version }

    /// The geometry of the rows.
    public var geometry: RowGeometry { list.geometry }

    /// The layout of rows: sections with headers, by folder; heights as far as they are known.
    public var layout: ListLayout { list.layout }

    /// The number of pictures.
    public var rowCount: Int { list.layout.rowCount }

    /// The folders that have pictures, in order.
    public var sections: [CatalogueSection] { list.sections }

    /// Calls `body` with the height of each row at these positions, in order.
    ///
    /// O(log n), and O(1) for each row and section.
    public func forEachHeight(at positions: Range<Int>, _ body: (Double) -> Void) {
        let positions = positions.clamped(to: 0..<rowCount)
        guard !positions.isEmpty else { return }
        var left = positions.count
        let start = list.layout.row(atPosition: positions.lowerBound)
        var row = start.row
        for section in list.sections[start.section...] {
            let end = min(section.rowCount, row + left)
            left -= end - row
            while row < end {
                body(section.entries[row].pixels.map(geometry.height) ?? geometry.estimate)
                row += 1
            }
            guard left > 0 else { return }
            row = 0
        }
    }

    /// Returns the picture at a position.
    ///
    /// - Precondition: the position is below the count of rows.
    public func entry(atPosition position: Int) -> CatalogueEntry {
        list.entry(atPosition: position)
    }

    /// Returns the position of a picture; nil if it isn't in the list.
    public func position(of id: PictureID) -> Int? {
        row(of: id).map { list.layout.position(of: $0) }
    }

    /// Returns the picture of this number; nil if it isn't in the list.
    public func entry(of id: PictureID) -> CatalogueEntry? {
        row(of: id).map { list[$0] }
    }

    /// Returns the row of a picture, cached for pictures that are requested again and again.
    private func row(of id: PictureID) -> RowIndex? {
        if let row = knownRows[id] { return row }
        guard let row = list.row(of: id) else { return nil }
        knownRows[id] = row
        return row
    }

    /// Whether all folders and headers have been read and the list is up to date.
    public var isComplete: Bool {
        startTimer == nil && areFoldersRead && table.restlessCount == 0 && wishes.isEmpty
            && news.isEmpty && !isArranging
    }

    /// Whether no folder waits to be listed or is being listed.
    var areFoldersRead: Bool { table.waitingCount == 0 && listingCount == 0 }

    /// The catalogue's counts.
    public var statistics: CatalogueStatistics {
        var counts = counts
        counts.folders = table.folders.count
        counts.unreadableFolders = table.refusedCount + table.failedCount
        counts.watchedFolders = table.owners.count
        counts.waitingFolders = table.waitingCount + listingCount
        return counts
    }
}
