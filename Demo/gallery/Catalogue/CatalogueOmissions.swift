/// The files and folders that are not in the list.
public struct CatalogueOmissions: Hashable, Sendable {
    /// The number of pictures and videos in formats that aren't shown.
    public internal(set) var unsupportedFiles = 0
    /// The number of folders that can't be read.
    public internal(set) var unreadableFolders = 0
    /// Whether pictures are left out because they, or folders, are too many.
    public internal(set) var isCut = false
}
