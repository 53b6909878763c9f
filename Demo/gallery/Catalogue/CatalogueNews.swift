import GalleryFiles

/// What was found out about the folders and not put into the list yet.
struct CatalogueNews: Sendable {
    /// What each folder has; no pictures if it went.
    var folders: [FilePath: FolderNews] = [:]
    var headers: [ReadHeader] = []

    mutating func add(_ folder: FolderNews, of path: FilePath) {
        if folders[path]?.add(folder) == nil { folders[path] = folder }
    }

    var isEmpty: Bool { folders.isEmpty && headers.isEmpty }
}
