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
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let order = NaturalOrder.compare(entries[middle].path.bytes, path.bytes, from: start)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}
