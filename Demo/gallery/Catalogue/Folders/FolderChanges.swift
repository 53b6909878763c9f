import GalleryFiles

/// The findings about one folder that aren't in the list yet.
enum FolderChanges: Sendable {
    /// All its pictures, in order.
    case all([ListedPicture])
    /// The pictures of some names; nil for a name without one.
    case some([FilePath: ListedPicture?])

    /// Adds later findings; O(1) if they are complete, else O(m) for m pictures.
    mutating func add(_ newer: FolderChanges) {
        switch (self, newer) {
        case (_, .all): self = newer
        case (.some(let old), .some(let new)): self = .some(old.merging(new) { $1 })
        case (.all(let old), .some(let new)):
            let kept = old.filter { new[$0.path] == nil }
            let pictures = kept + new.values.compactMap(\.self)
            self = .all(
                pictures.sorted { NaturalOrder.compare($0.path.bytes, $1.path.bytes) < 0 })
        }
    }
}
