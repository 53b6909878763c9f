import GalleryFiles

/// The findings about folders that aren't in the list yet.
struct CatalogueNews: Sendable {
    /// The content of each folder; no pictures if it was removed.
    var folders: [FilePath: FolderNews] = [:]
    var headers: [ReadHeader] = []

    mutating func add(_ folder: FolderNews, of path: FilePath) {
        if folders[path]?.add(folder) == nil { folders[path] = folder }
    }

    var isEmpty: Bool { folders.isEmpty && headers.isEmpty }
}
