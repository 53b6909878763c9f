import GalleryFiles

/// A picture found by listing its folder.
struct ListedPicture: Hashable, Sendable {
    let path: FilePath
    let stamp: UInt64
    let byteCount: Int
    /// The time at which the file was written last, in seconds since 1970.
    let modified: Int
}

extension ListedPicture {
    /// Creates the picture of a name; nil if that isn't a regular file.
    init?(at path: FilePath, _ facts: FileFacts) {
        guard facts.kind == .regular else { return nil }
        self.init(
            path: path, stamp: facts.stamp, byteCount: facts.byteCount,
            modified: Int(facts.modified / 1_000_000_000))
    }
}
