import GalleryFiles

/// The findings about folders that aren't in the list yet.
struct PendingChanges: Sendable {
    /// The pictures of each folder, in order; none if it was removed.
    var folders: [FilePath: [ListedPicture]] = [:]
    var headers: [ReadHeader] = []
    /// The arrangements to be made.
    var arrangements: Set<ListArrangement> = []

    var isEmpty: Bool { folders.isEmpty && headers.isEmpty && arrangements.isEmpty }
}
