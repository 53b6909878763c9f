import GalleryFiles

/// A picture as its folder's listing has it.
struct ListedPicture: Hashable, Sendable {
    let path: FilePath
    let stamp: UInt64
    let byteCount: Int
}

extension ListedPicture {
    /// The picture of a name; nil if that's no file.
    init?(at path: FilePath, _ facts: FileFacts) {
        guard facts.kind == .regular else { return nil }
        let byteCount = path.isShortcut ? 0 : facts.byteCount
        self.init(path: path, stamp: facts.stamp, byteCount: byteCount)
    }
}
