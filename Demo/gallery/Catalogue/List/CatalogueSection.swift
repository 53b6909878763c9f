public import GalleryFiles

/// The pictures of one folder; its subfolders are sections of their own.
public struct CatalogueSection: Hashable, Sendable {
    /// The folder.
    public let folder: FilePath
    /// The number of pictures.
    public var rowCount: Int { entries.count }
    /// The pictures, sorted by name; never empty.
    var entries: [CatalogueEntry]

    /// Returns the row of a picture, or the one at which it would be inserted; O(log n).
    func row(of path: FilePath) -> (row: Int, isThere: Bool) {
        // All paths begin with the folder's path.
        let start = folder.bytes.count
        func order(_ row: Int) -> Int {
            NaturalOrder.compare(entries[row].path.bytes, path.bytes, from: start)
        }
        let row = entries.indices.partitionPoint { order($0) >= 0 }
        return (row, row < entries.count && order(row) == 0)
    }
}
