import GalleryFiles

/// What was found out about the folders and not put into the list yet.
struct CatalogueNews: Sendable {
    /// All pictures of each folder that was listed, in their order; none of one that went.
    var folders: [FilePath: [ListedPicture]] = [:]
    var headers: [ReadHeader] = []

    var isEmpty: Bool { folders.isEmpty && headers.isEmpty }
}
