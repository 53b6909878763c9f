import GalleryFiles

/// A picture as its folder's listing has it.
struct ListedPicture: Hashable, Sendable {
    let path: FilePath
    let stamp: UInt64
    let byteCount: Int
}
