import GalleryFiles

/// The findings about folders that aren't in the list yet.
struct PendingChanges: Sendable {
    /// The content of each folder; no pictures if it was removed.
    var folders: [FilePath: FolderChanges] = [:]
    var headers: [ReadHeader] = []
    /// The arrangements to be made.
    var arrangements: Set<ListArrangement> = []

    mutating func add(_ changes: FolderChanges, of path: FilePath) {
        if folders[path]?.add(changes) == nil { folders[path] = changes }
    }

    var isEmpty: Bool { folders.isEmpty && headers.isEmpty && arrangements.isEmpty }
}
